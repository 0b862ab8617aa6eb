import stringWidth from 'string-width';

/** Code units examined per column: a character may carry any number of marks of no width. */
const mostPerColumn = 16;

/** Characters of one column, and of two, that never join with a neighbour; string-width is far slower. */
const narrow = '\\x20-\\x7e\\xc0-\\u02ff\\u0391-\\u03a1\\u03a3-\\u0482\\u048a-\\u052f\\u2010-\\u2027';
const wide = '\\u3041-\\u3096\\u30a1-\\u30fa\\u4e00-\\u9fff\\uac00-\\ud7a3';
const simple = new RegExp(`^[${narrow}${wide}]*$`);
const eachWide = new RegExp(`[${wide}]`, 'g');
const ascii = /^[\x20-\x7e]*$/;
/** As `link` writes it: string-width does not know every character that a URL may hold. */
const eachLink = /\x1b\]8;;[^\x1b]*\x1b\\/g;

/** Made at first use: the first of a process loads the tables of Unicode, some 10 ms. */
let segmenter: Intl.Segmenter | undefined;

/** Terminal columns of a sanitised line, colours and links not counted. cli-table3 measures with it, too. */
export function widthOf(text: string): number {
  if (ascii.test(text)) return text.length;
  if (simple.test(text)) return text.length + (text.match(eachWide)?.length ?? 0);
  return stringWidth(text.includes('\x1b]') ? text.replace(eachLink, '') : text);
}

/** Code units beyond which a text is cut whatever it is: what follows need be neither cleaned nor measured. */
export function mostShown(columns: number): number {
  return columns * mostPerColumn + 1;
}

/** The text in at most `columns`, its end replaced by `…` where it does not fit. */
export function cut(text: string, columns: number): string {
  const near = text.slice(0, columns * mostPerColumn);
  if (near.length === text.length && widthOf(text) <= columns) return text;
  if (columns <= 1) return '…'.slice(0, columns);
  const kept = near.slice(0, fitting(near, columns - 1)).replace(/[\s\ud800-\udbff]+$/, '');
  return widthOf(kept) <= columns - 1 ? `${kept}…` : '…';
}

/** The text in lines of at most `columns`, broken at spaces where there are any. */
export function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, columns));
}

function wrapLine(line: string, columns: number): string[] {
  const lines: string[] = [];
  let rest = line;
  for (;;) {
    const end = fitting(rest.slice(0, columns * mostPerColumn), columns);
    if (end === rest.length) break;
    const space = rest[end] === ' ' ? end : rest.lastIndexOf(' ', end - 1);
    const at = space < 1 || rest.slice(0, space).trim() === '' ? end : space;
    lines.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  return rest === '' && lines.length > 0 ? lines : [...lines, rest];
}

/** The longest beginning that fits, as an index into the text; at least one character. */
function fitting(text: string, columns: number): number {
  if (text.length <= columns && ascii.test(text)) return text.length;
  if (ascii.test(text.slice(0, columns + 1))) return Math.max(1, columns);
  let used = 0;
  // Long texts have few characters; to measure one takes long.
  const widths = new Map<string, number>();
  for (const { segment, index } of segmenterOnce().segment(text)) {
    const width = widths.get(segment) ?? widthOf(segment);
    widths.set(segment, width);
    used += width;
    if (used > columns && index > 0) return index;
  }
  return text.length;
}

function segmenterOnce(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter();
  return segmenter;
}
