import { Chalk } from 'chalk';
import { groupBy } from '../../base/values.js';
import { leastFolded, lookOf } from '../../document/changes.js';
import { hanging, readable, sign, type TerminalLook } from '../../document/lines.js';
import { actionBar, namesText, needsLines } from '../../document/pictures.js';
import { type Painter, plain } from '../../output/colors.js';
import { grouped, safeLine } from '../../output/text.js';
import { cut, widthOf, wrap } from '../../output/text-width.js';
import { sends } from '../operation.js';
import type { Action, Plan, PlanOperation } from '../plan.js';
import { needsOf } from './needs.js';
import {
  type ApprovalsOfPlan,
  approvalsText,
  approvalText,
  byKind,
  type FieldChange,
  fieldChanges,
  isConflict,
  isNumbered,
  listText,
  madeBy,
  meanings,
  nameOf,
  type Remark,
  requestText,
  riskOf,
  type Section,
  sectionsOf,
  summaryOf,
  titleOf,
} from './summary.js';

/** How many items of which the same is said are shown unless all are asked for. */
const mostAlike = 20;

/**
 * A plan as a picture for a terminal: counts, operations by kind, then findings, what is withheld, notes
 * what cannot be undone, and who approved it. Sanitised; ends with a newline.
 */
export function planText(plan: Plan, given: PlanLook): string {
  const look = { ...given, columns: Math.max(40, given.columns) };
  const pen = penOf(look.colour, look.drawn === 'ascii');
  const sent = plan.operations.filter(sends);
  const isDrawn = look.drawn !== undefined && sent.length > 0;
  const blocks = [
    head(plan, look, pen),
    ...(isDrawn
      ? [
          pictureLines(sent, look, pen),
          needsLines(
            needsOf({ operations: plan.operations.filter((one) => sends(one) || isConflict(one)) }),
            terminalLook(look, pen),
          ),
        ]
      : []),
    ...[...byKind(sent)].map(([kind, own]) =>
      group(kind, own, { ...look, isNumbered: isNumbered(sent) }, pen),
    ),
    ...sectionsOf(plan).map((told) => section(told, look, pen)),
    isDrawn ? [] : legend(sent, pen),
    look.approval === undefined ? [] : approvalLines(look.approval, given.columns, pen),
    isDrawn ? headline(plan, look, pen) : [],
  ];
  const filled = blocks.filter((block) => block.length > 0);
  return `${filled.map((block) => block.join('\n')).join('\n\n')}\n`;
}

/** Stands above all and, on a terminal, below it again, where the reader is. */
function headline(plan: Plan, { columns }: PlanLook, pen: Pen): string[] {
  const sum = summaryOf(plan).replace(' · ', pen.sign('·') === '·' ? ' · ' : '; ');
  return wrap(`${titleOf(plan)}: ${sum}`, columns).map((line) => pen.heading(line));
}

/** What is done as a bar; its words explain the characters before the operations. */
function pictureLines(sent: readonly PlanOperation[], look: PlanLook, pen: Pen): string[] {
  const counts = [...groupBy(sent, ({ action }) => action)].map(([action, { length: count }]) => ({
    ...{ action, count, word: meanings[action] },
  }));
  return actionBar(counts, terminalLook(look, pen));
}

function terminalLook({ columns, drawn }: PlanLook, pen: Pen): TerminalLook {
  const palette = {
    good: pen.create,
    bad: pen.delete,
    warn: pen.update,
    strong: pen.heading,
    quiet: pen.quiet,
  };
  return { columns, palette, ascii: drawn === 'ascii' };
}

function head(plan: Plan, { columns, made, ...look }: PlanLook, pen: Pen): string[] {
  const width = Math.min(columns, readable);
  return [
    ...headline(plan, { columns, ...look }, pen),
    ...(made === true ? wrap(madeBy(plan), columns).map((line) => pen.quiet(line)) : []),
    ...plan.risks.flatMap((risk) => riskLines(risk, width).map((line) => pen.warn(line))),
  ];
}

/** A sentence; a command below it, such as the one that restores a space, stays whole on its own line. */
function riskLines(risk: string, width: number): string[] {
  const [sentence = '', ...below] = risk.split('\n');
  return [
    ...hanging('! ', safeLine(sentence), width),
    ...below.filter((line) => line.trim() !== '').map((line) => `      ${safeLine(line.trim())}`),
  ];
}

/** How operations of a kind look. */
type GroupLook = PlanLook & { isNumbered: boolean };

