import { type Row, timesOf } from '../bench.js';
import { withSandbox } from '../sandbox-server.js';

/** One resource from the embedded platform, against the same from one that runs. */
export const sandboxGet: Row = (bench) =>
  withSandbox(bench, 'tiny', async ({ env, space }) => {
    bench.run(['--sandbox', 'spaces', 'get', space]);
    const [ours = [], theirs = []] = await bench.inTurns(
      [bench.docs(['--sandbox', 'spaces', 'get', space]), bench.docs(['spaces', 'get', space], { env })],
      { runs: 25, processor: true },
    );
    return [
      {
        ...{ what: '`docs --sandbox spaces get <id>`', against: '`docs spaces get <id>` from a server' },
        goal: { most: 1.4 },
        ...timesOf(ours, theirs),
      },
    ];
  });
