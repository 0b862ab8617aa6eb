import type { Row } from '../bench.js';
import type { Run } from '../processes.js';
import { bareLoop, loopOf } from './list-ndjson.js';

const memoryOf = (runs: readonly Run[]) => runs.map(({ memoryMb }) => memoryMb);

/** Peak memory at 100,000 members and at a million, against the bare loop's at 100,000. */
export const listMemory: Row = async (bench) => {
  const { env } = await bench.platform();
  const list = (members: number) =>
    bench.docs(['members', 'list', '-o', 'ndjson'], {
      env: { ...env, DOCS_ORG: `m${members}` },
      lines: members,
    });
  const turns = (members: number, runs: number) =>
    loopOf(bench).then((loop) => bench.inTurns([list(members), loop], { runs, memory: true }));
  const small = await turns(100_000, 7);
  const large = await turns(1_000_000, 2);
  return [
    { members: '100,000', runs: small },
    { members: '1,000,000', runs: large },
  ].map(({ members, runs: [ours = [], theirs = []] }) => ({
    what: `\`docs members list -o ndjson\`, ${members} members: peak memory`,
    against: `${bareLoop}, at 100,000`,
    goal: { most: 1 },
    unit: 'MB',
    ...{ ours: memoryOf(ours), theirs: memoryOf(theirs) },
  }));
};
