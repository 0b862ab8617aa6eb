import { safeText } from './safe-text.js';

const names: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": '#39',
};

/** Text as it is in HTML, in elements and in quoted attributes; line breaks stay. */
export function escapedHtml(text: string): string {
  return safeText(text).replace(/[&<>"']/g, (character) => `&${names[character]};`);
}
