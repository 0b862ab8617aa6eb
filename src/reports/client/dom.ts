/** Attributes of an element; undefined and false leave one out, true sets it empty. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
export type Child = Node | string | undefined;

/** Makes an element. Texts become text nodes: nothing of a report is ever read as HTML. */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) setAttribute(element, key, value);
  for (const child of children) if (child !== undefined) element.append(child);
  return element;
}

/** The same in SVG. */
export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) setAttribute(element, key, value);
  for (const child of children) if (child !== undefined) element.append(child);
  return element;
}

/** Sets an attribute, or removes it where the value is undefined or false. */
export function setAttribute(element: Element, key: string, value: Attributes[string]): void {
  if (value === undefined || value === false) element.removeAttribute(key);
  else element.setAttribute(key, value === true ? '' : String(value));
}

/** Text of any direction, kept apart from the text around it. */
export function isolated(text: string): HTMLElement {
  return el('bdi', {}, text);
}

let made = 0;

/** An id that no other element has. */
export function newId(): string {
  made += 1;
  return `part-${made}`;
}

/** Runs at most once for each frame, however often it is asked for. */
export function oncePerFrame(run: () => void): () => void {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      run();
    });
  };
}

/** Whether everything must be laid out for paper, and back. */
export function onPrint(before: () => void, after: () => void): void {
  window.addEventListener('beforeprint', before);
  window.addEventListener('afterprint', after);
}