/** The operations of one kind, under its name and the file that they come from. */
function group(kind: string, all: readonly PlanOperation[], look: GroupLook, pen: Pen): string[] {
  const files = [...new Set(all.map((operation) => look.file?.(operation)))];
  const [file] = files;
  const where = files.length === 1 && file !== undefined ? `  ${pen.quiet(safeLine(file))}` : '';
  return [`${pen.heading(safeLine(kind))}${where}`, ...operationLines(all, look, pen)];
}

function more(count: number, pen: Pen): string[] {
  return count <= 0 ? [] : [pen.quiet(`    … and ${grouped(count)} more; --full shows all`)];
}

/** Remarks under their title; what is said of several items is said once. */
function section({ title, remarks }: Section, look: PlanLook, pen: Pen): string[] {
  const groups = groupBy(remarks, ({ message }) => message);
  const lines = [...groups].flatMap(([message, own]) => sameRemarks(message, own, look, pen));
  return [pen.heading(`${title} (${grouped(remarks.length)})`), ...lines];
}

function sameRemarks(message: string, all: readonly Remark[], look: PlanLook, pen: Pen): string[] {
  const [first] = all as readonly [Remark];
  const width = Math.min(look.columns, readable);
  const shown = look.full === true ? all : all.slice(0, mostAlike);
  const lead = `  ${pen[first.action](pen.sign(lookOf(first.action).mark))} `;
  const whole = all.length === 1 ? `${first.item}: ${message}` : message;
  const sentence = whole.replaceAll('→', pen.sign('→'));
  const [start = '', ...rest] = hanging('    ', sentence, width);
  return [
    lead + start.slice(4),
    ...rest,
    ...shown.flatMap(({ item, hint }) => [
      ...(all.length === 1 ? [] : hanging('      ', item, width)),
      ...(hint === undefined
        ? []
        : hanging(`        ${pen.sign('→')} `, hint, width).map((line) => pen.quiet(line))),
    ]),
    ...more(all.length - shown.length, pen),
  ];
}

/** What the symbols mean, of those that are shown. */
function legend(operations: readonly PlanOperation[], pen: Pen): string[] {
  const used = new Set(operations.map(({ action }) => action));
  const told = (Object.keys(meanings) as Action[]).filter((action) => used.has(action));
  const words = told.map((action) => `${pen[action](pen.sign(lookOf(action).mark))} ${meanings[action]}`);
  // One symbol explains itself beside its counts.
  return words.length < 2 ? [] : [words.join('   ')];
}

function approvalLines(all: ApprovalsOfPlan, columns: number, pen: Pen): string[] {
  const width = Math.min(columns, readable);
  const lines = (mark: string, sentence: string) => hanging(`  ${mark} `, safeLine(sentence), width);
  return [
    pen.heading(safeLine(`Approvals: ${approvalsText(all)}`)),
    ...all.given.flatMap((one) => lines(one.holds === false ? '!' : pen.sign('✓'), approvalText(one))),
    ...all.missing.flatMap((one) => lines(pen.sign('→'), one).map((line) => pen.warn(line))),
  ];
}

/** Lines of the operations of one kind: the name, and what changes, beside it where that fits. */

/** Names are padded to the longest of their kind, but for very long ones. */
const widestName = 36;
const widestField = 20;
/** More changes than this have a line each. */
const mostBeside = 3;
const indent = '      ';

/** What stands before every name: two blanks, a symbol, a blank. */
const lead = 4;

/** Operations of one kind, each in a line or more of at most `columns`. */
function operationLines(
  operations: readonly PlanOperation[],
  { columns, isNumbered, ...look }: GroupLook,
  pen: Pen,
): string[] {
  const most = Math.min(widestName, Math.floor(columns / 3));
  const widths = operations.map((operation) => widthOf(nameOf(operation))).filter((width) => width <= most);
  const column = Math.max(0, ...widths);
  const folds = look.drawn !== undefined && look.folds === true && !isNumbered;
  const groups = groupBy(operations, (one) => (folds ? (likeness(one) ?? one.id) : one.id));
  return [...groups.values()].flatMap((own) =>
    own.length >= leastFolded
      ? alikeLines(own, columns, pen)
      : own.flatMap((operation) => [
          ...linesOf(operation, column, columns, pen),
          ...requestLines(requestText(operation, isNumbered), columns, pen),
          ...operationRiskLines(operation, columns, pen),
        ]),
  );
}

