import { reversibleMarks, unmarkInvisible } from './invisible.js';

/** Text in cells of CSV: a spreadsheet must run none of it, and its reader must see all of it. */

/**
 * Where one begins: at the start of a cell, and behind what other settings of a spreadsheet take for the end of a cell or
 * row: `a;=1` in a comma-separated file. East Asian editions also take full-width signs. A `'` that is there counts as text.
 */
const start = /(?<=^|[;\t\r\n])(?='*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;
const disarmed = /(?<=^|[;\t\r\n])'(?='*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

/** A `'` before each formula: spreadsheets show it as text. */
export function disarmFormulas(text: string): string {
  return text.replace(start, "'");
}

/** What was disarmed, as it was before. */
export function armFormulas(text: string): string {
  return text.replace(disarmed, '');
}

/** A text as a cell of CSV shows it. */
export function safeCell(text: string): string {
  return disarmFormulas(reversibleMarks(text));
}

/** The text of a cell as it was before `safeCell`. */
export function plainCell(cell: string): string {
  return unmarkInvisible(armFormulas(cell));
}
