import { type Row, timesOf } from '../bench.js';

/** One resource over loopback, against a script of ten lines. */
export const get: Row = async (bench) => {
  const { url, env } = await bench.platform();
  const [ours = [], theirs = []] = await bench.inTurns(
    [
      bench.docs(['spaces', 'get', 's1', '--json'], { env, lines: 22 }),
      bench.bare('get', [`${url}/v1/spaces/s1`], { lines: 22 }),
    ],
    { runs: 30, processor: true },
  );
  return [
    {
      ...{ what: '`docs spaces get <id> --json`', against: "the same by Node's own `http`" },
      goal: { most: 1.35 },
      ...timesOf(ours, theirs),
    },
  ];
};
