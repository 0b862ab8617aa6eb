import { age } from '../../output/text.js';

/** A moment to the minute, with its age where the pointer rests; other text as it is. */
export function timeOf(moment: string, madeAt: number): HTMLElement {
  const ms = Date.parse(moment);
  if (Number.isNaN(ms)) return el('span', { dir: 'auto' }, moment);
  const text = new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
  return el('time', { datetime: moment, title: `${age(moment, madeAt)}, ${moment}` }, text);
}

/** The age of a moment, with the moment itself where the pointer rests. */
export function ageOf(moment: string, madeAt: number): HTMLElement {
  return el('time', { datetime: moment, title: moment }, age(moment, madeAt));
}

/** Attributes of an element; undefined and false leave one out, true sets it empty. */
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
type Child = Node | string | undefined;

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
