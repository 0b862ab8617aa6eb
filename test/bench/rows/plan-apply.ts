import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type Row, timesOf } from '../bench.js';

const operations = 2000;
const concurrency = 8;
const answerMs = 20;
/** Each is read before it is changed. */
const leastMs = (operations / concurrency) * 2 * answerMs;

interface Saved {
  operations: { request: { path: string; body?: unknown } }[];
}

/** A plan of many changes, journal and all, against a bare program that reads and changes the same. */
export const planApply: Row = async (bench) => {
  const { url } = await bench.server('members');
  const env = { DOCS_BASE_URL: url, DOCS_TOKEN: 'bench', DOCS_ORG: 'o1' };
  const [ids, plan, list] = [bench.path('role-ids'), bench.path('roles.plan.json'), bench.path('roles.json')];
  let run = 0;
  const subject = bench.docs(['apply', plan, '--yes', '--concurrency', String(concurrency)], {
    env,
    // A plan is applied once, so each run has its own, with members of its own.
    prepare() {
      run += 1;
      const names = Array.from({ length: operations }, (_, index) => `u${run}x${index}`);
      writeFileSync(ids, `${names.join('\n')}\n`);
      rmSync(plan, { force: true });
      bench.run(['members', 'update', `@${ids}`, '--role', 'read', '--save-plan', plan], env);
      writeFileSync(list, JSON.stringify(requestsOf(JSON.parse(readFileSync(plan, 'utf8')) as Saved)));
    },
  });
  const [ours = [], theirs = []] = await bench.inTurns(
    [subject, bench.bare('requests', [list, url, 'bench'])],
    { runs: 3 },
  );
  return [
    {
      what: `\`docs apply\` of a plan of 2,000 operations, answered after ${answerMs} ms`,
      against: `the ideal, a bare program with one read and one change each, ${concurrency} at once (${leastMs} ms)`,
      goal: { most: 1.3 },
      ...timesOf(ours, theirs),
    },
  ];
};

/** Each change after its read. */
function requestsOf({ operations: all }: Saved) {
  return all.flatMap(({ request: { path, body } }, index) => [
    { path: pathOf(path) },
    { path: pathOf(path), method: 'PATCH', body, after: [2 * index] },
  ]);
}

/** With the version that every path of the platform begins with. */
function pathOf(path: string): string {
  return path.startsWith('/v1') ? path : `/v1${path}`;
}
