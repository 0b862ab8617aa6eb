import { rmSync, writeFileSync } from 'node:fs';
import { type Row, timesOf } from '../bench.js';

const operations = 2000;
const concurrency = 8;
const answerMs = 20;
/** Each is read before it is changed. */
const idealMs = (operations / concurrency) * 2 * answerMs;

/** A plan of many changes, journal and all, against what the server's own time comes to. */
export const planApply: Row = async (bench) => {
  const { url } = await bench.server('members');
  const env = { DOCS_BASE_URL: url, DOCS_TOKEN: 'bench', DOCS_ORG: 'o1' };
  const [ids, plan] = [bench.path('role-ids'), bench.path('roles.plan.json')];
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
    },
  });
  const [ours = []] = await bench.inTurns([subject], { runs: 5 });
  const ideal = ours.map(() => ({ ms: idealMs, memoryMb: Number.NaN }));
  return [
    {
      what: '`docs apply` of a plan of 2,000 operations, answered after 20 ms',
      against: 'the ideal, 2,000 / 8 × (one read and one change of 20 ms)',
      goal: { most: 1.3 },
      ...timesOf(ours, ideal),
    },
  ];
};
