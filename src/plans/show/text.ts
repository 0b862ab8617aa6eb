import { hanging, readable } from '../../document/terminal.js';
import { grouped } from '../../output/counted.js';
import { safeLine } from '../../output/safe-text.js';
import { wrap } from '../../output/text-width.js';
import type { Action, Plan, PlanOperation } from '../plan.js';
import { type Pen, type PlanLook, penOf } from './look.js';
import { operationLines } from './operation-lines.js';
import {
  byKind,
  groupsOf,
  madeBy,
  type Remark,
  type Section,
  sectionsOf,
  sends,
  summaryOf,
  symbols,
  titleOf,
} from './summary.js';

/** How many items of which the same is said are shown unless all are asked for. */
const mostAlike = 20;

/**
 * A plan as a picture for a terminal: counts, operations by kind, then findings, what is withheld, notes
 * and what cannot be undone. Sanitised; ends with a newline.
 */
export function planText(plan: Plan, given: PlanLook): string {
  const look = { ...given, columns: Math.max(40, given.columns) };
  const pen = penOf(look.colour);
  const sent = plan.operations.filter(sends);
  const blocks = [
    head(plan, look, pen),
    ...[...byKind(sent)].map(([kind, own]) => group(kind, own, look, pen)),
    ...sectionsOf(plan).map((told) => section(told, look, pen)),
    legend(sent, pen),
  ];
  const filled = blocks.filter((block) => block.length > 0);
  return `${filled.map((block) => block.join('\n')).join('\n\n')}\n`;
}

function head(plan: Plan, { columns, made }: PlanLook, pen: Pen): string[] {
  const width = Math.min(columns, readable);
  return [
    ...wrap(`${titleOf(plan)}: ${summaryOf(plan)}`, columns).map((line) => pen.heading(line)),
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

/** The operations of one kind, under its name and the file that they come from. */
function group(kind: string, all: readonly PlanOperation[], look: PlanLook, pen: Pen): string[] {
  const files = [...new Set(all.map((operation) => look.file?.(operation)))];
  const [file] = files;
  const where = files.length === 1 && file !== undefined ? `  ${pen.quiet(safeLine(file))}` : '';
  return [`${pen.heading(safeLine(kind))}${where}`, ...operationLines(all, look.columns, pen)];
}

function more(count: number, pen: Pen): string[] {
  return count <= 0 ? [] : [pen.quiet(`    … and ${grouped(count)} more; --full shows all`)];
}

/** Remarks under their title; what is said of several items is said once. */
function section({ title, remarks }: Section, look: PlanLook, pen: Pen): string[] {
  const groups = groupsOf(remarks, ({ message }) => message);
  const lines = [...groups].flatMap(([message, own]) => sameRemarks(message, own, look, pen));
  return [pen.heading(`${title} (${grouped(remarks.length)})`), ...lines];
}

function sameRemarks(message: string, all: readonly Remark[], look: PlanLook, pen: Pen): string[] {
  const [first] = all as readonly [Remark];
  const width = Math.min(look.columns, readable);
  const shown = look.full === true ? all : all.slice(0, mostAlike);
  const lead = `  ${pen[first.action](symbols[first.action].symbol)} `;
  const sentence = all.length === 1 ? `${first.item}: ${message}` : message;
  const [start = '', ...rest] = hanging('    ', sentence, width);
  return [
    lead + start.slice(4),
    ...rest,
    ...shown.flatMap(({ item, hint }) => [
      ...(all.length === 1 ? [] : hanging('      ', item, width)),
      ...(hint === undefined ? [] : hanging('        → ', hint, width).map((line) => pen.quiet(line))),
    ]),
    ...more(all.length - shown.length, pen),
  ];
}

/** What the symbols mean, of those that are shown. */
function legend(operations: readonly PlanOperation[], pen: Pen): string[] {
  const used = new Set(operations.map(({ action }) => action));
  const told = (Object.keys(symbols) as Action[]).filter((action) => used.has(action));
  const words = told.map((action) => `${pen[action](symbols[action].symbol)} ${symbols[action].means}`);
  // One symbol explains itself beside its counts.
  return words.length < 2 ? [] : [words.join('   ')];
}
