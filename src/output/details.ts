import { isJsonObject } from '../api/transport/json-text.js';
import { painted, personal, plainText } from './cells.js';
import { header, type Kind, type ResolvedColumn, sentenceLabel } from './columns.js';
import { valueAt } from './fields.js';
import { stringify } from './json.js';
import { gap, type Screen } from './table.js';
import { link } from './terminal.js';
import { age, isDateTime, safeLine, safeText } from './text.js';
import { cut, widthOf, wrap } from './text-width.js';

type Fields = Record<string, unknown>;

/** A label, how deep it is nested, and its value in as many lines as it needs; none for a heading. */
interface Entry {
  label: string;
  depth: number;
  lines: readonly string[];
  /** An address that fits into the window, but not beside its label. */
  below?: boolean;
}

/** What all parts of one view share. */
interface View {
  screen: Screen;
  /** Columns for labels; 0 where values stand under them, for want of room. */
  labelColumns: number;
  valueColumns: number;
  /** How to show what the columns do not name, by path. */
  kinds: Readonly<Record<string, Kind>>;
  /** Paths that were shown first. */
  shown: ReadonlySet<string>;
}

/** Below this many columns for the values, they stand under their labels instead of beside them. */
const leastValueColumns = 24;
const mostLabelColumns = 28;
const step = 2;
const deepest = 10;

