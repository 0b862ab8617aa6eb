import type { Output } from '../base/io.js';

/** Sanitised text, broken between words to fit a terminal. Lines indented by four are commands: left whole. */
export function wordWrapped(text: string, stream: Pick<Output, 'isTTY' | 'columns'>): string {
  const columns = stream.isTTY === true ? (stream.columns ?? 0) : 0;
  if (columns < 20) return text;
  return text
    .split('\n')
    .map((line) => (line.length <= columns || line.startsWith('    ') ? line : broken(line, columns)))
    .join('\n');
}

/** Further lines are indented by two more than the first. */
function broken(line: string, columns: number): string {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = indent;
  for (const word of line.slice(indent.length).split(' ')) {
    const empty = current.trim() === '';
    if (!empty && current.length + 1 + word.length > columns) {
      lines.push(current);
      current = `${indent}  ${word}`;
    } else current = empty ? `${current}${word}` : `${current} ${word}`;
  }
  return [...lines, current].join('\n');
}
