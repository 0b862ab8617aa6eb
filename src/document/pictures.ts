import { groupBy } from '../base/values.js';
import { type Painter, type Palette, plain } from '../output/colors.js';
import { grouped, safeLine } from '../output/text.js';
import { cut, widthOf, wrap } from '../output/text-width.js';
import { actionCounts, foldsOf, lookOf, namesOf } from './changes.js';
import {
  type BarPart,
  type ChangedItem,
  type ChangesPart,
  cellText,
  type HeatPart,
  inOrder,
  type LadderPart,
  mostNeeds,
  type Need,
  type Severity,
  severityWords,
  type TilesPart,
} from './document.js';
import { Grid, type GridLine } from './grid.js';
import { hanging, readable, sign, type TerminalLook, widest } from './lines.js';

/** The pictures of a document on a terminal. Colour says nothing alone: each has its mark, its word or its number. */

const severityMarks = { irreversible: '✗', widening: '▲', attention: '!' } as const;

function severityPaint(severity: Severity, { bad, warn }: Palette): Painter {
  return severity === 'irreversible' ? bad : warn;
}

/** A line each, the gravest first, with the command that helps beside it, or below where there is no room. */
export function needsLines(needs: readonly Need[], look: TerminalLook): string[] {
  const { palette } = look;
  const shown = inOrder(needs).slice(0, mostNeeds);
  const more = needs.length - shown.length;
  return [
    ...shown.flatMap((need) => needLines(need, look)),
    ...(more > 0 ? [palette.quiet(`  and ${grouped(more)} more`)] : []),
  ];
}

function needLines({ severity, text, command }: Need, look: TerminalLook): string[] {
  const { columns, palette } = look;
  const word = severity === 'attention' ? '' : `${severityWords[severity]}: `;
  const paint = severityPaint(severity, palette);
  const lead = `${sign(severityMarks[severity], look)} `;
  const whole = word + safeLine(text);
  const lines = hanging(lead, whole, Math.min(columns, readable), { mark: paint }).map((line, at) =>
    at === 0 ? line.replace(word, paint(word)) : line,
  );
  if (command === undefined) return lines;
  const typed = safeLine(command);
  const room = columns - widthOf(lead) - widthOf(whole) - widthOf(typed);
  return lines.length === 1 && room >= 2
    ? [`${lines[0]}${' '.repeat(Math.min(room, 4))}${palette.quiet(typed)}`]
    : [...lines, `    ${palette.quiet(typed)}`];
}

/** Numbers beside each other, each above what it counts; in as many rows as they need. */
export function tilesLines({ tiles, leads }: TilesPart, { columns, ...look }: TerminalLook): string[] {
  const { palette } = look;
  const arrow = leads ? ` ${sign('→', look)} ` : '   ';
  const safe = tiles.map(({ label, value, tone }) => ({
    ...{ value: cut(safeLine(value), columns), label: cut(safeLine(label), columns) },
    paint: tone === undefined ? palette.strong : palette[tone],
  }));
  const rows = evenRows(safe, (row) => {
    const widths = row.map(({ value, label }) => Math.max(widthOf(value), widthOf(label)));
    return widths.reduce((sum, width) => sum + width + widthOf(arrow), 0) - widthOf(arrow) <= columns;
  });
  return rows.flatMap((row, at) => {
    const widths = row.map(({ value, label }) => Math.max(widthOf(value), widthOf(label)));
    const pad = (text: string, index: number) => ' '.repeat((widths[index] ?? 0) - widthOf(text));
    const isLast = at === rows.length - 1;
    const values = row.map(({ value, paint }, index) => paint(value) + pad(value, index)).join(arrow);
    const labels = row.map(({ label }, index) => palette.quiet(label) + pad(label, index));
    return [
      leads && !isLast ? values + arrow.trimEnd() : values.trimEnd(),
      labels.join(' '.repeat(widthOf(arrow))).trimEnd(),
    ];
  });
}

/** As few rows as fit, with as many in each; one a row where nothing fits. */
function evenRows<T>(all: readonly T[], fits: (row: readonly T[]) => boolean): T[][] {
  for (let count = 1; count < all.length; count += 1) {
    const each = Math.ceil(all.length / count);
    const rows = Array.from({ length: Math.ceil(all.length / each) }, (_, at) =>
      all.slice(at * each, (at + 1) * each),
    );
    if (rows.every(fits)) return rows;
  }
  return all.map((one) => [one]);
}

