/** Builds Markdown from plain text. */

/** Escapes all characters with a meaning in Markdown. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|]/g, '\\$&');
}

/** A code span, also valid in a table cell. */
export function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  return `${fence}${text.replaceAll('|', '\\|')}${fence}`;
}

/** Joins lines to the text of a file. */
export function lines(...texts: readonly string[]): string {
  return `${texts.join('\n')}\n`;
}
