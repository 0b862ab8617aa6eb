import { type Row, timesOf } from '../bench.js';
import { bareLoop, loopOf } from './list-ndjson.js';

const formats = [
  { format: 'json', lines: 100_002 },
  { format: 'csv', lines: 100_001 },
  { format: 'tsv', lines: 100_000 },
];

/** 100,000 members in the other formats. */
export const listFormats: Row = async (bench) => {
  const { env } = await bench.platform();
  const subjects = formats.map(({ format, lines }) =>
    bench.docs(['members', 'list', '-o', format], { env, lines }),
  );
  const [theirs = [], ...ours] = await bench.inTurns([await loopOf(bench), ...subjects], { runs: 7 });
  return formats.map(({ format }, index) => ({
    ...{
      what: `\`docs members list -o ${format}\`, 100,000 members`,
      against: bareLoop,
      goal: { most: 1.3 },
    },
    ...timesOf(ours[index] ?? [], theirs),
  }));
};
