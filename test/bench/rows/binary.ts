import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Bench, Row } from '../bench.js';
import { timesOf } from '../bench.js';
import type { Subject } from '../processes.js';

/** What `npm run build:binary` makes; without it nothing is measured. */
const file = resolve('build', `docs-${process.platform}-${process.arch}`);

/** The program without Node against an empty Node, and its longest list against the same on Node. */
export const binary: Row = async (bench) => {
  if (!existsSync(file)) return [];
  return [...(await starts(bench)), ...(await list(bench))];
};

const title = (words: string) => `\`docs ${words}\` without Node`;

async function starts(bench: Bench) {
  const { env } = await bench.platform();
  const cases = [
    { what: title('--version'), words: ['--version'], most: 0.25 },
    { what: 'completion without Node', words: ['__complete', 'spaces', ''], most: 0.45 },
    { what: title('--help'), words: ['--help'], most: 0.5 },
    { what: title('spaces --help'), words: ['spaces', '--help'], most: 0.5 },
    {
      what: 'a usage error without Node',
      words: ['spaces', 'get', 's1', '--titel', 'x'],
      code: 2,
      most: 0.55,
    },
    { what: title('spaces get <id> --json'), words: ['spaces', 'get', 's1', '--json'], env, most: 0.8 },
  ];
  const subjects = cases.map(({ what: _, most: __, ...subject }): Subject => ({ file, ...subject }));
  const [theirs = [], ...ours] = await bench.inTurns([{ words: ['-e', '0'] }, ...subjects], { runs: 25 });
  return cases.map(({ what, most }, index) => ({
    ...{ what, against: '`node -e 0`', goal: { most } },
    ...timesOf(ours[index] ?? [], theirs),
  }));
}

async function list(bench: Bench) {
  const { env } = await bench.platform();
  const words = ['members', 'list', '-o', 'ndjson'];
  const subjects: Subject[] = [
    { file, words, env, lines: 100_000 },
    bench.docs(words, { env, lines: 100_000 }),
  ];
  const [ours = [], theirs = []] = await bench.inTurns(subjects, { runs: 9 });
  const what = '100,000 members as ndjson without Node';
  return [{ what, against: 'docs on Node', goal: { most: 1 }, ...timesOf(ours, theirs) }];
}