/** One resource in two columns: those given, then the `rest` by path, if any. Values are wrapped, never cut. */
export function details(
  value: unknown,
  columns: readonly ResolvedColumn[],
  rest: Readonly<Record<string, Kind>> | undefined,
  screen: Screen,
): string {
  if (!isFields(value)) return `${safeText(plainText(value))}\n`;
  const view = layOut(value, columns, rest, screen);
  const named = columns.flatMap((column) =>
    entriesOf(sentenceLabel(column.label), valueAt(value, column.path), column.path, column.as, 0, view),
  );
  const others = rest ? restOf(value, '', 0, view) : [];
  return [...named, ...others]
    .flatMap((entry) => drawn(entry, view))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** The widths: as the labels need, up to a point from which on they are cut. */
function layOut(
  value: Fields,
  columns: readonly ResolvedColumn[],
  rest: View['kinds'] | undefined,
  screen: Screen,
): View {
  const shown = new Set(columns.map((column) => column.path));
  const named = columns.map((column) => widthOf(safeLine(sentenceLabel(column.label))));
  const others = rest ? labelWidths(value, '', 0, shown, screen) : [];
  const widest = [...named, ...others].reduce((most, width) => Math.max(most, width), 0);
  const labelColumns = Math.min(widest, mostLabelColumns) + gap;
  const valueColumns = screen.columns - labelColumns;
  const shared = { screen, shown, kinds: rest ?? {} };
  if (valueColumns >= leastValueColumns) return { ...shared, labelColumns, valueColumns };
  return { ...shared, labelColumns: 0, valueColumns: Math.max(screen.columns - step * 3, 1) };
}

/** How far the labels below a prefix reach, their indentation included. */
function labelWidths(
  value: Fields,
  prefix: string,
  depth: number,
  shown: ReadonlySet<string>,
  screen: Screen,
): number[] {
  return Object.entries(value).flatMap(([key, member]) => {
    if (member === undefined || key === 'object' || shown.has(prefix + key)) return [];
    const own = step * depth + Math.min(widthOf(safeLine(labelOf(key))), mostLabelColumns);
    const nested = isFields(member) && depth < deepest && !isFlags(member);
    return nested ? [own, ...labelWidths(member, `${prefix}${key}.`, depth + 1, shown, screen)] : [own];
  });
}

/** Entries for everything below `prefix` that was not shown yet. */
function restOf(value: Fields, prefix: string, depth: number, view: View): Entry[] {
  return Object.entries(value).flatMap(([key, member]) => {
    const path = prefix + key;
    if (member === undefined || key === 'object' || view.shown.has(path)) return [];
    return entriesOf(labelOf(key), member, path, view.kinds[path], depth, view);
  });
}

function entriesOf(
  label: string,
  value: unknown,
  path: string,
  as: Kind | undefined,
  depth: number,
  view: View,
): Entry[] {
  const named = view.screen.names?.get(path)?.(value, true);
  if (named !== undefined) return [scalarEntry(label, named, as, depth, view)];
  if (!isFields(value)) return [scalarEntry(label, value, as, depth, view)];
  if (Object.keys(value).length === 0) return [{ label, depth, lines: [nothing(view)] }];
  if (isFlags(value)) return [{ label, depth, lines: granted(value, view) }];
  const nested = restOf(value, `${path}.`, depth + 1, view);
  return nested.length === 0 ? [] : [{ label, depth, lines: [] }, ...nested];
}

function scalarEntry(label: string, value: unknown, as: Kind | undefined, depth: number, view: View): Entry {
  const entry = { label, depth, lines: linesOf(value, as, view) };
  const { screen, valueColumns, labelColumns } = view;
  const { address, text } = personal(value, as, screen.nowMs);
  if (address === undefined || labelColumns === 0) return entry;
  const width = widthOf(text);
  return { ...entry, below: width > valueColumns && width <= screen.columns - step * (depth + 1) };
}

/** Whether an object holds flags alone, such as permissions. */
function isFlags(value: Fields): boolean {
  return Object.values(value).every((flag) => typeof flag === 'boolean');
}

/** `view, edit; not admin` */
function granted(flags: Fields, view: View): string[] {
  const named = (wanted: boolean) => Object.keys(flags).filter((name) => flags[name] === wanted);
  const [yes, no] = [named(true).join(', '), named(false).join(', ')];
  const text = [yes, no && `not ${no}`].filter(Boolean).join('; ');
  return wrap(safeLine(text), view.valueColumns);
}

function linesOf(value: unknown, as: Kind | undefined, view: View): string[] {
  if (Array.isArray(value) && value.some((element) => isFields(element) || Array.isArray(element))) {
    return value.flatMap((element) => elementLines(element, 0, view));
  }
  const empty = value === undefined || value === '' || (value === null && as !== 'role');
  if (empty || (Array.isArray(value) && value.length === 0)) return [nothing(view)];
  if (as !== 'text' && as !== 'moment' && isDateTime(value)) return moment(value, view);
  return scalarLines(value, as, view);
}

function scalarLines(value: unknown, as: Kind | undefined, view: View): string[] {
  const { screen, valueColumns } = view;
  const cell = personal(value, as, screen.nowMs);
  if (cell.address !== undefined) {
    // Whole, whatever the width: a broken address can neither be clicked nor copied.
    return [screen.links ? link(cell.text, cell.address) : cell.text];
  }
  if (typeof value === 'string' && cell.kind !== 'emoji') {
    const lines = wrap(safeText(value.trimEnd()).replaceAll('\t', '    '), valueColumns);
    return lines.length === 1 ? lines.map((line) => painted(line, cell.kind, screen.paint)) : lines;
  }
  return wrap(cell.text, valueColumns).map((line) => painted(line, cell.kind, screen.paint));
}

/** A date-time: its age, and the time itself, beside it or below where that is too long. */
function moment(value: string, { screen, valueColumns }: View): string[] {
  if (screen.nowMs === undefined) return [value];
  const relative = age(value, screen.nowMs);
  const exact = wrap(safeLine(`(${value})`), valueColumns).map((line) => screen.paint.quiet(line));
  const fits = relative.length + value.length + 3 <= valueColumns;
  return fits ? [[relative, ...exact].join(' ')] : [relative, ...exact];
}

/** An element of an array in one line, and the elements inside it indented below, as in a tree of pages. */
function elementLines(element: unknown, depth: number, view: View): string[] {
  const indent = ' '.repeat(step * Math.min(depth, deepest));
  const room = Math.max(view.valueColumns - indent.length - 2, 1);
  const [first = '', ...more] = wrap(safeLine(summary(element)), room);
  const own = [`${indent}- ${first}`, ...more.map((line) => `${indent}  ${line}`)];
  if (!isFields(element) || titleOf(element) === undefined) return own;
  const inner = Object.values(element).filter(Array.isArray).flat();
  return [...own, ...inner.filter(isFields).flatMap((child) => elementLines(child, depth + 1, view))];
}

/** `Title (id)` where an element has a title, else all of it as JSON. */
function summary(element: unknown): string {
  if (!isFields(element)) return plainText(element);
  const title = titleOf(element);
  if (title === undefined) return stringify(element);
  return typeof element.id === 'string' ? `${title} (${element.id})` : title;
}

function titleOf(element: Fields): string | undefined {
  const { title, displayName, name, label, subject, slug } = element;
  const texts = [title, displayName, name, label, subject, slug].filter((text) => typeof text === 'string');
  return texts.find((text) => text !== '');
}

/**
 * The label beside the first line of its value, or above all of them. Values may have any number of lines, for which
 * cli-table3 would take far too long.
 */
function drawn({ label, depth, lines, below }: Entry, { screen, labelColumns }: View): string[] {
  const indent = ' '.repeat(step * Math.min(depth, deepest));
  const room = labelColumns === 0 ? screen.columns : labelColumns - gap;
  const name = cut(safeLine(label), Math.max(room - indent.length, 4));
  const head = indent + screen.paint.label(name);
  if (lines.length === 0 || labelColumns === 0 || below) {
    const under = indent + ' '.repeat(step);
    return [head, ...lines.map((line) => under + line)];
  }
  const [first = '', ...more] = lines;
  const beside = ' '.repeat(Math.max(room - indent.length - widthOf(name), 0) + gap);
  const under = ' '.repeat(room + gap);
  return [head + beside + first, ...more.map((line) => under + line)];
}

function nothing({ screen }: View): string {
  return screen.paint.quiet('-');
}

function labelOf(key: string): string {
  return sentenceLabel(header(key));
}

function isFields(value: unknown): value is Fields {
  return isJsonObject(value);
}
