import type { Goal, Result, Unit } from './result.js';

/** Where and when a run was made; no names of hosts or folders. */
export interface Machine {
  cores: number;
  node: string;
  system: string;
  /** Processes that wanted to run, on average over a minute, before the first row and after the last. */
  load: { before: number; after: number };
}

const header = ['What', 'Against', 'Goal', 'Ratio', 'Spread', 'Ours', 'Theirs', 'Peak memory', 'Runs', 'Met'];

/** The table as Markdown. */
export function markdownTable(results: readonly Result[]): string {
  const lines = [header, header.map(() => '---'), ...results.map(cells)];
  return `${lines.map((line) => `| ${line.join(' | ')} |`).join('\n')}\n`;
}

/** The table for a terminal, its columns aligned, without the marks of Markdown. */
export function textTable(results: readonly Result[]): string {
  const lines = [header, ...results.map(cells)].map((line) => line.map((cell) => cell.replaceAll('`', '')));
  const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) => `${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');
}

/** One sentence that says what the table was measured on. */
export function machineText({ cores, node, system, load }: Machine): string {
  const busy = `${load.before.toFixed(1)} before the first row, ${load.after.toFixed(1)} after the last`;
  return `${cores} cores, Node ${node}, ${system}; load ${busy}.`;
}

export function jsonReport(machine: Machine, results: readonly Result[]): string {
  return `${JSON.stringify({ machine, results }, undefined, 2)}\n`;
}

const marks = /^<!-- measured -->\n[\s\S]*?^<!-- end -->$/m;

/**
 * A page with the results of a run between its marks.
 * @throws Error where the page has no marks
 */
export function withResults(page: string, machine: Machine, results: readonly Result[]): string {
  if (!marks.test(page)) throw new Error('The page has no <!-- measured --> … <!-- end -->.');
  const text = `<!-- measured -->\n\n${machineText(machine)}\n\n${markdownTable(results)}\n<!-- end -->`;
  return page.replace(marks, () => text);
}

function cells(result: Result): string[] {
  const { what, against, goal, ratio, spread, ours, theirs, unit, memory, runs, met } = result;
  return [
    ...[what, against, goalText(goal), ratio.toFixed(2), spread.map((each) => each.toFixed(2)).join('–')],
    ...[amount(ours, unit), amount(theirs, unit)],
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
