import { impactAspects } from '../../access/impact/change.js';
import { readMoved } from '../../access/impact/transfer/moved.js';
import { transferSteps } from '../../access/impact/transfer/steps.js';
import { readTransfer, type TransferRead } from '../../access/impact/transfer/transfer.js';
import { DocsError, usageError } from '../../base/errors.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { safeLine } from '../../output/text.js';
import { checkPrinting, printImpact } from './print.js';
import { type ImpactRequest, requestOf } from './request.js';
import { failureOf, impactPage, lookWith } from './run.js';

/**
 * `docs impact transfer`: reads both organizations, prints, and with `--save-plan` hands the transfer on as a plan.
 * @throws DocsError findings (exit 17) with `--fail-on`, and then no plan is saved; partial (exit 3) where something
 *   could not be read; forbidden `transfer_refused` with `--save-plan` where the platform would refuse it
 */
export async function runTransfer(session: Session, input: ManualInput): Promise<void> {
  const perSpace = input.options.perSpace === true;
  if (perSpace && input.args.kind !== 'collection')
    throw usageError('contradiction', `--per-space is for collection, not for ${String(input.args.kind)}.`);
  await checkPrinting(session);
  const page = await impactPage(session, input);
  const request = await requestOf(session, input, 'transfer');
  const read = await readBoth(request, perSpace);
  const { impact } = read;
  await printImpact(request.session, impact).finally(() => page?.(request, impact));
  const failure = failureOf(impact, request.failOn);
  const plans = session.savePlan !== undefined;
  if (failure?.kind === 'findings') {
    if (plans) throw withoutPlan(failure);
    throw failure;
  }
  if (plans) await keepPlan(request, read);
  if (failure !== undefined) throw failure;
}

/** Findings that keep the plan from being saved: a script that stops at them must not find one to apply. */
function withoutPlan({ kind, code, message, failure }: DocsError): DocsError {
  return new DocsError(kind, code, `${message} No plan was saved, because of --fail-on.`, failure);
}

/** Reads what the transfer breaks. With `perSpace`, collections stand for the spaces in them. */
function readBoth(request: ImpactRequest, perSpace: boolean): Promise<TransferRead> {
  const { question, aspects } = request;
  return lookWith(request, async (reading, onSpace) => {
    if (!perSpace) return readTransfer(reading, question, { aspects, onSpace });
    const { spaces, unknown } = await readMoved(reading, question.things);
    const things = spaces.map(({ id }) => ({ object: 'space' as const, id }));
    const read = await readTransfer(reading, { ...question, things }, { aspects, onSpace });
    read.impact.unknown.push(...unknown);
    return read;
  });
}

/** Saves the plan: what cannot be undone is the first of its risks. */
async function keepPlan(
  { session, organization, question }: ImpactRequest,
  { impact, moved }: TransferRead,
): Promise<void> {
  const refusal = impact.dependents.find(({ kind }) => kind === 'refusal');
  if (refusal !== undefined)
    throw new DocsError('forbidden', 'transfer_refused', `${refusal.what} No plan was saved.`, {
      outcome: 'not-sent',
      hint: `docs orgs get ${refusal.id}`,
    });
  const [{ planOf, savedText }, { countsOf, summaryOf }, { writePlan }] = await Promise.all([
    import('../../cli/run/save-plan.js'),
    import('../../access/impact/summary.js'),
    import('../../plans/file.js'),
  ]);
  const { savePlan: file = '', io } = session;
  const steps = transferSteps(moved, organization, question.to?.organization ?? '');
  const titles = Object.fromEntries(impact.things.map(({ id, title }) => [id, title]));
  const told = new Set(['irreversible'] as const);
  const risks = [...impact.irreversible, ...summaryOf(impact, { told })].map(safeLine);
  const missing = impactAspects.filter((aspect) => !impact.looked.includes(aspect));
  if (missing.length > 0) risks.push(`Not looked at: ${missing.join(', ')}.`);
  // Counts of what was not looked at would be wrong.
  const found = { risks, impact: missing.length > 0 ? null : countsOf(impact) };
  const plan = await planOf(session, { command: 'impact transfer', steps, titles, ...found });
  await writePlan(io, file, plan);
  session.printer.note(await savedText(session, plan, file));
}