/** Columns of the longest bar. */
const longestBar = 40;

/** A bar for each share, with its number: the longest is the greatest. */
export function barLines({ title, segments }: BarPart, look: TerminalLook): string[] {
  const { columns, palette } = look;
  const shown = segments.filter(({ count }) => count > 0);
  const labels = widest(shown.map(({ label }) => safeLine(label)));
  const counts = widest(shown.map(({ count }) => grouped(count)));
  const room = Math.max(4, Math.min(longestBar, columns - labels - counts - 6));
  const greatest = Math.max(...shown.map(({ count }) => count));
  const lines = shown.map(({ label, count }) => {
    const name = safeLine(label);
    const length = Math.max(1, Math.round((count / greatest) * room));
    const lead = `  ${name}${' '.repeat(labels - widthOf(name))}  ${grouped(count).padStart(counts)}  `;
    return lead + palette.quiet(sign('█', look).repeat(length));
  });
  return [palette.strong(safeLine(title)), ...lines];
}

/** Two pictures beside each other. @param width of the first one */
export function beside(one: readonly string[], other: readonly string[], width: number): string[] {
  const rows = Math.max(one.length, other.length);
  return Array.from({ length: rows }, (_, at) => {
    const left = one[at] ?? '';
    return `${left}${' '.repeat(Math.max(0, width - widthOf(left)))}${other[at] ?? ''}`.trimEnd();
  });
}

/** How many of the same are named where they are one line. */
const mostNamed = 4;

/** `Ada, Bob and 7 more`. */
export function namesText(names: readonly string[], most = mostNamed): string {
  const shown = names.slice(0, most).map((name) => cut(safeLine(name), 40));
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${grouped(more)} more` : ''}`;
}

function paintOf(action: string, palette: Palette): Painter {
  return { add: palette.good, del: palette.bad, mod: palette.warn }[lookOf(action).tone];
}

/** What is done, as a bar of the marks themselves: `++~~~~~~~~  +2 create  ~8 change`. */
export function actionBar(
  counts: readonly { action: string; count: number; word?: string }[],
  look: TerminalLook,
): string[] {
  const { columns, palette } = look;
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return [];
  const room = Math.min(longestBar, columns, all);
  const pieces = counts.map(({ action, count }) =>
    paintOf(
      action,
      palette,
    )(sign(lookOf(action).mark, look).repeat(Math.max(1, Math.round((count / all) * room)))),
  );
  const words = counts.map(({ action, count, word = action }) => {
    const text = `${sign(lookOf(action).mark, look)}${grouped(count)} ${word}`;
    return paintOf(action, palette)(text);
  });
  const [bar, legend] = [pieces.join(''), words.join('  ')];
  return widthOf(bar) + widthOf(legend) + 2 <= columns ? [`${bar}  ${legend}`] : [bar, legend];
}

/** Kinds with their changes, a line each as `git diff --stat` has them; equal ones are one, what is lost comes first. */
export function changesLines({ items, empty }: ChangesPart, look: TerminalLook): string[] {
  const { palette } = look;
  if (items.length === 0) return [palette.quiet(safeLine(empty))];
  const kinds = [...groupBy(items, ({ as }) => as)].flatMap(([kind, own]) => {
    const folds = foldsOf(own);
    const most = Math.max(12, Math.floor(look.columns / 2));
    const names = folds.map((fold) => nameOf(fold, most));
    const width = widest(names);
    return [
      '',
      `${palette.strong(safeLine(kind))} ${palette.quiet(`(${grouped(own.length)})`)}`,
      ...folds.flatMap((fold, at) =>
        foldLines(
          fold,
          (names[at] ?? '').padEnd(width - widthOf(names[at] ?? '') + (names[at] ?? '').length),
          look,
        ),
      ),
    ];
  });
  return [...actionBar(actionCounts(items), look), ...kinds];
}

function nameOf([first, ...more]: readonly ChangedItem[], most: number): string {
  if (more.length > 0) return `${grouped(more.length + 1)} alike`;
  const place = first?.place === undefined ? '' : `${safeLine(first.place)}/`;
  return cut(`${place}${safeLine(first?.title ?? '')}`, most);
}

