import { groupBy } from '../base/values.js';
import { plain } from '../output/colors.js';
import { age, grouped, safeLine } from '../output/text.js';
import { cut, widthOf, wrap } from '../output/text-width.js';
import { leastFolded } from './changes.js';
import {
  type Cell,
  cellText,
  type Document,
  type Fact,
  type TablePart,
  type TerminalPart,
  type TreeNode,
} from './document.js';
import { hanging, readable, sign, type TerminalLook, widest } from './lines.js';
import {
  barLines,
  beside,
  changesLines,
  heatLines,
  ladderLines,
  namesText,
  needsLines,
  tilesLines,
} from './pictures.js';

/** Documents as text for a terminal, sanitised. */

type Drawn = Pick<Document<TerminalPart>, 'title' | 'headline' | 'about' | 'needs' | 'parts' | 'sum'>;

/**
 * The answer, what needs its reader, and the parts, with an empty line between them.
 * @param seeAll said at the end where rows were left out: what shows them
 */
export function renderTerminal(
  { title, headline = title, about = [], needs = [], parts, sum = '' }: Drawn,
  look: TerminalLook,
  seeAll = '',
): string {
  const { columns, palette } = look;
  const isCut = parts.some((part) => part.kind === 'table' && shownRows(part, look).more > 0);
  const width = Math.min(columns, readable);
  const blocks = [
    [
      ...(headline === '' ? [] : wrap(safeLine(headline), columns).map((line) => palette.strong(line))),
      ...about.flatMap((line) => wrap(safeLine(line), width)),
    ],
    needsLines(needs, look),
    ...partBlocks(parts, look),
    isCut && seeAll !== '' ? [palette.quiet(seeAll)] : [],
    sum === '' ? [] : wrap(safeLine(sum), columns).map((line) => palette.strong(line)),
  ];
  const filled = blocks.filter((block) => block.length > 0);
  return `${filled.map((block) => block.join('\n')).join('\n\n')}\n`;
}

/** Columns from which two bars stand beside each other. */
const leastBeside = 100;

function partBlocks([part, next, ...rest]: readonly TerminalPart[], look: TerminalLook): string[][] {
  if (part === undefined) return [];
  if (part.kind === 'bar' && next?.kind === 'bar' && look.columns >= leastBeside) {
    const half = Math.floor(look.columns / 2);
    const own = { ...look, columns: half - 2 };
    return [beside(barLines(part, own), barLines(next, own), half), ...partBlocks(rest, look)];
  }
  return [partLines(part, look), ...partBlocks(next === undefined ? [] : [next, ...rest], look)];
}

function partLines(part: TerminalPart, look: TerminalLook): string[] {
  switch (part.kind) {
    case 'table':
      return tableLines(part, look);
    case 'tree':
      return treeLines(nodesOf(part.root, look.nowMs), look);
    case 'facts':
      return factLines(part.items, look);
    case 'tiles':
      return tilesLines(part, look);
    case 'bar':
      return barLines(part, look);
    case 'changes':
      return changesLines(part, look);
    case 'heat':
      return heatLines(part, look);
    case 'ladder':
      return ladderLines(part, look);
  }
}

/** How many rows of a table are shown; the other media show all. */
const mostRows = 5;

/** The first rows; those that are equal but for their first cell are one where a person reads them. */
function shownRows({ rows }: TablePart, { folds }: TerminalLook) {
  const all =
    folds === true
      ? [...groupBy(rows, (row) => JSON.stringify(row.slice(1))).values()].flatMap(folded)
      : rows;
  return { shown: all.slice(0, mostRows), more: all.slice(mostRows).length };
}

function folded(rows: readonly (readonly Cell[])[]): (readonly Cell[])[] {
  const [[, ...rest] = []] = rows;
  if (rows.length < leastFolded || rest.length === 0) return [...rows];
  const names = rows.map(([first = null]) => cellText(first));
  return [[namesText(names, 1), ...rest]];
}

