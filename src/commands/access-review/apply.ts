import { type Member, updateMember } from '../../api/resources/members.js';
import { getOrg, type Organization } from '../../api/resources/orgs.js';
import { usageError } from '../../errors.js';
import { createJob } from '../../jobs/create-job.js';
import { plannedRecord } from '../../jobs/job.js';
import { JobFolder } from '../../jobs/job-folder.js';
import type { Source } from '../../jobs/journal-lines.js';
import { requestFor } from '../../jobs/rules/builders.js';
import { JobRun, type Step } from '../../jobs/run-job.js';
import { counted } from '../../output/counted.js';
import { safeLine } from '../../output/safe-text.js';
import { type Mistake, mistakeWords } from '../bulk-rows.js';
import { concurrencyOf } from '../change.js';
import type { Command, ManualInput } from '../command.js';
import { confirmChange } from '../confirm.js';
import { contextId } from '../context.js';
import { factsOf, keepsJournal } from '../job-facts.js';
import { checkResults, printResults } from '../job-results.js';
import { readTeams } from '../offboard/holdings.js';
import { badRows, lookUp } from '../offboard/people.js';
import { type Leaving, planLeaving } from '../offboard/plan.js';
import {
  calledMember,
  heirReasons,
  lastAdminReason,
  ownerlessReasons,
  ownerReason,
  refuse,
  roleReason,
  unknownTeamsReasons,
} from '../offboard/refusals.js';
import { findTokenOwner } from '../offboard/token-owner.js';
import { actionWords } from '../offboard/told.js';
import { preview } from '../preview.js';
import { readRowsFile } from '../rows-file.js';
import type { Session } from '../session.js';
import { type Decided, decisionsIn } from './decisions.js';

/** Carries out what a review decided, as one job: role changes, then removals. */

/** A decision about a member as it is now. */
interface Standing extends Decided {
  member: Member;
}

/**
 * @throws DocsError usage `bad_rows` where a row does not fit the platform any more, `refused`; partial
 *   where not all was done
 */
export async function applyReview(session: Session, command: Command, input: ManualInput): Promise<void> {
  const { rows, source } = await readRowsFile(session.io, String(input.options.apply), '--apply');
  const read = decisionsIn(rows);
  if (!session.globals.dryRun) await checkResults(session);
  const work = new Work(session, input, await readingOf(session, input));
  const standing = await work.stand(read.decided, read.mistakes);
  const changes = standing.filter(isChange);
  tellRest(session, standing.length - changes.length, read.undecided);
  if (changes.length === 0) return session.printer.note('Nothing is to be changed.');
  const { steps, words } = await work.plan(changes);
  const calls = steps.map(({ op, record }) => ({ op, input: record.plan.input, id: record.plan.id }));
  if (session.globals.dryRun) return preview(session, calls, true);
  const removes = changes.some(({ decision }) => decision.is === 'remove');
  const danger = removes ? ('confirm' as const) : ('change' as const);
  if (session.interactive && !session.globals.yes)
    session.printer.warn(words.map((line) => `  ${line}`).join('\n'));
  const what = `Apply the review: ${counted(changes.length, 'decision')}, ${counted(steps.length, 'request')}`;
  await confirmChange(session, () => session.client(), { ...command, danger }, calls, what);
  await work.carryOut(steps, source);
}

async function readingOf(session: Session, input: ManualInput) {
  const concurrency = concurrencyOf(input);
  const client = await session.client({ connections: concurrency, timeoutPerRequest: true });
  const organizationId = await contextId(session, 'org');
  return { client, organizationId, concurrency, signal: session.io.signal };
}

/** Whether anything is to be sent for it. */
function isChange({ decision, member }: Standing): boolean {
  if (decision.is === 'role') return decision.role !== member.role;
  return decision.is === 'remove';
}

function tellRest({ printer }: Session, kept: number, undecided: number): void {
  if (kept > 0) printer.note(`${counted(kept, 'member')} kept as they are.`);
  if (undecided > 0)
    printer.note(`${counted(undecided, 'row')} without a decision: nothing is done about them.`);
}

class Work {
  readonly #session: Session;
  readonly #input: ManualInput;
  readonly #reading: Awaited<ReturnType<typeof readingOf>>;

  constructor(session: Session, input: ManualInput, reading: Awaited<ReturnType<typeof readingOf>>) {
    this.#session = session;
    this.#input = input;
    this.#reading = reading;
  }

  /** Holds every decision against the platform. @throws DocsError usage `bad_rows`, unless they are left out */
  async stand(
    decided: readonly Decided[],
    found: readonly (Mistake & { index: number })[],
  ): Promise<Standing[]> {
    const mistakes = [...found];
    const standing: Standing[] = [];
    const looked = await lookUp(
      this.#reading,
      decided.map(({ name }) => name),
    );
    const seen = new Map<string, number>();
    for (const [at, one] of decided.entries()) {
      const { member, wrong } = looked[at] ?? {};
      const { index, place } = one;
      const earlier = member && seen.get(member.id);
      const issue =
        member === undefined
          ? wrong?.message
          : earlier !== undefined
            ? `${calledMember(member)} is decided about in line ${earlier}, too.`
            : this.#changedSince(one, member);
      if (issue !== undefined)
        mistakes.push({ index, ...place, ...(member === undefined && one.name.place), message: issue });
      else if (member !== undefined) standing.push({ ...one, member });
      if (member !== undefined) seen.set(member.id, earlier ?? place.line);
    }
    if (mistakes.length > 0) this.#report(mistakes);
    return standing;
  }

