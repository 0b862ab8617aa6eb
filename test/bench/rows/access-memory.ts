import type { Row } from '../bench.js';
import type { Measured } from '../result.js';
import { withSandbox } from '../sandbox-server.js';
import { commandsOf } from './access-requests.js';

const mostMb = 200;

/** Peak memory with 100,000 members, each of whom is asked for. */
export const accessMemory: Row = (bench) =>
  withSandbox(bench, 'huge', async ({ env, space }) => {
    const commands = commandsOf(space);
    const runs = await bench.inTurns(
      commands.map(({ words }) => bench.docs(words, { env })),
      { runs: 1, memory: true },
    );
    return commands.map(({ what }, index): Measured => {
      const ours = (runs[index] ?? []).map(({ memoryMb }) => memoryMb);
      return {
        ...{ what: `${what}, 100,000 members: peak memory`, against: `${mostMb} MB`, goal: { most: 1 } },
        ...{ unit: 'MB', ours, theirs: ours.map(() => mostMb) },
      };
    });
  });