function foldLines(fold: readonly ChangedItem[], name: string, look: TerminalLook): string[] {
  const [first] = fold;
  if (first === undefined) return [];
  const { columns, palette } = look;
  const { action, severity, fields } = first;
  const lead = `  ${paintOf(action, palette)(sign(lookOf(action).mark, look))} ${name} | `;
  const room = Math.max(8, columns - widthOf(lead));
  const words =
    severity === undefined ? [] : [severityPaint(severity, palette)(cut(severityWords[severity], room))];
  const text = fields.length === 0 ? '' : fieldsText(fields, room, look);
  const shown = [...words, ...(text === '' ? [] : [text])];
  const line = shown.length === 0 ? lead.slice(0, -3).trimEnd() : lead + shown.join('  ');
  const named = namesText(namesOf(fold));
  return fold.length === 1 ? [line] : [line, ...hanging('      ', named, columns, { paint: palette.quiet })];
}

/** Longer values are counted in lines. */
const longestValue = 60;
const mostMarks = 20;

/** Short values as they were and are, longer ones as `12 ++--`: lines that are added and removed. */
function fieldsText(fields: ChangedItem['fields'], room: number, look: TerminalLook): string {
  const { palette } = look;
  const arrow = sign('→', look);
  const isLong = ({ before, after }: ChangedItem['fields'][number]) =>
    [before, after].some((cell) => Array.isArray(cell) || cellText(cell).length > longestValue);
  const short = fields
    .filter((field) => !isLong(field))
    .map(({ name, before, after }) => {
      const [old, now] = [before, after].map((cell) => (cell === null ? 'none' : safeLine(cellText(cell))));
      return `${shortName(safeLine(name), room)}: ${old} ${arrow} ${now}`;
    });
  const long = fields.filter(isLong);
  if (long.length === 0) return cut(short.join('  '), room);
  const lines = (cell: ChangedItem['fields'][number]['before']) =>
    cell === null ? [] : typeof cell === 'object' ? cell : cellText(cell).split('\n');
  const size = { added: 0, removed: 0 };
  for (const { before, after } of long) {
    const [old, now] = [new Set(lines(before)), new Set(lines(after))];
    size.added += [...now].filter((line) => !old.has(line)).length;
    size.removed += [...old].filter((line) => !now.has(line)).length;
  }
  const head = `${grouped(size.added + size.removed)} `;
  const marks = marksOf(size, Math.max(2, Math.min(mostMarks, room - head.length)));
  const bar = head + palette.good('+'.repeat(marks.added)) + palette.bad('-'.repeat(marks.removed));
  const rest = cut([...long.map(({ name }) => safeLine(name)), ...short].join('  '), room - widthOf(bar) - 2);
  return rest.length > 1 ? `${bar}  ${palette.quiet(rest)}` : bar;
}

/** Of the name of a field deep inside the end says most. */
function shortName(name: string, room: number): string {
  const most = Math.max(12, Math.floor(room / 3));
  return widthOf(name) <= most ? name : `…${[...name].slice(1 - most).join('')}`;
}

/** Up to so many marks; more share them by their number, each kind with at least one. */
export function marksOf(
  { added, removed }: { added: number; removed: number },
  most: number,
): { added: number; removed: number } {
  const all = added + removed;
  if (all <= most) return { added, removed };
  const plus = Math.round((added / all) * most);
  const fitting = Math.min(most - (removed > 0 ? 1 : 0), Math.max(plus, added > 0 ? 1 : 0));
  return { added: fitting, removed: most - fitting };
}

/** A column of a grid is never wider. */
const widestColumn = 20;

/** People by spaces, folded; in as many blocks as the window needs. A bracket is what the outline is on a page. */
export function heatLines(part: HeatPart, look: TerminalLook): string[] {
  const { columns, palette } = look;
  if (part.rows.length === 0 || part.columns.length === 0)
    return [palette.quiet('There is nothing to compare.')];
  const grid = new Grid(part);
  const lines = [...grid.apart, ...grid.groups];
  const names = Math.min(Math.max(16, Math.floor(columns / 3)), widest(lines.map(headText)));
  const texts = lines.flatMap((line) => grid.columns.map((column) => cellOf(grid, line, column, look).text));
  const blocks = evenRows(grid.columns, (row) => names + 2 + row.length * (widest(texts) + 2) <= columns);
  return blocks.flatMap((shown, at) => {
    const width = Math.min(widestColumn, Math.floor((columns - names - 2) / shown.length));
    const row = (line: GridLine) => {
      const name = cut(headText(line), names);
      const cells = shown.map((column) => {
        const { text, paint } = cellOf(grid, line, column, look);
        const own = cut(text, width - 1);
        return paint(own) + ' '.repeat(width - widthOf(own));
      });
      return `${name}${' '.repeat(names - widthOf(name))}  ${cells.join('')}`.trimEnd();
    };
    const group = (title: string, of: readonly GridLine[]) =>
      of.length === 0 ? [] : [palette.quiet(title), ...of.map(row)];
    return [
      ...(at === 0 ? [] : ['']),
      ...headLines(shown, width, look).map((line) => ' '.repeat(names + 2) + line),
      ...group('Unlike all others: a grant gives the [role]', grid.apart),
      ...group(restTitle(grid), grid.groups),
    ];
  });
}

