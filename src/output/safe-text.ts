// C0 but tab and newline, DEL, C1, line separators, bidi controls, surrogates without a partner (not as a
// property of Unicode, which takes long to look up).
const forbidden = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/u;
const eachForbidden = new RegExp(forbidden, 'gu');
const lineBreaks = /\r\n|[\n\r\t\u2028\u2029]/g;

/**
 * Makes text safe for a terminal or an error message: whatever could command a terminal or reorder the line
 * becomes visible (ESC is `␛`, U+202E is `<U+202E>`). Newlines and tabs stay; CRLF becomes a newline.
 * (RELIABILITY.md, "What the platform sends is not trusted")
 */
export function safeText(text: string): string {
  if (!forbidden.test(text)) return text;
  return text.replaceAll('\r\n', '\n').replace(eachForbidden, visible);
}

/** The same for a place of one line, such as a table cell: a newline or a tab becomes a space. */
export function safeLine(text: string): string {
  return safeText(text.replace(lineBreaks, ' '));
}

/** A forbidden character as something that can be seen: control pictures, else its code point. */
function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
