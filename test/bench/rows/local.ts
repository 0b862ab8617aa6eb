import { type Bench, type Row, timesOf } from '../bench.js';
import { starts } from '../processes.js';
import { type Measured, median } from '../result.js';

/** What sends nothing, and the help of every group, against an empty Node. */
export const local: Row = async (bench) => [...(await kinds(bench)), await slowestGroup(bench)];

async function kinds(bench: Bench): Promise<Measured[]> {
  const subjects = starts.map(({ words, code }) => bench.docs(words, { code }));
  const [theirs = [], ...ours] = await bench.inTurns([{ words: ['-e', '0'] }, ...subjects], {
    ...{ runs: 25, processor: true },
  });
  return starts.map(({ what, most }, index) => ({
    ...{ what, against: '`node -e 0`', goal: { most: most.node } },
    ...timesOf(ours[index] ?? [], theirs),
  }));
}

/**
 * The goal is that of each group, so the slowest is the one to tell. Of many groups that are run a few times, the slowest is
 * the one that was disturbed most; so those that seem slow are run again, often, and the slowest of these runs counts.
 */
async function slowestGroup(bench: Bench): Promise<Measured> {
  const groups = groupsOf(bench);
  const { timed: seemSlow } = await timeHelp(bench, groups, 5);
  const again = seemSlow.slice(0, 3).map(({ group }) => group);
  const { timed, theirs } = await timeHelp(bench, again, 25);
  const [slowest] = timed;
  return {
    what: `help of the slowest of ${groups.length} groups, \`${slowest?.group}\``,
    ...{ against: '`node -e 0`', goal: { most: 1.2 } },
    ...timesOf(slowest?.runs ?? [], theirs),
  };
}

function groupsOf(bench: Bench): string[] {
  const commands = JSON.parse(bench.run(['commands', '--json'])) as { path: string }[];
  const paths = commands.map(({ path }) => path.split(' '));
  return [...new Set(paths.flatMap(([group = '', verb]) => (verb === undefined ? [] : [group])))];
}

/** Help of the groups in turns with an empty Node, the slowest first. */
async function timeHelp(bench: Bench, groups: readonly string[], runs: number) {
  const subjects = groups.map((group) => bench.docs([group, '--help']));
  const empty = { words: ['-e', '0'] };
  const [theirs = [], ...ours] = await bench.inTurns([empty, ...subjects], { runs, processor: true });
  const timed = groups.map((group, index) => ({ group, runs: ours[index] ?? [] }));
  return { theirs, timed: timed.toSorted((one, other) => msOf(other.runs) - msOf(one.runs)) };
}

function msOf(runs: readonly { ms: number }[]): number {
  return median(runs.map(({ ms }) => ms));
}
