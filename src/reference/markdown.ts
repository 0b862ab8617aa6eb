/** Markdown from texts that are none. */

/** Text in which no character means anything. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|]/g, '\\$&');
}

/** A span of code; also fit for a cell of a table. */
export function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  return `${fence}${text.replaceAll('|', '\\|')}${fence}`;
}

/** A table; a row is a list of cells that are Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...rows.map(row)];
}

/** The anchor that a heading gets. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
}

/** Lines as the text of a file. */
export function lines(...texts: readonly string[]): string {
  return `${texts.join('\n')}\n`;
}
