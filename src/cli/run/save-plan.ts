import { resolve } from 'node:path';
import { usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';
import type { JobItem } from '../../jobs/journal.js';
import { readsOf } from '../../jobs/reads.js';
import type { View } from '../../output/printer.js';
import { counted, safeLine } from '../../output/text.js';
import { refusedText } from '../../plans/check.js';
import { writePlan } from '../../plans/file.js';
import type { PlanFacts } from '../../plans/make.js';
import { draftsOf, sends } from '../../plans/operation.js';
import type { Plan, PlanHead, PlanImpact } from '../../plans/plan.js';
import { changesSomething } from '../../plans/show/summary.js';
import { rememberingClient } from '../../snapshot/organization.js';
import { atPlace } from '../declare/global-flags.js';
import type { Session } from '../declare/session.js';
import type { PlannedImpact } from './foretell.js';
import { planDrafts, planFacts } from './make-plan.js';
import { warnReader } from './output.js';
import { jobFactsOf } from './session-job.js';

/** `--save-plan`: what a command would send becomes a file (PLANS.md, 1). */

/** Steps of a command that become a plan; their items are numbered from 0. */
export interface PlannedSteps extends Pick<PlanFacts, 'evidence' | 'undoes'>, Pick<PlannedImpact, 'deletes'> {
  /** Its words, without ids and flags. */
  command: string;
  steps: readonly JobItem[];
  risks?: readonly string[];
  /** What the risks tell of an impact, null for nothing; default: it is looked up, and told after the risks. */
  impact?: PlanImpact | null;
  /** What people call the items, by id. */
  titles?: Readonly<Record<string, string>> | undefined;
}

/** The keys of a plan's head, in the order in which they are printed. */
const headFields: readonly (keyof PlanHead)[] = [
  ...(['id', 'plan', 'hash', 'madeAt', 'version', 'origin', 'profile', 'organization', 'title'] as const),
  ...([
    'folder',
    'command',
    'line',
    'by',
    'counts',
    'risks',
    'impact',
    'notes',
    'evidence',
    'undoes',
  ] as const),
];
const headView: View = {
  columns: ['id', 'status', 'command', 'counts'].map((path) => ({ path })),
  fields: ['status', 'file', 'policy', ...headFields],
  open: ['by', 'counts', 'policy'],
};

/**
 * Refuses what a plan could not be written to, before anything is read.
 * @throws DocsError usage `contradiction`, `bad_value`, `file_exists`; local-io
 */
export async function beginPlan(session: Session): Promise<void> {
  const { globals, savePlan = '' } = session;
  if (globals.dryRun)
    throw usageError(
      'contradiction',
      '--dry-run and --save-plan contradict each other: neither sends a change',
    );
  const { checkNewFile } = await import('./written-files.js');
  await checkNewFile(session, savePlan, '--save-plan');
}

/** Checks `--fields` and the like against the head of a plan. @throws DocsError usage `unknown_field`, `bad_jq` */
export async function checkHead({ printer }: Session): Promise<void> {
  await printer.check(headView);
}

/** Makes the plan of steps. Sends nothing but reads. @throws DocsError as `makePlan` */
export async function planOf(session: Session, planning: PlannedSteps): Promise<Plan> {
  const { command, steps, titles = {}, evidence, undoes, risks, impact, deletes } = planning;
  const client = await session.client({ timeoutPerRequest: true, readOnly: true });
  const remembering = rememberingClient(client);
  const [{ namedDrafts }, { foretellDrafts }] = await Promise.all([
    import('./names.js'),
    import('./foretell.js'),
  ]);
  const drafts = await namedDrafts(remembering, draftsOf(steps), titles);
  const foretold =
    impact === undefined
      ? await foretellDrafts(session, client, drafts, { deletes })
      : { lines: [], impact: impact ?? undefined };
  const { org: organization } = jobFactsOf(session, command, steps);
  const facts = await planFacts(session, command, defined({ organization, evidence, undoes }));
  return planDrafts(session, readsOf(remembering), facts, { drafts, risks, foretold });
}

/** Writes a plan to the file of `--save-plan`, and tells what it holds. @throws DocsError as `writePlan` */
export async function keepPlan(session: Session, plan: Plan): Promise<void> {
  const { io, savePlan: file = '' } = session;
  await writePlan(io, resolve(io.cwd, file), plan);
  const policy = session.gate && (await (await import('./plan-verdict.js')).verdictOn(session, plan));
  const told = policy === undefined ? [] : (await import('./plan-verdict.js')).verdictLines(policy);
  warnReader(session, [...plan.risks, ...told]);
  const head = Object.fromEntries(
    headFields.flatMap((key) => (plan[key] === undefined ? [] : [[key, plan[key]]])),
  );
  const result = { id: plan.id, status: 'planned', ...head, ...defined({ policy }), file };
  const isDenied = policy !== undefined && policy.denied.length > 0;
  await session.printer.done(result, await savedText(session, plan, file, isDenied));
}

/** `✓ Saved a plan of 12 changes to plan.json. Apply it with "docs apply plan.json".` */
export async function savedText(
  session: Session,
  plan: Plan,
  file: string,
  isDenied = false,
): Promise<string> {
  const { operations } = plan;
  const changes = operations.filter(changesSomething);
  const rest = operations.filter((operation) => !sends(operation)).length;
  const lost = changes.filter(({ undo }) => undo === 'none').length;
  const left = rest === 0 ? '' : ` ${counted(rest, 'operation')} cannot be applied.`;
  if (changes.length === 0) return `✓ Saved an empty plan to ${file}: nothing would change.${left}`;
  const which = lost === changes.length && lost === 1 ? 'It' : `${lost} of them`;
  const undo = lost === 0 ? '' : ` ${which} cannot be undone.`;
  return `✓ Saved a plan of ${counted(changes.length, 'change')} to ${file}.${undo}${left} ${refusedText(plan) ?? (isDenied ? deniedText : await applyText(session, plan, file))}`;
}

const deniedText = 'A policy denies it, with any approval: docs apply refuses it.';

/** How a plan gets applied: at once, or after the approval that the policies in force want. */
async function applyText({ io, globals, gate }: Session, plan: Plan, file: string): Promise<string> {
  const command = (name: string) =>
    atPlace(`docs ${name} ${shellWord(file, io.platform)}`, globals, io.platform);
  const asking = (await gate?.asking(plan)) ?? [];
  if (asking.length === 0) return `Apply it with "${command('apply')}".`;
  const branches = asking.flatMap(({ policy }) => policy.approve?.git?.branch ?? []);
  const merges = [...new Set(branches)].map((branch) => `merge it into ${safeLine(branch)}`);
  const signs =
    branches.length < asking.length ? [`have another person run "${command('plan approve')}"`] : [];
  return `The policy requires an approval: ${[...signs, ...merges].join(' and ')}, then run "${command('apply')}".`;
}
