import type { ChalkInstance } from 'chalk';
import { type Painter, painters, plain } from '../../output/colors.js';

/** How help looks: the width of the window, and colours by meaning. */
export interface HelpLook {
  width: number;
  /** Whether all flags and requests are shown (`--help --full`). */
  full?: boolean;
  heading: Painter;
  /** Names of commands and flags. */
  name: Painter;
  /** Required flags. */
  required: Painter;
  /** Secondary text, such as the comment of an example. */
  quiet: Painter;
  /** An HTTP method: reads, changes and deletions differ. */
  method: Painter;
}

/** The look of help, 40 to 140 columns wide; columns are undefined where there is no terminal. */
export function helpLook(columns: number | undefined, chalk?: ChalkInstance): HelpLook {
  const width = Math.min(140, Math.max(40, columns || 80));
  const methods = painters(chalk, { GET: 'green', DELETE: 'red', other: 'yellow' });
  const byName: Readonly<Record<string, Painter>> = methods;
  return {
    width,
    ...painters(chalk, { heading: 'bold', name: 'cyan', required: 'yellow', quiet: 'dim' }),
    method: (text) => (byName[text.trim()] ?? methods.other)(text),
  };
}

/** Prose is never wider: longer lines are hard to read. */
const readableWidth = 100;

/** Two columns, the second wrapped. A name too long for its column has a line of its own. */
export function rows(
  pairs: readonly (readonly [string, string])[],
  width: number,
  { left = plain, right = plain, widest = 34 }: { left?: Painter; right?: Painter; widest?: number } = {},
): string[] {
  const most = Math.min(widest, Math.floor(width * (widest > 34 ? 0.55 : 0.42)));
  const names = pairs.map(([name]) => name.length).filter((length) => length <= most);
  const column = Math.max(0, ...names);
  const room = Math.max(20, width - column - 4);
  return pairs.flatMap(([name, text]) => {
    const lines = text === '' ? [] : wrap(text, room);
    const pad = ' '.repeat(column + 4);
    if (name.length > column || lines.length === 0) {
      return [`  ${left(name)}`, ...lines.map((line) => pad + right(line))];
    }
    const gap = ' '.repeat(column - name.length + 2);
    return lines.map((line, index) => (index === 0 ? `  ${left(name)}${gap}` : pad) + right(line));
  });
}

/** Names with a few words each, side by side where there is room for two; read down. */
export function columnsOf(pairs: readonly (readonly [string, string])[], look: HelpLook): string[] {
  const { width, name: left } = look;
  if (width < 80) return rows(pairs, width, { left });
  const half = Math.ceil(pairs.length / 2);
  const [first, second] = [pairs.slice(0, half), pairs.slice(half)].map((side) =>
    rows(side, 41, { left: plain }),
  );
  return (first ?? []).map(
    (line, at) => paintName(line.padEnd(41), left) + paintName(second?.[at] ?? '', left),
  );
}

function paintName(line: string, paint: Painter): string {
  return line.replace(/^( +)(\S+)/, (_, indent: string, name: string) => indent + paint(name));
}

/** A paragraph, in lines that can be read well. */
export function paragraph(text: string, width: number): string[] {
  return wrap(text, Math.min(width, readableWidth));
}

/** A paragraph in which text stands between backticks: that is painted, and they are left out. */
export function markedParagraph(text: string, width: number, paint: Painter): string[] {
  const lines = wrap(text, Math.min(width, readableWidth), (part) => part.replaceAll('`', '').length);
  let isMarked = false;
  return lines.map((line) => {
    const parts = line.split('`').map((part, at) => {
      if (at > 0) isMarked = !isMarked;
      return isMarked && part !== '' ? paint(part) : part;
    });
    return parts.join('');
  });
}

/** Words in lines of at most `width` columns; a longer word stands alone. */
function wrap(text: string, width: number, lengthOf = (part: string) => part.length): string[] {
  const out: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && lengthOf(line) + 1 + lengthOf(word) > width) {
      out.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...out, line];
}
