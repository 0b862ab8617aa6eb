import { type Bench, type Row, timesOf } from '../bench.js';
import { type Subject, starts } from '../processes.js';
import type { Measured } from '../result.js';

const mostMb = 60;

/** The program without Node against an empty Node, and its longest list against the same on Node. */
export const binary: Row = async (bench) => {
  const { binary: file } = bench;
  if (file === undefined) return [];
  return [...(await short(bench, file)), await list(bench, file)];
};

async function short(bench: Bench, file: string): Promise<Measured[]> {
  const { env } = await bench.platform();
  const get = {
    ...{ what: '`spaces get <id> --json`', words: ['spaces', 'get', 's1', '--json'], code: 0 },
    ...{ most: { binary: 0.8 }, env },
  };
  const cases = [...leastOf(bench), ...starts, get];
  const subjects = cases.map(({ words, code, ...rest }): Subject => {
    return {
      file,
      words,
      code,
      ...('file' in rest && { file: rest.file }),
      ...('env' in rest && { env: rest.env }),
    };
  });
  const [theirs = [], ...ours] = await bench.inTurns([{ words: ['-e', '0'] }, ...subjects], {
    ...{ runs: 25, processor: true },
  });
  const times = cases.map(({ what, most }, index) => ({
    ...{ what: `${what} without Node`, against: '`node -e 0`', goal: { most: most.binary } },
    ...timesOf(ours[index] ?? [], theirs),
  }));
  const memory = (ours.at(-1) ?? []).map(({ memoryMb }) => memoryMb);
  if (memory.some(Number.isNaN)) return times;
  const what = `${get.what} without Node: peak memory`;
  const limit = { ours: memory, theirs: memory.map(() => mostMb) };
  return [...times, { what, against: `${mostMb} MB`, goal: { most: 1 }, unit: 'MB', ...limit }];
}

/** What `--version` cannot be faster than, so that the goal is its own. */
function leastOf({ least }: Bench) {
  const named = [
    { what: 'an empty program', file: least.empty },
    { what: 'a program that writes a line', file: least.line },
  ];
  return named.flatMap(({ what, file }) =>
    file === undefined ? [] : [{ what, file, words: [], code: 0, most: { binary: 0.25 } }],
  );
}

async function list(bench: Bench, file: string): Promise<Measured> {
  const { env } = await bench.platform();
  const words = ['members', 'list', '-o', 'ndjson'];
  const subjects: Subject[] = [
    { file, words, env, lines: 100_000 },
    bench.docs(words, { env, lines: 100_000 }),
  ];
  const [ours = [], theirs = []] = await bench.inTurns(subjects, { runs: 5 });
  const what = '100,000 members as ndjson without Node';
  return { what, against: 'docs on Node', goal: { most: 1 }, ...timesOf(ours, theirs) };
}
