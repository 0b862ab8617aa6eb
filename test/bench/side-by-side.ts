import { execFileSync } from 'node:child_process';
import { type Bench, isInstalled } from './bench.js';
import { type Run, type Subject, starts } from './processes.js';
import { compare, median } from './result.js';
import { bareLoop, loopOf } from './rows/list-ndjson.js';

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
type Sides<T> = Partial<Record<keyof typeof columns, T>>;

/** What was measured for a line of the table: the runs of each tool, and of an empty Node in turns with them. */
interface Side {
  what: string;
  empty: readonly Run[];
  sides: Sides<readonly Run[]>;
}

/** The tools whose versions are told, and what a reader has to know besides. */
interface Notes {
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

/** One line of the table, as each tool does it; without a subject, a tool cannot, or is not there. */
interface Line {
  what: string;
  sides: Sides<Subject>;
}

const node: Subject = { words: ['-e', '0'] };
const members = 100_000;

/**
 * Does the same with docs on Node, without Node, and with other tools, all in turns with an empty Node.
 * @returns the table, and what the machine lacks for a whole one
 */
export async function sideBySide(bench: Bench): Promise<SideBySide> {
  const tools = { gh: versionOf('gh'), curl: versionOf('curl') };
  const there = (line: Line): Line => ({
    ...line,
    sides: Object.fromEntries(Object.entries(line.sides).filter(([tool]) => isThere(tool, tools, bench))),
  });
  const short = [...starts.map((start) => startOf(bench, start)), await getOf(bench)].map(there);
  const long = [await listOf(bench)].map(there);
  const measured = [...(await runsOf(bench, short, 15)), ...(await runsOf(bench, long, 3))];
  const lacking = Object.entries(tools).filter(([, version]) => version === undefined);
  return sideBySideOf(measured, {
    versions: tools,
    missing: [...bench.missing, ...lacking.map(([tool]) => `${tool} is not installed.`)],
    bareLoop,
  });
}

function isThere(tool: string, tools: Record<string, string | undefined>, { binary }: Bench): boolean {
  return tool === 'binary' ? binary !== undefined : !(tool in tools) || tools[tool] !== undefined;
}

function startOf(bench: Bench, { what, words, code, ...others }: (typeof starts)[number]): Line {
  const curl = 'curl' in others ? { curl: { file: 'curl', ...others.curl } } : {};
  const gh = { file: 'gh', ...others.gh };
  return { what, sides: { ...oursOf(bench, words, { code }), gh, ...curl } };
}

/** docs on Node and without it, the same words. */
function oursOf(bench: Bench, words: readonly string[], rest: Omit<Subject, 'words'>): Sides<Subject> {
  return { docs: bench.docs(words, rest), binary: { file: bench.binary ?? '', words, ...rest } };
}

async function getOf(bench: Bench): Promise<Line> {
  const { url, env } = await bench.platform();
  const address = `${url}/v1/spaces/s1`;
  return {
    what: 'one GET as JSON',
    sides: {
      ...oursOf(bench, ['spaces', 'get', 's1', '--json'], { env }),
      gh: { file: 'gh', words: ['api', address], env: ghEnv },
      curl: { file: 'curl', words: [...curlWords, address] },
      bare: bench.bare('get', [address]),
    },
  };
}

async function listOf(bench: Bench): Promise<Line> {
  const { url, env } = await bench.platform();
  const address = `${url}/v1/orgs/m${members}/members?limit=1000`;
  return {
    what: 'a list of 100,000 as ndjson',
    sides: {
      ...oursOf(bench, ['members', 'list', '-o', 'ndjson'], { env, lines: members }),
      gh: { file: 'gh', words: ['api', '--paginate', '-q', '.items[]', address], env: ghEnv, lines: members },
      // The pages as they come: curl makes no lines of them.
      curl: { file: 'curl', words: [...curlWords, `${address}&page=[0-${members / 1000 - 1}]`] },
      bare: await loopOf(bench),
    },
  };
}

/** It sends this token to a host that is not GitHub's; by an absolute address it reaches the platform by HTTP. */
const ghEnv = { GH_ENTERPRISE_TOKEN: 'bench' };
const curlWords = ['-sS', '-H', 'authorization: Bearer bench'];

/** Everything on the lines in turns. */
async function runsOf(bench: Bench, lines: readonly Line[], runs: number) {
  const subjects = lines.flatMap(({ sides }) => Object.values(sides));
  const [empty = [], ...all] = await bench.inTurns([node, ...subjects], { runs, processor: true });
  return lines.map(({ what, sides }) => {
    const measured = Object.keys(sides).map((tool): [string, Run[]] => [tool, all.shift() ?? []]);
    return { what, empty, sides: Object.fromEntries(measured) as Sides<readonly Run[]> };
  });
}

/** @returns undefined where it is not installed */
function versionOf(tool: string): string | undefined {
  if (!isInstalled(tool)) return undefined;
  return /\d+(?:\.\d+)+/.exec(execFileSync(tool, ['--version'], { encoding: 'utf8' }))?.[0];
}
