import { type Bench, type Row, timesOf } from '../bench.js';
import type { Subject } from '../processes.js';

export const bareLoop = 'a bare loop over undici `request()`, a page a write';

/** The bare loop over 100,000 members in pages of 1,000. */
export async function loopOf(bench: Bench): Promise<Subject> {
  const { url } = await bench.platform();
  return bench.bare('list', [`${url}/v1/orgs/m100000/members`], { lines: 100_000 });
}

/** 100,000 members, one a line. */
export const listNdjson: Row = async (bench) => {
  const { env } = await bench.platform();
  const [ours = [], theirs = []] = await bench.inTurns(
    [bench.docs(['members', 'list', '-o', 'ndjson'], { env, lines: 100_000 }), await loopOf(bench)],
    { runs: 12 },
  );
  return [
    {
      ...{ what: '`docs members list -o ndjson`, 100,000 members', against: bareLoop, goal: { most: 1 } },
      ...timesOf(ours, theirs),
    },
  ];
};
