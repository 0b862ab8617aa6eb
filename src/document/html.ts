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
