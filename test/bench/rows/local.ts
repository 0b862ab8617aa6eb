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

/** The goal is that of each group, so the slowest is the one to tell. */
async function slowestGroup(bench: Bench): Promise<Measured> {
  const commands = JSON.parse(bench.run(['commands', '--json'])) as { path: string }[];
  const paths = commands.map(({ path }) => path.split(' '));
  const groups = [...new Set(paths.flatMap(([group = '', verb]) => (verb === undefined ? [] : [group])))];
  const subjects = groups.map((group) => bench.docs([group, '--help']));
  const [theirs = [], ...runs] = await bench.inTurns([{ words: ['-e', '0'] }, ...subjects], {
    ...{ runs: 5, processor: true },
  });
  const timed = groups.map((group, index) => ({ group, runs: runs[index] ?? [] }));
  const msOf = (each: (typeof timed)[number]) => median(each.runs.map(({ ms }) => ms));
  const slowest = timed.reduce((one, other) => (msOf(other) > msOf(one) ? other : one));
  return {
    what: `help of the slowest of ${groups.length} groups, \`${slowest.group}\``,
    ...{ against: '`node -e 0`', goal: { most: 1.2 } },
    ...timesOf(slowest.runs, theirs),
  };
}
