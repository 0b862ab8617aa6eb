import { execFileSync } from 'node:child_process';
import { type Bench, isInstalled } from './bench.js';
import type { Run, Subject } from './processes.js';
import { bareLoop, loopOf } from './rows/list-ndjson.js';
import { type SideBySide, type Sides, sideBySideOf } from './side-table.js';
import { starts } from './starts.js';

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
