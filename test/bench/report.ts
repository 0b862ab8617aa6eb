import { type Counted, instructionRows } from './instructions.js';
import type { Goal, Result, Unit } from './result.js';
import type { SideBySide } from './side-by-side.js';

/** Where and when a run was made; no names of hosts or folders. */
export interface Machine {
  cores: number;
  node: string;
  system: string;
  /** Processes that wanted to run, on average over a minute, before the first row and after the last. */
  load: { before: number; after: number };
}

/** Everything that a run measured. */
export interface Report {
  machine: Machine;
  results: readonly Result[];
  sideBySide?: SideBySide;
  instructions?: readonly Counted[];
}

const header = [
  ...['What', 'Against', 'Goal', 'Ratio', 'Spread', 'Processor', 'Ours', 'Theirs', 'Peak memory', 'Runs'],
  'Met',
];

/** The table as Markdown. */
export function markdownTable(results: readonly Result[]): string {
  return markdown([header, ...results.map(cells)]);
}

/** The table for a terminal, its columns aligned, without the marks of Markdown. */
export function textTable(results: readonly Result[]): string {
  return aligned([header, ...results.map(cells)]);
}

/** The tools side by side for a terminal, with the notes. */
export function sideText({ header: names, lines, notes }: SideBySide): string {
  return `${aligned([names, ...lines])}\n${notes.join(' ').replaceAll('`', '')}\n`;
}

/** The table of instructions for a terminal. */
export function instructionsText(counted: readonly Counted[]): string {
  return aligned(instructionRows(counted));
}

function markdown([names = [], ...lines]: readonly (readonly string[])[]): string {
  const all = [names, names.map(() => '---'), ...lines];
  return `${all.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`;
}

function aligned(table: readonly (readonly string[])[]): string {
  const lines = table.map((line) => line.map((cell) => cell.replaceAll('`', '')));
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/** One sentence that says what the table was measured on. */
export function machineText({ cores, node, system, load }: Machine): string {
  const busy = `${load.before.toFixed(1)} before the first row, ${load.after.toFixed(1)} after the last`;
  return `${cores} cores, Node ${node}, ${system}; load ${busy}.`;
}

export function jsonReport(report: Report): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/**
 * A page with the tables of a run between their marks.
 * @throws Error where the page lacks marks
 */
export function withResults(page: string, report: Report): string {
  const { machine, results, sideBySide, instructions } = report;
  const measured = between(page, 'measured', `${machineText(machine)}\n\n${markdownTable(results)}`);
  const counted = instructions
    ? between(measured, 'instructions', markdown(instructionRows(instructions)))
    : measured;
  if (sideBySide === undefined) return counted;
  const { header: names, lines, notes } = sideBySide;
  return between(counted, 'side by side', `${markdown([names, ...lines])}\n${notes.join('\n')}\n`);
}

function between(page: string, name: string, text: string): string {
  const marks = new RegExp(`^<!-- ${name} -->\\n[^]*?^<!-- end -->$`, 'm');
  if (!marks.test(page)) throw new Error(`The page has no <!-- ${name} --> … <!-- end -->.`);
  return page.replace(marks, () => `<!-- ${name} -->\n\n${text}\n<!-- end -->`);
}

function cells(result: Result): string[] {
  const { what, against, goal, ratio, spread, processor, ours, theirs, unit, memory, runs, met } = result;
  return [
    ...[what, against, goalText(goal), ratio.toFixed(2), spread.map((each) => each.toFixed(2)).join('–')],
    ...[processor?.toFixed(2) ?? '', amount(ours, unit), amount(theirs, unit)],
    memory === undefined ? '' : `${amount(memory.ours, 'MB')}, ${amount(memory.theirs, 'MB')}`,
    ...[String(runs), met ? 'yes' : 'no'],
  ];
}

function goalText(goal: Goal): string {
  return 'most' in goal ? `≤ ${goal.most.toFixed(2)}` : `≥ ${goal.least.toFixed(2)}`;
}

function amount(value: number, unit: Unit): string {
  const digits = unit === 'MB' || unit === 'requests' || value >= 1000 ? 0 : 1;
  return `${value.toFixed(digits)} ${unit}`;
}
