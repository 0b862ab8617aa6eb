import { type Row, timesOf } from '../bench.js';

/** One change over loopback, against a script that syncs one line and sends it. */
export const change: Row = async (bench) => {
  const { url, env } = await bench.platform();
  const [ours = [], theirs = []] = await bench.inTurns(
    [
      bench.docs(['spaces', 'update', 's1', '--title', 'x', '--yes', '--json'], { env, lines: 22 }),
      bench.bare('change', [`${url}/v1/spaces/s1`, bench.path('journal'), '{"title":"x"}'], { lines: 22 }),
    ],
    { runs: 30, processor: true },
  );
  return [
    {
      what: '`docs spaces update <id> --title x --yes`',
      against: 'a bare script that syncs one line and sends the same',
      goal: { most: 1.25 },
      ...timesOf(ours, theirs),
    },
  ];
};
