import { calledMember, lastAdminReason, ownerReasons, refusal } from '../../access/guards.js';
import type { Action } from '../../access/members.js';
import { badRows, lookUp, type Name, namesIn } from '../../access/names.js';
import { type Leaving, planLeaving, readTeams, reasonsAgainst } from '../../access/offboarding.js';
import { type Member, updateMember } from '../../api/resources/members.js';
import { getOrg } from '../../api/resources/orgs.js';
import { roles } from '../../api/shapes.js';
import { usageError } from '../../base/errors.js';
import { sameName } from '../../base/name.js';
import { didYouMean, nearest } from '../../base/nearest.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { beginChange, carryOut } from '../../cli/run/carry-out.js';
import { ownerOf } from '../../cli/run/member-guard.js';
import { howGrave } from '../../cli/run/operation-proposal.js';
import { noteSaid, refuse, warnReader } from '../../cli/run/output.js';
import type { Proposal } from '../../cli/run/proposal.js';
import { readingOf } from '../../cli/run/reading-of.js';
import { readRowsFile } from '../../cli/run/typed-files.js';
import { requestFor } from '../../jobs/change.js';
import { type JobItem, jobItem } from '../../jobs/journal.js';
import { type Cell, type Mistake, mistakeWords, type Row, type Rows } from '../../jobs/rows.js';
import { counted, safeLine } from '../../output/text.js';
import type { Reading } from '../../snapshot/unread.js';
import { actionWords } from './offboard-page.js';

/**
 * `docs members review --apply`: carries out the decisions of a review as one job.
 * @throws DocsError usage `bad_rows` where a row no longer fits the platform, `refused`; partial where not
 *   all was done
 */
export async function applyReview(session: Session, input: ManualInput): Promise<void> {
  const { printer } = session;
  const { apply, reassignTeamsTo: heir, skipInvalid } = input.options;
  const { rows, source } = await readRowsFile(session, String(apply), '--apply');
  const { decided, mistakes, undecided } = decisionsIn(rows);
  const plans = session.savePlan !== undefined;
  await beginChange(session, { results: {} });
  const reading = await readingOf(session, input);
  const compared = await compare(reading, decided, mistakes);
  tellMistakes(session, compared, skipInvalid === true);
  const changes = compared.standing.filter(isChange);
  const kept = compared.standing.length - changes.length;
  if (kept > 0) printer.note(`${counted(kept, 'member')} unchanged.`);
  if (undecided > 0) printer.note(`${counted(undecided, 'row')} without a decision skipped.`);
  if (changes.length === 0 && !plans) return printer.note('No changes to apply.');
  const plan = await planChanges(session, reading, changes, heir);
  refuse(session, refusal(plan.reasons));
  const proposal = reviewProposal(session, changes, plan);
  const { what, isGrave } = proposal.question;
  await beginChange(session, { asks: isGrave ? what : undefined });
  await carryOut(session, input, { ...proposal, source });
}

/** The changes of a review: the guard of members looks at them where they are sent, the rest was looked at here. */
function reviewProposal(session: Session, changes: readonly ReviewedMember[], plan: ReviewPlan): Proposal {
  const { steps } = plan;
  const lines = changeLines(changes, plan);
  const removes = changes.some(({ decision }) => decision.is === 'remove');
  const requests = counted(steps.length, 'request');
  return {
    command: 'members review',
    steps,
    doing: 'Applying',
    looks: { plan: ['impact'], dryRun: [] },
    // What each decision comes to, since the requests name ids.
    risks: lines.map((line) => `${line.trim()}.`),
    titles: Object.fromEntries(changes.map(({ member }) => [member.id, calledMember(member)])),
    question: {
      what: `Apply the review: ${counted(changes.length, 'decision')}, ${requests}`,
      ...howGrave(removes ? 'confirm' : 'change', steps.length),
    },
    tell(seen, attended) {
      if (attended) session.printer.warn(lines.join('\n'));
      return seen;
    },
    async done({ job }) {
      const undoes = job !== undefined && session.settings.rehearsal === undefined;
      const back = undoes ? ` docs undo ${job} undoes the changes that can be undone.` : '';
      await noteSaid(session, `Applied the review: ${requests} sent.${back}`);
    },
  };
}

