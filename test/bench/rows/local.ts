import { type Row, timesOf } from '../bench.js';

const starts = [
  { what: '`docs --help`', words: ['--help'], most: 1.2 },
  { what: '`docs spaces --help`', words: ['spaces', '--help'], most: 1.2 },
  { what: 'a usage error', words: ['spaces', 'get', 's1', '--titel', 'x'], code: 2, most: 1.3 },
  { what: 'completion', words: ['__complete', 'spaces', ''], most: 1.25 },
];

/** What sends nothing, against an empty Node. */
export const local: Row = async (bench) => {
  const subjects = starts.map(({ words, code = 0 }) => bench.docs(words, { code }));
  const [theirs = [], ...ours] = await bench.inTurns([{ words: ['-e', '0'] }, ...subjects], { runs: 25 });
  return starts.map(({ what, most }, index) => ({
    ...{ what, against: '`node -e 0`', goal: { most } },
    ...timesOf(ours[index] ?? [], theirs),
  }));
};
