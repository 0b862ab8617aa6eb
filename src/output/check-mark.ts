import type { Io, Output } from '../base/io.js';
import { loadChalk } from './colors.js';
import { safeText } from './safe-text.js';
import type { ColorLevel } from './terminal.js';
import { wordWrapped } from './word-wrap.js';

/** The mark of a change that was made, before its sentence (VOICE.md, 7). */

const mark = '✓ ';

/**
 * A sentence about a change that was made, with the mark where a person reads it. A sentence alone has no full
 * stop there, for it often ends with an id or a path to copy.
 */
export function checked({ stdout }: Pick<Io, 'stdout'>, sentence: string): string {
  return stdout.isTTY === true ? withMark(sentence) : sentence;
}

/** The same, whatever reads it. */
export function withMark(sentence: string): string {
  const isAlone = !/[.!?]["')]*\s/.test(sentence) && sentence.endsWith('.') && !sentence.endsWith('..');
  const text = isAlone ? sentence.slice(0, -1) : sentence;
  return text.startsWith(mark) ? text : `${mark}${text}`;
}

/** A sentence for a stream: sanitised, wrapped, its mark green where there are colours. */
export async function markedText(
  sentence: string,
  stream: Pick<Output, 'isTTY' | 'columns'>,
  color: ColorLevel,
): Promise<string> {
  const text = wordWrapped(safeText(sentence), stream);
  const chalk = text.startsWith(mark) && stream.isTTY === true ? await loadChalk(color) : undefined;
  return `${chalk === undefined ? text : `${chalk.green('✓')}${text.slice(1)}`}\n`;
}
