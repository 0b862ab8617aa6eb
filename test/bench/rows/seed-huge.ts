import { rmSync } from 'node:fs';
import { type Row, timesOf } from '../bench.js';
import type { Run } from '../processes.js';

const starts = 100;

/** 100,000 members, against a hundred empty starts of Node. */
export const seedHuge: Row = async (bench) => {
  const file = bench.path('huge.db');
  const seed = bench.docs(['sandbox', 'seed', 'huge', '--file', file], {
    prepare: () => {
      for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
    },
  });
  const [ours = [], node = []] = await bench.inTurns([seed, { words: ['-e', '0'] }], { runs: 6 });
  const theirs = node.map((run): Run => ({ ...run, ms: run.ms * starts }));
  return [
    {
      what: '`docs sandbox seed huge`, 100,000 members',
      ...{ against: '100 times `node -e 0`', goal: { most: 1 } },
      ...timesOf(ours, theirs),
    },
  ];
};