/** What equal operations have in common: all but the item at the end of their path. Undefined where one stands alone. */
function likeness(operation: PlanOperation): string | undefined {
  const { action, request, undo } = operation;
  if (request === undefined || undo === 'none' || riskOf(operation) !== undefined) return undefined;
  return JSON.stringify([action, undo, fieldChanges(operation), patternOf(operation)]);
}

/** `PATCH /v1/orgs/o1/members/… {"role":"comment"}` */
function patternOf({ id, request }: PlanOperation): string | undefined {
  if (request === undefined) return undefined;
  return requestText({ id, request: { ...request, path: request.path.replace(/[^/]+$/, '…') } });
}

/** Equal operations: what they change, whose they are, and the request that each of them is. */
function alikeLines(own: readonly PlanOperation[], columns: number, pen: Pen): string[] {
  const [first] = own as readonly [PlanOperation];
  const { action } = first;
  const changes = fieldChanges(first);
  const head = `  ${pen[action](pen.sign(lookOf(action).mark))} ${pen.heading(`${grouped(own.length)} alike`)}`;
  const texts = changes.map((change) => inline(change, pen));
  const width = widthOf(head) + texts.reduce((sum, { plain: text }) => sum + 2 + widthOf(text), 0);
  const names = `${namesText(own.map(nameOf))}; --full shows each`;
  return [
    ...(width <= columns
      ? [[head, ...texts.map(({ painted }) => painted)].join('  ')]
      : [head, ...changes.map((change) => fieldLine(change, widestField, columns, pen))]),
    ...hanging(indent, names, columns),
    ...requestLines(patternOf(first), columns, pen),
  ];
}

function linesOf(operation: PlanOperation, column: number, columns: number, pen: Pen): string[] {
  const { action } = operation;
  const name = cut(nameOf(operation), columns - lead);
  const head = `  ${pen[action](pen.sign(lookOf(action).mark))} ${name}`;
  const changes = fieldChanges(operation);
  const tags = tagsOf(operation, pen);
  const room = columns - lead - Math.max(column, widthOf(name)) - 2;
  const beside = [...changes.map((change) => inline(change, pen)), ...tags];
  const text = beside.map(({ painted }) => painted).join('  ');
  const width = beside.reduce((sum, { plain }) => sum + widthOf(plain), 2 * (beside.length - 1));
  const pad = ' '.repeat(Math.max(0, column - widthOf(name)) + 2);
  if (beside.length === 0) return [head];
  if (width <= room && changes.length <= mostBeside) return [`${head}${pad}${text}`];
  const after = tags.map(({ painted }) => painted).join('  ');
  const longest = Math.min(widestField, Math.max(...changes.map((change) => widthOf(change.name))));
  return [
    tags.length === 0 ? head : `${head}${pad}${after}`,
    ...changes.map((change) => fieldLine(change, longest, columns, pen)),
  ];
}

/** What is sent, beside what is said of it, and never cut. */
function requestLines(text: string | undefined, columns: number, pen: Pen): string[] {
  return text === undefined ? [] : hanging(indent, safeLine(text), columns).map((line) => pen.quiet(line));
}

/** Where to look twice. */
function operationRiskLines(operation: PlanOperation, columns: number, pen: Pen): string[] {
  const risk = riskOf(operation);
  if (risk === undefined) return [];
  return hanging('    ! ', safeLine(risk), Math.min(columns, readable)).map((line) => pen.warn(line));
}

/** A text, and how it looks. */
interface Painted {
  plain: string;
  painted: string;
}

/** What is said about an operation beside its fields. */
function tagsOf({ action, undo, request }: PlanOperation, pen: Pen): Painted[] {
  const tag = (text: string, paint: (text: string) => string) => ({ plain: text, painted: paint(text) });
  return [
    ...(action === 'drift' ? [tag('(changed by hand)', pen.drift)] : []),
    ...(request !== undefined && undo === 'none' ? [tag('(cannot be undone)', pen.delete)] : []),
  ];
}

/** `role: read → admin`. */
function inline(change: FieldChange, pen: Pen): Painted {
  const { before = '', after = '' } = change;
  const name = `${change.name}: `;
  if (change.added !== undefined)
    return { plain: name + listText(change), painted: name + lists(change, pen) };
  if (change.before === undefined) return { plain: name + after, painted: name + pen.after(after) };
  if (change.after === undefined) return { plain: name + before, painted: pen.quiet(name + before) };
  return {
    plain: `${name}${before} ${pen.sign('→')} ${after}`,
    painted: `${name}${pen.before(before)} ${pen.quiet(pen.sign('→'))} ${pen.after(after)}`,
  };
}

