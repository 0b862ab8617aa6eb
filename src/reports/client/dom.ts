/** Attributes of an element; undefined and false leave one out, true sets it empty. */
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Makes an element. Texts become text nodes: nothing of a report is ever read as HTML. */
export function el<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== false)
      element.setAttribute(key, value === true ? '' : String(value));
  element.append(...children);
  return element;
}

/** A button that does something. */
export function button(label: string, run: () => void, attributes: Attributes = {}): HTMLButtonElement {
  const made = el('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', run);
  return made;
}

/** The words of a text, in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}