/** The first rows below the title; those of one column are sentences. */
function tableLines(part: TablePart, look: TerminalLook): string[] {
  const { columns, palette } = look;
  const { title, columns: head, rows, empty, leads } = part;
  if (rows.length === 0) return [palette.quiet(empty)];
  const textOf = (cell: TablePart['rows'][number][number], at: number) => {
    const text = safeLine(cellText(cell));
    return at === 1 && leads === true && text !== '' ? `${sign('→', look)} ${text}` : text;
  };
  const { shown: first, more } = shownRows(part, look);
  const isProse = head.length === 1;
  const width = Math.min(columns, readable);
  // A list of sentences is a line each.
  const shown = first.map((row) => (isProse ? row.flat() : row).map(textOf));
  return [
    palette.strong(isProse && rows.length === 1 ? title : `${title} (${grouped(rows.length)})`),
    ...shown.flatMap((row) =>
      isProse ? row.flatMap((text) => hanging('  ', text, width)) : rowLines(row, shown, columns),
    ),
    ...(more > 0 ? [palette.quiet(`  … and ${grouped(more)} more`)] : []),
  ];
}

/** A row in one line where all fit beside each other, else its last cell below the others; addresses are not cut. */
function rowLines(row: readonly string[], all: readonly (readonly string[])[], columns: number): string[] {
  const widths = row.map((_, at) => widest(all.map((one) => one[at] ?? '')));
  const whole = widths.reduce((sum, width) => sum + width + gap, 0);
  if (whole <= columns)
    return [
      `  ${row.map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - widthOf(cell) + gap)).join('')}`.trimEnd(),
    ];
  const cells = row.filter((cell) => cell !== '');
  const last = cells.length > 1 ? (cells.pop() ?? '') : '';
  const lead = cells.join('  ');
  return [`  ${isAddress(lead) ? lead : cut(lead, columns - 2)}`, ...restLines(last, columns)];
}

function restLines(text: string, columns: number): string[] {
  if (text === '') return [];
  return isAddress(text) ? [`      ${text}`] : hanging('      ', text, Math.min(columns, readable));
}

function isAddress(text: string): boolean {
  return /^(?:(?:→|->) )?https?:/.test(text);
}

/** Columns that a value needs at least before what stands beside it gives way. */
const leastValue = 36;

/**
 * Labels and values below each other. What stands beside is never cut or broken: where there is no column for it, it
 * stands at the end of the line, or of the next one.
 */
function factLines(facts: readonly Fact[], { columns, palette }: TerminalLook): string[] {
  const safe = facts.map((fact) => ({ ...fact, value: safeLine(fact.value) }));
  const start = gap + widest(safe.map(({ label }) => label));
  const longest = widest(safe.map(({ value }) => value));
  const left = columns - start - gap - widest(safe.map(({ beside = '' }) => beside));
  const isBeside = left >= Math.min(longest, leastValue);
  const width = isBeside ? Math.min(longest, left) : Math.max(1, columns - start);
  return safe.flatMap(({ label, value, beside, tone }) => {
    const lines = wrap(value, width);
    const paint = tone === undefined ? plain : palette[tone];
    const lead = palette.strong(label) + ' '.repeat(start - widthOf(label));
    const shown = lines.map((line, at) => (at === 0 ? lead : ' '.repeat(start)) + paint(line));
    if (beside === undefined) return shown;
    const text = palette.quiet(safeLine(beside));
    if (isBeside) {
      const space = ' '.repeat(gap + width - widthOf(lines[0] ?? ''));
      return shown.with(0, `${shown[0]}${space}${text}`);
    }
    const room = columns - widthOf(beside);
    const used = start + widthOf(lines.at(-1) ?? '');
    if (used + gap > room) return [...shown, ' '.repeat(Math.max(0, room)) + text];
    return shown.with(-1, `${shown.at(-1)}${' '.repeat(room - used)}${text}`);
  });
}

export interface TreeLine extends Pick<TreeNode, 'label' | 'isHeading' | 'remark'> {
  /** 0 at the top. */
  depth: number;
  /** What is to be known of it, the most important first. */
  facts: readonly string[];
}