  /** Who is kept is kept, whatever changed; that is only said. */
  #changedSince({ decision, reviewedRole, place }: Decided, member: Member): string | undefined {
    if (reviewedRole === undefined || reviewedRole === member.role) return undefined;
    const [was, is] = [reviewedRole ?? 'guest', member.role ?? 'guest'];
    const issue = `${calledMember(member)} was ${safeLine(was)} when it was reviewed, and is ${safeLine(is)} now.`;
    if (decision.is === 'role' && decision.role === member.role) return undefined;
    if (decision.is !== 'keep') return `${issue} Decide again.`;
    this.#session.printer.warn(mistakeWords({ ...place, message: issue }));
    return undefined;
  }

  #report(mistakes: readonly (Mistake & { index: number })[]): void {
    const { printer, settings } = this.#session;
    const ordered = [...mistakes].sort((a, b) => a.index - b.index).map(({ index: _, ...rest }) => rest);
    const isJson = ['json', 'ndjson'].includes(settings.output?.value ?? '');
    const leavesOut = this.#input.options.skipInvalid === true;
    if (!isJson) for (const mistake of ordered) printer.warn(mistakeWords(mistake));
    if (!leavesOut) throw badRows(ordered);
    printer.note(`${counted(ordered.length, 'row')} left out.`);
  }

  /** The requests, and what they do in words. @throws DocsError usage `refused` */
  async plan(changes: readonly Standing[]): Promise<{ steps: Step[]; words: string[] }> {
    const { client, organizationId } = this.#reading;
    const removed = changes.filter(({ decision }) => decision.is === 'remove').map(({ member }) => member);
    const { holdings, owned } = await readTeams(this.#reading, removed);
    const leaving: Leaving = { organizationId, holdings, owned, heir: await this.#heir() };
    const lost = changes.filter(({ decision }) => !(decision.is === 'role' && decision.role === 'admin'));
    const members = lost.map(({ member }) => member);
    const last = await lastAdminReason(client, { organizationId, members });
    const organization = await client.call(getOrg, { path: { organizationId } });
    refuse(this.#session, [
      ...[roleReason(organization) ?? [], last ?? []].flat(),
      ...heirReasons(leaving),
      ...ownerlessReasons(leaving),
      ...unknownTeamsReasons(holdings),
      ...(await this.#ownReasons(changes, organization)),
    ]);
    const roleSteps = changes.flatMap((one) => this.#roleStep(one)).map(itemAt);
    const plan = planLeaving(leaving, roleSteps.length);
    const words = [
      ...changes.flatMap(({ decision, member }) =>
        decision.is === 'role'
          ? [`${calledMember(member)}: ${member.role ?? 'guest'} to ${decision.role ?? 'guest'}`]
          : (plan.actions.get(member.id) ?? []).map(
              (action) => `${calledMember(member)}: ${actionWords(action)}`,
            ),
      ),
    ];
    return { steps: [...roleSteps, ...plan.steps], words };
  }

  /** A rehearsal sends no ping, so it cannot tell. */
  async #ownReasons(changes: readonly Standing[], organization: Organization): Promise<string[]> {
    if (this.#session.globals.dryRun) return [];
    const { client, organizationId } = this.#reading;
    const owner = await findTokenOwner(client, organizationId);
    return changes.flatMap(({ member }) => ownerReason(owner, member, organization) ?? []);
  }

  async #heir(): Promise<Member | undefined> {
    const { reassignTeamsTo: text } = this.#input.options;
    if (typeof text !== 'string') return undefined;
    const [looked] = await lookUp(this.#reading, [{ text }]);
    if (looked?.member !== undefined) return looked.member;
    throw usageError('bad_people', `--reassign-teams-to: ${looked?.wrong?.message ?? ''}`, {
      hint: 'docs members list',
    });
  }

  #roleStep({ decision, member }: Standing): Step[] {
    if (decision.is !== 'role') return [];
    const path = { organizationId: this.#reading.organizationId, userId: member.id };
    const { op, input, id } = requestFor(updateMember, path, { role: decision.role });
    const plan = { item: 0, is: 'planned' as const, id, op: op.id, input, expect: { role: member.role } };
    return [{ op, record: plannedRecord(plan) }];
  }

  async carryOut(steps: readonly Step[], source: Source | undefined): Promise<void> {
    const session = this.#session;
    const { client, concurrency } = this.#reading;
    const { options } = this.#input;
    const requests = steps.map(({ op, record }) => ({ op, input: record.plan.input, id: record.plan.id }));
    const facts = factsOf(session, 'members review', requests, source === undefined ? {} : { source });
    const folder = new JobFolder(session.io);
    const open = keepsJournal(session)
      ? await createJob(session.io, folder, facts, steps, options.again === true)
      : undefined;
    try {
      const parts = { io: session.io, client, steps, journal: open?.journal, concurrency };
      const run = new JobRun({ ...parts, failFast: options.failFast === true });
      await printResults(session, run, { job: open?.job, total: steps.length, doing: 'Applying' });
    } finally {
      await open?.close();
    }
    const back = open === undefined ? '' : ` docs undo ${open.job} takes back what can be.`;
    session.printer.note(`${counted(steps.length, 'request')}: all done.${back}`);
  }
}

function itemAt(step: Step, item: number): Step {
  return { ...step, record: { ...step.record, plan: { ...step.record.plan, item } } };
}