function tellMistakes(session: Session, { mistakes, warnings }: Compared, skips: boolean): void {
  for (const warning of warnings) session.printer.warn(mistakeWords(warning));
  if (mistakes.length === 0) return;
  warnReader(session, mistakes.map(mistakeWords));
  if (!skips) throw badRows(mistakes);
  session.printer.note(`${counted(mistakes.length, 'invalid row')} skipped.`);
}

function changeLines(changes: readonly ReviewedMember[], { actions }: ReviewPlan): string[] {
  return changes.flatMap(({ decision, member }) => {
    const name = `  ${calledMember(member)}`;
    if (decision.is === 'role') return `${name}: ${member.role ?? 'guest'} to ${decision.role ?? 'guest'}`;
    return (actions.get(member.id) ?? []).map((action) => `${name}: ${actionWords(action)}`);
  });
}

/** `keep`, `remove` or `role=…`. */
export type Decision = { is: 'keep' } | { is: 'remove' } | { is: 'role'; role: string | null };

interface Decided {
  name: Name;
  index: number;
  decision: Decision;
  /** The role at the time of the review; undefined where the file has none. */
  reviewedRole?: string | null;
  place: Pick<Mistake, 'line' | 'column' | 'name'>;
}

/** A mistake, and the index of its row in the file. */
type Misplaced = Mistake & { index: number };

interface Decisions {
  decided: Decided[];
  undecided: number;
  mistakes: Misplaced[];
}

/**
 * Reads the decisions of a file.
 * @throws DocsError usage `missing_column`; `bad_rows` where a row names no member
 */
export function decisionsIn(rows: Rows): Decisions {
  const has = (name: string) => rows.header?.cells.some((cell) => sameName(cell.name, name));
  if (rows.header !== undefined && !has('decision')) {
    const message = `line ${rows.header.line}: missing column decision, which docs members review -o csv writes`;
    throw usageError('missing_column', message);
  }
  const { names } = namesIn(rows);
  const found: Decisions = { decided: [], undecided: 0, mistakes: [] };
  for (const [index, row] of rows.rows.entries()) {
    const name = names[index] as Name;
    const cell = row.cells.find((one) => sameName(one.name, 'decision'));
    const place = placeOf(row, cell);
    const read = cell === undefined ? undefined : decisionOf(cell.value);
    if (read === undefined) found.undecided += 1;
    else if (typeof read === 'string') found.mistakes.push({ index, ...place, message: read });
    else found.decided.push({ name, index, decision: read, place, ...reviewed(row, has('role') ?? false) });
  }
  return found;
}

function placeOf({ line }: Row, cell: Cell | undefined): Decided['place'] {
  return { line, name: 'decision', ...(cell !== undefined && cell.column > 0 && { column: cell.column }) };
}

/** @returns undefined where the cell is empty; what is wrong, as a sentence */
function decisionOf(value: unknown): Decision | string | undefined {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (text === '' || text === null) return undefined;
  if (text === 'keep' || text === 'remove') return { is: text };
  const role = typeof text === 'string' ? /^role\s*=\s*(.*)$/.exec(text)?.[1] : undefined;
  if (role === undefined)
    return `invalid decision ${JSON.stringify(value)}; expected keep, remove or role=<role>`;
  if (role === 'none' || role === 'guest') return { is: 'role', role: null };
  const known: readonly string[] = roles;
  if (known.includes(role)) return { is: 'role', role };
  const meant = nearest(role, known);
  return `unknown role ${JSON.stringify(role)}; expected one of ${known.join(', ')}, none${didYouMean(meant)}`;
}

/** The role at the time of the review: of guests the cell is empty, or `guest`. */
function reviewed({ cells }: Row, hasColumn: boolean): { reviewedRole?: string | null } {
  const { value } = cells.find(({ name }) => sameName(name, 'role')) ?? {
    value: hasColumn ? null : undefined,
  };
  if (value === null) return { reviewedRole: null };
  if (typeof value !== 'string') return {};
  const role = value.trim().toLowerCase();
  return { reviewedRole: ['', 'guest', 'none'].includes(role) ? null : role };
}

/** A decision about a member as it is now. */
interface ReviewedMember extends Decided {
  member: Member;
}

interface Compared {
  standing: ReviewedMember[];
  mistakes: Mistake[];
  /** Members who are kept, and whose role changed since the review. */
  warnings: Mistake[];
}

