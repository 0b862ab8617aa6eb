import { wrap } from '../../output/text-width.js';

/** Sentences are never wider: longer lines are hard to read. */
export const readable = 100;

/** A sentence in lines that begin below its first word. */
export function hanging(start: string, text: string, columns: number): string[] {
  const lines = wrap(text, Math.max(20, columns - start.length));
  return lines.map((line, at) => (at === 0 ? start : ' '.repeat(start.length)) + line);
}
