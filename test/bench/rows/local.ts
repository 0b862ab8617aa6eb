import { type Row, timesOf } from '../bench.js';

const starts = [
  { what: '`docs --help`', words: ['--help'] },
  { what: '`docs spaces --help`', words: ['spaces', '--help'] },
  { what: 'a usage error', words: ['spaces', 'get', 's1', '--titel', 'x'], code: 2 },
  { what: 'completion', words: ['__complete', 'spaces', ''] },
];

/** What sends nothing, against an empty Node. */
export const local: Row = async (bench) => {
  const subjects = starts.map(({ words, code = 0 }) => bench.docs(words, { code }));
  const [theirs = [], ...ours] = await bench.inTurns([{ words: ['-e', '0'] }, ...subjects], { runs: 25 });
  return starts.map(({ what }, index) => ({
    ...{ what, against: '`node -e 0`', goal: { most: 1.25 } },
    ...timesOf(ours[index] ?? [], theirs),
  }));
};
