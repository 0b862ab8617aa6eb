import type { GroupEntry, ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { applyPlan } from '../../cli/run/apply-plan.js';
import { checkResults } from '../../cli/run/job-results.js';
import { usageError } from '../../errors.js';
import { loadPlan } from '../../plans/file.js';
import { updateLock } from '../../plans/lock.js';
import type { Plan } from '../../plans/plan.js';
import { summaryOf } from '../../plans/show/summary.js';
import { shellWord } from '../../settings/shell-word.js';
import { compare, openFolder } from './compare.js';
import { folderOf, takesOf, typedFolder } from './options.js';
import { printPlan } from './print.js';

/** `docs apply`: a plan from its file, or the one that the folder makes now. */

/** @throws DocsError as `applyPlan`; as `compare` */
export async function apply(
  session: Session,
  input: ManualInput,
  groups: readonly GroupEntry[],
): Promise<void> {
  const { io } = session;
  const folder = folderOf(io, input);
  if (typeof input.args.plan !== 'string') return applyFolder(session, input, folder, groups);
  const unfit = ['prune', 'take'].find((name) => input.options[name] !== undefined);
  if (unfit !== undefined) {
    const message = `--${unfit} is for making a plan; ${input.args.plan} is made already.`;
    throw usageError('contradiction', message, { hint: `docs plan --${unfit}` });
  }
  const { plan, reasons } = await loadPlan(io, input.args.plan);
  await applyPlan(session, plan, input, { folder, groups, reasons, path: input.args.plan });
}

async function applyFolder(
  session: Session,
  input: ManualInput,
  path: string,
  groups: readonly GroupEntry[],
): Promise<void> {
  const { globals } = session;
  if (input.options.maxAge !== undefined)
    throw usageError('contradiction', '--max-age requires a plan: without one, it is made now.');
  const take = takesOf(input);
  if (!globals.dryRun) await checkResults(session);
  const shown = typedFolder(input);
  const folder = await openFolder(session, path, shown);
  const plan = await compare(session, 'apply', folder, { prune: input.options.prune === true, take });
  if (globals.dryRun) {
    await printPlan(session, plan, { full: input.options.full === true });
    session.printer.note('Dry run: nothing was sent.');
    return;
  }
  if (plan.operations.some(({ request }) => request !== undefined))
    return applyPlan(session, plan, input, { folder: path, groups });
  settle(path, plan);
  if (plan.operations.length > 0) await tellLeft(session, plan, input);
  await session.printer.list([], {
    columns: [],
    fields: ['index', 'id', 'status', 'error'],
    empty: nothing(plan),
  });
}

/** Refreshes the entries of the lock that are out of date although files and platform agree. */
function settle(folder: string, { lock = [], organization = '', origin }: Plan): void {
  if (lock.length > 0) updateLock(folder, { org: organization, origin }, lock);
}

function nothing({ operations }: Plan): string {
  return operations.length === 0
    ? 'Nothing to apply: the platform is as the files say.'
    : 'Nothing was applied: nothing in this plan can be sent.';
}

/** What the plan holds that is not applied. */
async function tellLeft(session: Session, plan: Plan, input: ManualInput): Promise<void> {
  const { printer, io } = session;
  const dir = typedFolder(input);
  const words = dir === 'org' ? '' : ` --dir ${shellWord(dir, io.platform)}`;
  printer.note(`${summaryOf(plan)}; "docs plan${words}" shows them.`);
}