/** What stands above those whom groups explain. */
export function restTitle({ apart, isMixed }: Grid): string {
  const rest = apart.length > 0 ? 'Everyone else' : 'Everyone';
  return isMixed ? `${rest}, by group: mixed cells differ` : rest;
}

function headText({ title, detail }: GridLine): string {
  return safeLine(detail === '' ? title : `${title} ${detail}`);
}

/** Lines of a title, and of what is below it. */
const [mostTitle, mostDetail] = [3, 2];

/** Heads in lines that end beside each other; a word is cut, not broken. */
function headLines(columns: readonly GridLine[], width: number, { palette }: TerminalLook): string[] {
  const lines = (text: string, most: number, paint: Painter) => {
    const words = safeLine(text).replaceAll(/…,? …/g, '…').split(' ');
    const all = wrap(
      words
        .map((word) => cut(word, width - 1))
        .join(' ')
        .replaceAll('……', '…'),
      width - 1,
    );
    const shown =
      all.length > most ? [...all.slice(0, most - 1), cut(all.slice(most - 1).join(' '), width - 1)] : all;
    return shown.map((line) => paint(line) + ' '.repeat(width - widthOf(line)));
  };
  const heads = columns.map(({ title, detail }) => [
    ...lines(title, mostTitle, palette.strong),
    ...(detail === '' ? [] : lines(detail, mostDetail, palette.quiet)),
  ]);
  const height = Math.max(...heads.map(({ length }) => length));
  return Array.from({ length: height }, (_, at) =>
    heads
      .map((own) => own[at - height + own.length] ?? ' '.repeat(width))
      .join('')
      .trimEnd(),
  );
}

function cellOf(grid: Grid, line: GridLine, column: GridLine, look: TerminalLook) {
  const { bad, warn, quiet } = look.palette;
  const names = grid.part.levels;
  const { levels, isApart } = grid.cell(line, column);
  const [level = 0] = levels;
  const isMixed = levels.length > 1;
  const name = isMixed ? 'mixed' : level === 0 ? sign('–', look) : (names[level] ?? '');
  const paint = isApart ? bad : level === 0 ? quiet : !isMixed && level === names.length - 1 ? warn : plain;
  return { text: isApart ? `[${name}]` : name, paint };
}

/** Columns that a reason needs beside its step; with fewer it goes below. */
const leastWhy = 24;

/** Steps from above, with an arrow at the one that counts, and what comes of them at the end. */
export function ladderLines({ steps, verdict }: LadderPart, look: TerminalLook): string[] {
  const { columns, palette } = look;
  const values = widest(steps.map(({ value }) => safeLine(value)));
  const most = Math.min(32, Math.max(8, columns - values - 8));
  const names = Math.min(most, widest(steps.map(({ name }) => safeLine(name))));
  const [on, last] = [sign('│', look), sign('└', look)];
  const lines = steps.flatMap(({ name, value, why, decides }) => {
    const arrow = sign('→', look);
    const mark = decides ? arrow : ' '.repeat(arrow.length);
    const shown = cut(safeLine(name), names);
    const lead = `${on} ${mark} ${shown}${' '.repeat(names - widthOf(shown))}  ${safeLine(value).padEnd(values)}  `;
    const isBeside = columns - widthOf(lead) >= leastWhy;
    const [first = '', ...more] = isBeside
      ? hanging(lead, safeLine(why), columns)
      : [lead.trimEnd(), ...hanging(`${on}     `, safeLine(why), columns)];
    return [decides ? palette.strong(first) : first, ...more.map((line) => on + line.slice(1))];
  });
  return [
    ...lines,
    ...hanging(`${last} `, safeLine(verdict), Math.min(columns, readable), { paint: palette.strong }),
  ];
}
