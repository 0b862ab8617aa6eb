import { safeLine, safeText } from '../output/text.js';

/** HTML of texts of others: none of them becomes an element or ends an attribute. */

const names: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": '#39',
};

/** Text as it is in HTML, in elements and in quoted attributes; line breaks stay. */
export function escapeHtml(text: string): string {
  return safeText(text).replace(/[&<>"']/g, (character) => `&${names[character]};`);
}

/** The same on one line. */
export function htmlLine(text: string): string {
  return escapeHtml(safeLine(text));
}

/** HTML that was written here; every other text is escaped where it is put in. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type HtmlPart = Html | string | number | undefined | false | readonly HtmlPart[];

/** A template: what it holds is escaped, in elements and in quoted attributes, unless it is `Html` itself. */
export function html(strings: TemplateStringsArray, ...parts: HtmlPart[]): Html {
  return new Html(strings.map((own, at) => own + textOf(parts[at])).join(''));
}

export const nothing = new Html('');

function textOf(part: HtmlPart): string {
  if (part instanceof Html) return part.text;
  if (part === undefined || part === false) return '';
  if (typeof part === 'object') return part.map(textOf).join('');
  return escapeHtml(String(part));
}

/** A page may load and run nothing, whatever a text in it says. */
const policy = "default-src 'none'; style-src 'unsafe-inline'";

/**
 * The lines of a self-contained page up to its body.
 * @param title escaped
 */
export function pageHead(title: string, style: string): string[] {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width">',
    `<title>${title}</title>`,
    `<style>\n${style}\n</style>`,
    '</head>',
    '<body>',
  ];
}
