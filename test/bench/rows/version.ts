import { type Row, timesOf } from '../bench.js';

/** `docs --version` against an empty Node. */
export const version: Row = async (bench) => {
  const [ours = [], theirs = []] = await bench.inTurns([bench.docs(['--version']), { words: ['-e', '0'] }], {
    runs: 30,
  });
  return [
    { what: '`docs --version`', against: '`node -e 0`', goal: { most: 1.1 }, ...timesOf(ours, theirs) },
  ];
};
