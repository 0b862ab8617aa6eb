import type { Painter } from './text-layout.js';

/** How help looks: the width of the window, and colours by meaning. */
export interface HelpLook {
  width: number;
  heading: Painter;
  /** Names of commands and flags. */
  name: Painter;
  /** What must be given. */
  required: Painter;
  /** What is said beside, such as the comment of an example. */
  quiet: Painter;
  /** A method of HTTP: whether it reads, changes or deletes. */
  method: Painter;
}

/** The least and the most columns that help is laid out for. */
const narrowest = 40;
const widest = 140;

const plain: Painter = (text) => text;

/**
 * @param columns of the terminal; undefined where there is none
 * @param color whether there are colours. They are written as they are, for start-up loads no library.
 */
export function helpLook(columns: number | undefined, color: boolean): HelpLook {
  const width = Math.min(widest, Math.max(narrowest, columns || 80));
  if (!color) {
    return { width, heading: plain, name: plain, required: plain, quiet: plain, method: plain };
  }
  const methods: Readonly<Record<string, Painter>> = { GET: paint(32, 39), DELETE: paint(31, 39) };
  return {
    width,
    heading: paint(1, 22),
    name: paint(36, 39),
    required: paint(33, 39),
    quiet: paint(2, 22),
    method: (text) => (methods[text.trim()] ?? paint(33, 39))(text),
  };
}

function paint(on: number, off: number): Painter {
  return (text) => `\x1b[${on}m${text}\x1b[${off}m`;
}
