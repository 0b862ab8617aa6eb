/** Draws a terminal as SVG: text on a grid, with the sixteen colours. */

const cell = { width: 8.4, height: 20 };
const margin = { left: 20, top: 56, bottom: 16 };
const ink = { plain: '#d8dee9', quiet: '#8b949e', prompt: '#7ee787' };
const colours = {
  30: '#6e7681',
  31: '#ff7b72',
  32: '#7ee787',
  33: '#e3b341',
  34: '#79c0ff',
  35: '#d2a8ff',
  36: '#76e3ea',
  37: '#d8dee9',
  90: '#8b949e',
};

/**
 * @param session commands without `--sandbox`, with the bytes that the terminal was sent
 * @param columns its width
 */
export function terminalSvg(session, columns) {
  const lines = session.flatMap(({ words, bytes }, index) => [
    ...(index === 0 ? [] : [[]]),
    [
      { text: '$ ', fill: ink.prompt },
      { text: `docs ${words.map(quoted).join(' ')}`, fill: '#ffffff', bold: true },
    ],
    ...linesOf(settled(bytes)),
  ]);
  const width = Math.ceil(columns * cell.width + 2 * margin.left);
  const height = margin.top + lines.length * cell.height + margin.bottom;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="docs in a terminal">`,
    `<rect width="${width}" height="${height}" rx="10" fill="#0d1117"/>`,
    ...['#ff5f56', '#ffbd2e', '#27c93f'].map(
      (fill, at) => `<circle cx="${24 + at * 20}" cy="24" r="6" fill="${fill}"/>`,
    ),
    '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="14">',
    ...lines.map((runs, row) => drawn(runs, margin.top + row * cell.height)),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function quoted(word) {
  return /^[\w./:=@,-]+$/.test(word) ? word : `"${word}"`;
}

/** Names of jobs say when they ran and end in random digits. */
function settled(bytes) {
  return bytes
    .replaceAll(/\b\d{8}-\d{6}-[\da-f]{6}\b/g, '20260105-090000-c0ffee')
    .replaceAll(' --sandbox', '');
}

/** The lines of the screen as runs of one look; what a spinner drew and erased is gone. */
function linesOf(bytes) {
  const look = { fill: undefined, bold: false, dim: false };
  const kept = bytes
    .split('\r\n')
    .map((line) =>
      line
        .replace(/^.*\x1b\[1G\x1b\[0K/s, '')
        .replaceAll(/\x1b\[[?\d;]*[A-LN-Zhl]/gi, (code) => (code.endsWith('m') ? code : '')),
    );
  while (kept.at(-1) === '') kept.pop();
  return kept.map((line) => runsOf(line, look));
}

function runsOf(line, look) {
  const runs = [];
  for (const [, codes, text] of line.matchAll(/\x1b\[([\d;]*)m|([^\x1b]+)/g)) {
    if (codes !== undefined) for (const code of codes.split(';')) take(Number(code), look);
    else if (text !== undefined) runs.push({ text, fill: look.dim ? ink.quiet : look.fill, bold: look.bold });
  }
  return runs;
}

function take(code, look) {
  if (code === 0) Object.assign(look, { fill: undefined, bold: false, dim: false });
  else if (code === 1) look.bold = true;
  else if (code === 2) look.dim = true;
  else if (code === 22) Object.assign(look, { bold: false, dim: false });
  else if (code === 39) look.fill = undefined;
  else if (colours[code]) look.fill = colours[code];
}

function drawn(runs, y) {
  let column = 0;
  const parts = runs.map(({ text, fill = ink.plain, bold }) => {
    const length = [...text].length;
    const x = (margin.left + column * cell.width).toFixed(1);
    column += length;
    // The grid holds whatever font a reader has.
    const fit = `textLength="${(length * cell.width).toFixed(1)}" lengthAdjust="spacingAndGlyphs"`;
    return text.trim() === ''
      ? ''
      : `<text x="${x}" y="${y}" fill="${fill}"${bold ? ' font-weight="600"' : ''} ${fit}>${escaped(text)}</text>`;
  });
  return parts.join('');
}

function escaped(text) {
  // Only spaces that do not break are all kept.
  return text
    .replaceAll(' ', '\u00a0')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
