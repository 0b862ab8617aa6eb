import type { Run } from './processes.js';
import { compare, median } from './statistics.js';

/** The columns of the table, in their order. */
const columns = {
  docs: 'docs on Node',
  binary: 'docs without Node',
  gh: 'gh',
  curl: 'curl',
  bare: 'a bare Node script',
};

const nothing = '–';

/** Something for each tool that has it. */
export type Sides<T> = Partial<Record<keyof typeof columns, T>>;

/** What was measured for a line of the table: the runs of each tool, and of an empty Node in turns with them. */
export interface Side {
  what: string;
  empty: readonly Run[];
  sides: Sides<readonly Run[]>;
}

/** The tools whose versions are told, and what a reader has to know besides. */
export interface Notes {
  versions: Readonly<Record<string, string | undefined>>;
  missing: readonly string[];
  bareLoop: string;
}

export interface SideBySide {
  header: readonly string[];
  lines: readonly (readonly string[])[];
  /** Sentences below the table. */
  notes: readonly string[];
}

/**
 * The table of tools side by side, as multiples of an empty Node; its last line is the peak memory at the GET.
 * A tool that has nothing on any line has no column.
 */
export function sideBySideOf(measured: readonly Side[], { versions, missing, bareLoop }: Notes): SideBySide {
  const tools = (Object.keys(columns) as (keyof typeof columns)[]).filter((tool) =>
    measured.some(({ sides }) => sides[tool] !== undefined),
  );
  const name = (tool: keyof typeof columns) =>
    `${columns[tool]}${versions[tool] ? ` ${versions[tool]}` : ''}`;
  const lines = measured.map(({ what, empty, sides }) => [
    what,
    ...tools.map((tool) => timesCell(sides[tool], empty)),
  ]);
  const get = measured.find(({ what }) => what.includes('GET'));
  const empty = memoryCell(get?.empty);
  const memory = ['peak memory at a GET', ...tools.map((tool) => memoryCell(get?.sides[tool]))];
  const counts = measured.map((line) => line.empty.length);
  const runs = `Medians of ${[...new Set(counts)].join(' or ')} runs in turns.`;
  const hasMemory = empty !== nothing;
  return {
    header: ['× `node -e 0`: wall, processor', ...tools.map(name)],
    lines: [...lines, ...(hasMemory ? [memory] : [])],
    notes: [
      runs,
      ...(hasMemory ? [`An empty Node takes ${empty}.`] : []),
      `The bare list is ${bareLoop}.`,
      ...missing,
    ],
  };
}

/** Wall and processor time, or wall alone where the other was not measured. */
function timesCell(runs: readonly Run[] | undefined, empty: readonly Run[]): string {
  if (runs === undefined) return nothing;
  const ratio = (key: 'ms' | 'processorMs') =>
    compare(
      runs.map((run) => run[key]),
      empty.map((run) => run[key]),
    ).ratio.toFixed(2);
  return runs.some(({ processorMs }) => Number.isNaN(processorMs))
    ? ratio('ms')
    : `${ratio('ms')}, ${ratio('processorMs')}`;
}

function memoryCell(runs: readonly Run[] | undefined): string {
  const memory = runs?.map(({ memoryMb }) => memoryMb) ?? [];
  if (memory.length === 0 || memory.some(Number.isNaN)) return nothing;
  return `${median(memory).toFixed(0)} MB`;
}
