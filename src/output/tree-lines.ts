import type { Io } from '../io.js';
import { type Painter, plain } from './colors.js';
import { safeLine } from './safe-text.js';
import { cut, widthOf } from './text-width.js';

/** A tree with lines between its nodes, for a terminal. */

export interface TreeLine {
  /** 0 at the top. */
  depth: number;
  label: string;
  /** What is to be known of it, the most important first. */
  facts: readonly string[];
  paint?: Painter;
  /** A remark behind the facts. */
  remark?: string;
}

export interface TreeLook {
  columns: number;
  /** Whether the terminal has no characters but ASCII. */
  ascii: boolean;
  /** How facts and the lines of the tree look. */
  quiet: Painter;
  /** How remarks look. */
  warn: Painter;
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
 * The text of a tree, a node a line, each ending with a newline; no line is wider than the window.
 * @param nodes depth first
 */
export function* treeLines(nodes: readonly TreeLine[], look: TreeLook): Generator<string> {
  const signs = look.ascii ? asciiLines : unicodeLines;
  const levels = levelsOf(nodes);
  // Further levels than half the window has room for are not drawn.
  const most = Math.max(1, Math.floor(look.columns / 2 / step));
  for (const [index, node] of nodes.entries()) {
    const all = (levels[index] ?? []).map((goesOn, level, { length }) => {
      if (level === length - 1) return goesOn ? signs.branch : signs.last;
      return goesOn ? signs.on : signs.end;
    });
    const shown = all.length > most ? [signs.more, ...all.slice(all.length - most + 1)] : all;
    yield `${lineOf(node, shown.join(''), signs.between, look)}\n`;
  }
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
  { label, facts, paint = plain, remark = '' }: TreeLine,
  prefix: string,
  between: string,
  { columns, quiet, warn }: TreeLook,
): string {
  const room = Math.max(1, columns - prefix.length);
  const about = [...facts.map(safeLine), remark].filter((text) => text !== '');
  const wanted = widthOf(about.join(between));
  const least = Math.min(leastLabel, room);
  const title = cut(safeLine(label), wanted === 0 ? room : Math.max(least, room - gap - wanted));
  const head = `${prefix === '' ? '' : quiet(prefix)}${paint(title)}`;
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

/**
 * Whether lines must be drawn with ASCII: where the locale names an encoding that is not UTF-8. No locale at all is
 * taken for UTF-8, as in containers.
 */
export function isAsciiOnly({ env, platform }: Pick<Io, 'env' | 'platform'>): boolean {
  if (platform === 'win32') return false;
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find((value) => value !== undefined && value !== '');
  return locale !== undefined && !/utf-?8/i.test(locale);
}
