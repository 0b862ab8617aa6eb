/** Laying out plain text: two columns, and paragraphs. */

/** Two columns, the second wrapped to the width. */
export function rows(pairs: readonly (readonly [string, string])[], width: number): string[] {
  const left = Math.min(34, Math.max(0, ...pairs.map(([name]) => name.length)));
  const room = Math.max(24, width - left - 4);
  return pairs.flatMap(([name, text]) => {
    const wrapped = wrap(text, room);
    const pad = ' '.repeat(left + 4);
    if (name.length > left) return [`  ${name}`, ...wrapped.map((line) => pad + line)];
    return wrapped.map((line, index) => (index === 0 ? `  ${name.padEnd(left)}  ${line}` : pad + line));
  });
}

/** Words in lines of at most `width` columns; a longer word stands alone. */
export function wrap(text: string, width: number): string[] {
  const out: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      out.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...out, line];
}