/** Compares the decisions with the platform. @param found the mistakes in the file itself */
async function compare(
  reading: Reading,
  decided: readonly Decided[],
  found: readonly Misplaced[],
): Promise<Compared> {
  const mistakes = [...found];
  const warnings: Mistake[] = [];
  const standing: ReviewedMember[] = [];
  const lines = new Map<string, number>();
  const names = decided.map(({ name }) => name);
  for (const [at, { name, member, wrong }] of (await lookUp(reading, names)).entries()) {
    const one = decided[at] as Decided;
    const mistaken = (message: string, place = one.place) =>
      mistakes.push({ index: one.index, ...place, message });
    if (member === undefined) {
      mistaken(wrong?.message ?? '', { ...one.place, ...name.place });
      continue;
    }
    const first = lines.get(member.id);
    lines.set(member.id, first ?? one.place.line);
    const changed = changedSince(one, member);
    if (first !== undefined)
      mistaken(`Duplicate decision for ${calledMember(member)}; the first is in line ${first}.`);
    else if (changed !== undefined && one.decision.is !== 'keep') mistaken(`${changed} Review it again.`);
    else {
      if (changed !== undefined) warnings.push({ ...one.place, message: changed });
      standing.push({ ...one, member });
    }
  }
  const ordered = mistakes.sort((a, b) => a.index - b.index).map(({ index: _, ...mistake }) => mistake);
  return { standing, mistakes: ordered, warnings };
}

/** A role that changed to the one decided on needs no second review. */
function changedSince({ decision, reviewedRole }: Decided, member: Member): string | undefined {
  if (reviewedRole === undefined || reviewedRole === member.role) return undefined;
  if (decision.is === 'role' && decision.role === member.role) return undefined;
  const [was, is] = [reviewedRole ?? 'guest', member.role ?? 'guest'];
  return `The role of ${calledMember(member)} changed from ${safeLine(was)} to ${safeLine(is)} since the review.`;
}

function isChange({ decision, member }: ReviewedMember): boolean {
  if (decision.is === 'role') return decision.role !== member.role;
  return decision.is === 'remove';
}

interface ReviewPlan {
  steps: JobItem[];
  actions: ReadonlyMap<string, Action[]>;
  reasons: string[];
}

/**
 * Turns the decisions of a review into requests: role changes, then removals.
 * @param heir id or email of the new owner of teams that would have none
 * @throws DocsError usage `bad_people` where there is no such heir; as `Client.call`
 */
async function planChanges(
  session: Session,
  reading: Reading,
  changes: readonly ReviewedMember[],
  heir: unknown,
): Promise<ReviewPlan> {
  // Without changes there is nothing to look up, for an empty plan either.
  if (changes.length === 0) return { steps: [], actions: new Map(), reasons: [] };
  const { client, organizationId } = reading;
  const removed = changes.filter(({ decision }) => decision.is === 'remove').map(({ member }) => member);
  const held = await readTeams(reading, removed);
  const leaving: Leaving = { organizationId, ...held, heir: await heirOf(reading, heir) };
  const lost = changes.filter(({ decision }) => !(decision.is === 'role' && decision.role === 'admin'));
  const members = ({ member }: ReviewedMember) => member;
  const lastAdmin = await lastAdminReason(reading, lost.map(members));
  const organization = await client.call(getOrg, { path: { organizationId } });
  const reasons = reasonsAgainst(leaving, organization, lastAdmin);
  const owner = await ownerOf(session, reading, changes.map(members));
  if (owner !== undefined) reasons.push(...ownerReasons(owner, changes.map(members), organization));
  const steps: JobItem[] = [];
  for (const { decision, member } of changes) {
    if (decision.is !== 'role') continue;
    const path = { organizationId, userId: member.id };
    const request = requestFor(updateMember, path, { role: decision.role });
    steps.push(jobItem({ ...request, expect: { role: member.role } }, steps.length));
  }
  const plan = planLeaving(leaving, steps.length);
  return { steps: [...steps, ...plan.steps], actions: plan.actions, reasons };
}

async function heirOf(reading: Reading, text: unknown): Promise<Member | undefined> {
  if (typeof text !== 'string') return undefined;
  const [looked] = await lookUp(reading, [{ text }]);
  if (looked?.member !== undefined) return looked.member;
  const message = `--reassign-teams-to: ${looked?.wrong?.message ?? ''}`;
  throw usageError('bad_people', message, { hint: 'docs members list' });
}