/** The nodes depth first. A stack, because a tree may be deeper than the call stack. */
function nodesOf(root: TreeNode, nowMs: number | undefined): TreeLine[] {
  const lines: TreeLine[] = [];
  const waiting = [{ node: root, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth } = next;
    const { lead, facts = [], at, children = [], ...rest } = node;
    const changed = at === undefined ? [] : [nowMs === undefined ? at : age(at, nowMs)];
    lines.push({ ...rest, depth, facts: [...(lead === undefined ? [] : [lead]), ...facts, ...changed] });
    for (const child of children.toReversed()) waiting.push({ node: child, depth: depth + 1 });
  }
  return lines;
}

/** Terminal columns that a label keeps where facts need the room, and that a fact which is cut is worth. */
const [leastLabel, leastFacts] = [24, 6];
const gap = 2;

const unicodeLines = { on: '│  ', end: '   ', branch: '├─ ', last: '└─ ', more: '…  ', between: ' · ' };
const asciiLines: typeof unicodeLines = {
  ...{ on: '|  ', end: '   ', branch: '|- ', last: '`- ', more: '.. ', between: ', ' },
};
const step = 3;

/**
 * A node a line, tied to the one around it; no line is wider than the window.
 * @param nodes depth first
 */
export function treeLines(nodes: readonly TreeLine[], look: TerminalLook): string[] {
  const signs = look.ascii === true ? asciiLines : unicodeLines;
  const levels = levelsOf(nodes);
  // Further levels than half the window has room for are not drawn.
  const most = Math.max(1, Math.floor(look.columns / 2 / step));
  return nodes.map((node, index) => {
    const all = (levels[index] ?? []).map((goesOn, level, { length }) => {
      if (level === length - 1) return goesOn ? signs.branch : signs.last;
      return goesOn ? signs.on : signs.end;
    });
    const shown = all.length > most ? [signs.more, ...all.slice(all.length - most + 1)] : all;
    return lineOf(node, shown.join(''), signs.between, look);
  });
}

/** Of each node, whether another follows on its level, and on each of those around it but the top. */
function levelsOf(nodes: readonly TreeLine[]): boolean[][] {
  const found: boolean[][] = [];
  const open: boolean[] = [];
  for (const { depth } of nodes.toReversed()) {
    open.length = Math.min(open.length, depth + 1);
    found.push(Array.from({ length: depth }, (_, level) => open[level + 1] === true));
    open[depth] = true;
  }
  return found.reverse();
}

function lineOf(
  { label, facts, isHeading, remark = '' }: TreeLine,
  prefix: string,
  between: string,
  { columns, palette: { strong, quiet, warn } }: TerminalLook,
): string {
  const room = Math.max(1, columns - prefix.length);
  const about = [...facts.map(safeLine), remark].filter((text) => text !== '');
  const wanted = widthOf(about.join(between));
  const least = Math.min(leastLabel, room);
  const title = cut(safeLine(label), wanted === 0 ? room : Math.max(least, room - gap - wanted));
  const head = `${prefix === '' ? '' : quiet(prefix)}${isHeading === true ? strong(title) : title}`;
  const rest = room - gap - widthOf(title);
  const noted = remark !== '' && widthOf(remark) <= rest ? remark : '';
  const behind = fitting(
    facts.map(safeLine),
    between,
    noted === '' ? rest : rest - widthOf(noted) - between.length,
  );
  const shown = [...(behind === '' ? [] : [quiet(behind)]), ...(noted === '' ? [] : [warn(noted)])];
  return shown.length === 0 ? head : `${head}${' '.repeat(gap)}${shown.join(quiet(between))}`;
}

/** As many facts as there is room for; the first one is cut if it must be. */
function fitting(facts: readonly string[], between: string, room: number): string {
  for (let count = facts.length; count > 0; count -= 1) {
    const text = facts.slice(0, count).join(between);
    if (widthOf(text) <= room) return text;
  }
  return room < leastFacts ? '' : cut(facts[0] ?? '', room);
}