function lists({ added = [], removed = [] }: FieldChange, pen: Pen): string {
  const gained = added.map((text) => pen.after(`+${text}`));
  return [...gained, ...removed.map((text) => pen.before(`-${text}`))].join(' ');
}

/** A field in a line of its own; what does not fit is cut where the two values are the same. */
function fieldLine(change: FieldChange, longest: number, columns: number, pen: Pen): string {
  const label = cut(change.name, Math.max(longest, 8));
  const start = `${indent}${label}${' '.repeat(Math.max(0, longest - widthOf(label)))}  `;
  const room = Math.max(12, columns - widthOf(start));
  const { before, after } = change;
  if (change.added !== undefined) {
    const text = listText(change);
    return start + (widthOf(text) <= room ? lists(change, pen) : cut(text, room));
  }
  if (before === undefined) return start + pen.after(cut(after ?? '', room));
  if (after === undefined) return start + pen.quiet(cut(before, room));
  const [old, now] = fitted(before, after, room - 2 - pen.sign('→').length);
  return `${start}${pen.before(old)} ${pen.quiet(pen.sign('→'))} ${pen.after(now)}`;
}

/** Characters kept of a beginning that both values share. */
const context = 8;

/** Two values in `room` columns together: without what both begin with, then cut, the shorter one last. */
function fitted(before: string, after: string, room: number): [string, string] {
  if (widthOf(before) + widthOf(after) <= room) return [before, after];
  const shared = wholeUpTo(before, sharedBeginning(before, after) - context);
  const [old, now] =
    shared > context ? [`…${before.slice(shared)}`, `…${after.slice(shared)}`] : [before, after];
  const half = Math.floor(room / 2);
  const [oldWidth, nowWidth] = [widthOf(old), widthOf(now)];
  const oldRoom = nowWidth < half ? room - nowWidth : Math.min(half, oldWidth);
  return [cut(old, oldRoom), cut(now, room - Math.min(oldRoom, oldWidth))];
}

/** In code units. */
function sharedBeginning(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

/** A place in a text that is not between the halves of a character. */
function wholeUpTo(text: string, at: number): number {
  return /[\ud800-\udbff]/.test(text[at - 1] ?? '') ? at - 1 : at;
}

/** How a plan looks on a terminal. */

export interface PlanLook {
  /** Width of the window, in columns. */
  columns: number;
  colour: boolean;
  /** Whether every finding and note is shown; otherwise the first 20 that say the same. */
  full?: boolean;
  /** Whether a person sees it: with a bar, what to look at first, and the sum again at the end. */
  drawn?: 'unicode' | 'ascii' | undefined;
  /** Whether equal operations are one where a person sees them; `--full` shows each. */
  folds?: boolean;
  /** Whether to say who made the plan, when and how: for plans that are read from a file. */
  made?: boolean;
  /** Who approved it, where that matters. */
  approval?: ApprovalsOfPlan;
  /** The file that an operation comes from, where there is one: `teams.yaml`. */
  file?(operation: PlanOperation): string | undefined;
}

/** Colours by meaning; where colour is off, each gives its text back. */
interface Pen extends Readonly<Record<Action, Painter>> {
  heading: Painter;
  quiet: Painter;
  warn: Painter;
  before: Painter;
  after: Painter;
  /** A sign of ours, as far as the terminal has it. */
  sign: Painter;
}

/** @param colour whether to colour at all @param ascii whether the terminal has nothing but ASCII */
function penOf(colour: boolean, ascii: boolean): Pen {
  const { bold, dim, red, green, yellow, cyan, magenta } = new Chalk({ level: colour ? 1 : 0 });
  const all = { heading: bold, quiet: dim, warn: yellow, before: red, after: green };
  const byAction = { create: green, update: yellow, move: cyan, link: cyan, delete: red, drift: magenta };
  const signs = { sign: (of: string) => sign(of, { ascii }) };
  const pen: Pen = { ...all, ...byAction, ...signs, verify: cyan, withheld: dim, finding: yellow };
  if (colour) return pen;
  const names = Object.keys(pen) as (keyof Pen)[];
  return Object.assign({}, ...names.map((name) => ({ [name]: plain })), signs) as Pen;
}
