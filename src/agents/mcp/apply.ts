import { DocsError, notSent } from '../../base/errors.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { loadPlan } from '../../plans/file.js';
import type { Plan } from '../../plans/plan.js';
import { type Answer, failed } from './answer.js';
import { type Calls, errorOf } from './calls.js';
import { foreignKeys, makePlan, planValue } from './plan.js';
import type { Plans } from './plans.js';
import { resultIn } from './read.js';
import type { Caller, McpWorld } from './world.js';

/** `docs_apply` and `docs_change`: the tools that change something. */

/**
 * Applies a plan as `docs apply --yes` does: once, under the policy, with its approvals.
 * @throws DocsError forbidden `policy_required`; usage `unknown_plan`
 */
export async function apply(
  world: McpWorld,
  calls: Calls,
  plans: Plans,
  handle: string,
  caller: Caller,
): Promise<Answer> {
  requirePolicy(world);
  const file = plans.fileOf(handle);
  const argv = ['apply', file, '--yes'];
  const ran = await calls.run(argv, { end: 1 }, [], caller, { stops: false });
  const job = await jobOf(world, file);
  const found = resultIn(ran, Number.POSITIVE_INFINITY);
  const about = { plan: handle, ...(job !== undefined && { job, undo: `docs undo ${job}` }) };
  const links = job === undefined ? [] : [{ uri: `docs://jobs/${job}`, name: `Job ${job}` }];
  const value = { ...about, ...found };
  if (ran.code === 0) return { value, long: 'result', foreign: ['result', 'notes'], links };
  plans.sweep();
  const { result, notes } = found;
  const rest = { ...about, ...(result !== undefined && { result }), ...(notes !== undefined && { notes }) };
  return { ...failed(errorOf(ran), rest, ['result', 'notes', 'error']), long: 'result', links };
}

/**
 * Makes one change whose undo is exact, by a plan that is applied at once.
 * @throws DocsError forbidden `policy_required`; usage: nothing was sent
 */
export async function change(
  world: McpWorld,
  calls: Calls,
  plans: Plans,
  argv: readonly string[],
  caller: Caller,
): Promise<Answer> {
  requirePolicy(world);
  const made = await makePlan(world, calls, plans, argv, caller);
  if ('answer' in made) return made.answer;
  const why = whyNot(made.plan);
  if (why === undefined) return apply(world, calls, plans, made.handle, caller);
  const code = why === 'nothing' ? 'nothing_to_change' : 'undo_not_exact';
  const message =
    why === 'nothing'
      ? 'The command would change nothing; nothing was sent.'
      : `docs_change makes one change whose undo is exact, and ${why}. Nothing was sent; its plan can be applied with docs_apply.`;
  const error = notSent('usage', code, message).toJSON();
  return { ...failed(error, planValue(made), foreignKeys), long: 'requests' };
}

/** Why a plan is not one change whose undo is exact. */
function whyNot({ operations }: Plan): string | undefined {
  const sent = operations.filter(({ request }) => request !== undefined);
  const [only] = sent;
  if (only === undefined) return 'nothing';
  if (sent.length > 1) return `this is ${sent.length} changes`;
  if (only.undo === 'exact') return undefined;
  return only.undo === 'none' ? 'this one cannot be undone' : 'this one can be undone only in part';
}

function requirePolicy({ allowWrites, hasPolicy }: McpWorld): void {
  if (allowWrites || hasPolicy) return;
  const message =
    'No policy is in force, and without one this server changes nothing; nothing was sent. ' +
    'Whoever started it can name one with --policy, or allow changes with --allow-writes.';
  throw new DocsError('forbidden', 'policy_required', message, {
    outcome: 'not-sent',
    hint: 'docs policy init --reviewed',
  });
}

/** The job that applied a plan, where there is one. */
async function jobOf({ io }: McpWorld, file: string): Promise<string | undefined> {
  try {
    const { plan } = await loadPlan(io, file);
    return new JobFolder(io).withPlan(plan.id);
  } catch (cause) {
    // The apply itself reports a plan that was edited or cannot be read.
    if (cause instanceof DocsError) return undefined;
    throw cause;
  }
}
