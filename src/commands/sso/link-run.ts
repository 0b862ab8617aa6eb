import { resolve } from 'node:path';
import { refusal } from '../../access/guards.js';
import { type Name, wrongNames } from '../../access/names.js';
import { lockOutReasons, memberName, waysIn } from '../../access/saml-providers.js';
import type { Member } from '../../api/resources/members.js';
import { DocsError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import type { Applies, ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { wholeNumber } from '../../cli/parse/plain-values.js';
import { readBytes, readIds, textOf } from '../../cli/parse/typed-text.js';
import { askYes } from '../../cli/resolve/prompts.js';
import { beginChange, carryOut, failureOfOne } from '../../cli/run/carry-out.js';
import { linksOf } from '../../cli/run/link-guard.js';
import { howGrave } from '../../cli/run/operation-proposal.js';
import { noteSaid, refuse, warnReader } from '../../cli/run/output.js';
import type { Proposal, Sent } from '../../cli/run/proposal.js';
import { checkedReadingOf } from '../../cli/run/reading-of.js';
import type { ItemResult, JobItem, Source } from '../../jobs/journal.js';
import { sourceOf } from '../../jobs/look.js';
import { counted } from '../../output/text.js';
import type { Reading } from '../../snapshot/unread.js';
import { idpOf } from './idp.js';
import {
  batchesOf,
  lookUpMany,
  namesFrom,
  type PreparedLinks,
  planLinks,
  prepareLinks,
} from './link-plan.js';
import { usualBatch } from './shapes.js';

/** Refuses a plan of `sso link` that would leave no admin with a way in, as things stand now. */
export const applyLinks: Applies = async ({ session, client, calls, concurrency }) => {
  for (const { reading, linking } of linksOf(session, client, calls, concurrency))
    refuse(session, refusal(lockOutReasons(await waysIn(reading, linking, { nowMs: session.io.now }))));
  return {};
};

/** What is to be done, once it is known that it may be. */
interface Work {
  session: Session;
  input: ManualInput;
  prepared: PreparedLinks;
  organizationId: string;
}

/**
 * `docs sso link`.
 * @throws DocsError usage (exit 2) where it is refused: nothing was sent; not-found where a member is unknown;
 *   partial where not all are linked, or the canary could not sign in
 */
export async function linkMembers(session: Session, input: ManualInput): Promise<void> {
  const { globals, printer, io } = session;
  const { canaryOnly, canary, provider } = input.options;
  if (canaryOnly === true && canary === undefined)
    throw usageError('contradiction', '--canary-only requires --canary');
  refuseSharedStdin(input);
  await beginChange(session, {
    results: {},
    asks: 'Link members to SSO, which cannot be undone',
    journal:
      'the journal is off, and linking requires it: the API cannot unlink members, so a second run could not be undone',
  });
  const idp = await idpOf(session, input);
  const reading = await checkedReadingOf(session, input);
  const people = await peopleOf(session, input, reading);
  const prepared = await prepareLinks({
    ...{ reading, idp, canary: people.canary, nowMs: io.now },
    members: canaryOnly === true ? [] : people.members,
    provider: typeof provider === 'string' ? provider : undefined,
  });
  const { already, reasons } = prepared;
  if (already > 0) printer.note(`${counted(already, 'member')} already linked; skipped.`);
  const work: Work = { session, input, prepared, organizationId: reading.organizationId };
  const steps = stepsOf(work);
  if (steps.length === 0 && session.savePlan === undefined) return nothingToLink(session);
  // A dry run shows what would be sent, and then why it is refused.
  if (globals.dryRun) warnReader(session, overview(work));
  else refuse(session, refusal(reasons));
  await carryOut(session, input, { ...linkProposal(work, steps), source: people.source });
  refuse(session, refusal(reasons));
}

/** What is looked up beside the guard of links. */
const beside = ['exposure', 'impact'] as const;

/**
 * With somebody to ask, the canary is a job of its own, so that resuming the other never goes past the question.
 * With `--yes` all is one job, in which everybody waits for the canary.
 */
function linkProposal(work: Work, steps: readonly JobItem[]): Proposal {
  const { session, prepared } = work;
  const { members, canary, risks } = prepared;
  const isParted = session.globals.yes !== true && canary !== undefined && members.length > 0;
  const all = [...(canary === undefined ? [] : [canary]), ...members];
  const only =
    'docs apply links the canary first, and goes on without a question once a read shows it linked; plan it alone with --canary-only.';
  return {
    command: 'sso link',
    steps,
    doing: 'Linking',
    // It was looked at as a whole, with the identity provider.
    looks: { plan: beside, dryRun: beside, question: beside },
    risks: [...risks, ...(canary !== undefined && members.length > 0 ? [only] : [])],
    titles: Object.fromEntries(all.map((member) => [member.id, memberName(member)])),
    question: {
      what: `Link ${counted(steps.length, 'member')} to SSO`,
      ...howGrave('confirm', steps.length),
    },
    tell(seen, attended) {
      const lines = overview(work);
      if (attended) session.printer.warn(lines.join('\n'));
      else warnReader(session, lines);
      return seen;
    },
    ...(isParted && { send: (send) => linkInParts(work, canary, send) }),
    done: () => tellDone(work, steps.length),
  };
}

/** The canary first; the others once somebody says that it could sign in. */
async function linkInParts(
  work: Work,
  canary: Member,
  send: (part: Partial<Proposal>) => Promise<Sent>,
): Promise<void> {
  const first = await linkCanary(work, canary, send);
  await askWhether(work, canary, first);
  const steps = stepsOf(work, 'rest');
  await send({ steps, earlier: [rowOf(first)] });
  await tellDone(work, steps.length + 1);
}

/** Standard input can be read once. */
function refuseSharedStdin({ args, options: { idp, from } }: ManualInput): void {
  if (idp !== '-') return;
  const typed = [args.user ?? []].flat().includes('-');
  if (from !== '-' && !typed) return;
  const message = `--idp - and ${typed ? '<user...> as -' : '--from -'} both read standard input; pass one of them as a file`;
  throw usageError('contradiction', message, { hint: 'docs sso link --help' });
}

async function nothingToLink({ printer }: Session): Promise<void> {
  await printer.list([], {
    columns: [{ path: 'id' }, { path: 'status' }],
    fields: ['index', 'id', 'status', 'error'],
  });
  printer.note('No members to link; nothing was sent.');
}

function stepsOf(work: Work, part: 'all' | 'canary' | 'rest' = 'all'): JobItem[] {
  const { prepared, input, organizationId } = work;
  const canary = part === 'rest' ? undefined : prepared.canary?.id;
  const members = part === 'canary' ? [] : prepared.members.map(({ id }) => id);
  const { continue: continues } = input.options;
  return planLinks({
    ...{ organizationId, members, canary, first: part === 'rest' ? 1 : 0 },
    ...{ batch: batchIn(input), continues: continues === true },
  });
}

/** Members of a batch: 20 unless `--batch` says otherwise. */
function batchIn({ options: { batch } }: ManualInput): number {
  return batch === undefined ? usualBatch : wholeNumber('--batch', batch);
}

/** Whether they signed in since, nothing tells for sure: a session that was open goes on being seen. */
function linkedCanaryWords(canary: Member): string {
  const seen =
    canary.lastSeenAt === undefined
      ? 'was never seen'
      : `was last seen ${canary.lastSeenAt.slice(0, 16).replace('T', ' ')} UTC`;
  return `The canary ${memberName(canary)} was linked before, and ${seen}; go on only if they could sign in with SSO.`;
}

/** What is about to happen, before the first question. */
function overview({ prepared, input }: Work): string[] {
  const { canary, linkedCanary, members, risks } = prepared;
  const size = batchIn(input);
  const batches = batchesOf({ members: members.map(({ id }) => id), batch: size });
  const rest =
    canary === undefined ? counted(members.length, 'member') : counted(members.length, 'other member');
  const parts = [
    ...(canary === undefined ? [] : [`the canary ${memberName(canary)}`]),
    ...(members.length === 0
      ? []
      : [`${rest} in ${counted(batches, 'batch', 'batches')} of at most ${size}`]),
  ];
  const alone = canary === undefined && members.length > 1 && input.options.canary === undefined;
  return [
    `To link: ${parts.join(', then ')}.`,
    ...risks,
    ...(linkedCanary === undefined ? [] : [linkedCanaryWords(linkedCanary)]),
    ...(alone ? ['No canary: no member tries to sign in first. --canary <user> names one.'] : []),
  ];
}

/** @throws DocsError why it was not linked; its result is printed */
async function linkCanary(
  work: Work,
  canary: Member,
  send: (part: Partial<Proposal>) => Promise<Sent>,
): Promise<ItemResult> {
  const { session } = work;
  const steps = stepsOf(work, 'canary');
  const { result } = await send({ steps, source: undefined, isSingle: true });
  if (result?.status === 'ok') {
    await noteSaid(session, `✓ Linked the canary ${memberName(canary)}; reading it again confirms that.`);
    return result;
  }
  if (result !== undefined) await printAlone(work, result);
  throw failureOfOne(result);
}

/** @throws DocsError partial `canary_failed` where they could not sign in; interrupted */
async function askWhether(work: Work, canary: Member, first: ItemResult): Promise<void> {
  const { session, prepared } = work;
  const { members, providers } = prepared;
  const name = memberName(canary);
  const working = providers.filter(({ broken }) => broken.length === 0);
  for (const { startURL } of working) session.printer.note(`Ask ${name} to sign in at ${startURL}`);
  const rest = counted(members.length, 'other member');
  const left = `the canary ${name} is linked; ${rest} not`;
  const hint = atPlace('docs sso readiness', session.globals, session.io.platform);
  let agreed: boolean;
  try {
    agreed = await askYes(session, `Could ${name} sign in with SSO? Yes links the ${rest}`);
  } catch (cause) {
    if (!(cause instanceof DocsError) || cause.kind !== 'interrupted') throw cause;
    throw new DocsError('interrupted', 'interrupted', `interrupted: ${left}`, { outcome: 'done', hint });
  }
  if (agreed) return;
  await printAlone(work, first);
  throw new DocsError('partial', 'canary_failed', `${left}; run the same command again to go on`, {
    outcome: 'done',
    hint,
  });
}

async function printAlone({ session }: Work, result: ItemResult): Promise<void> {
  const { resultView } = await import('../../cli/run/job-results.js');
  await session.printer.list([rowOf(result)], resultView);
}

function rowOf({ index, id, status, failure }: ItemResult): Record<string, unknown> {
  return { index, id, status, ...(failure !== undefined && { error: failure.toJSON() }) };
}

async function tellDone({ session, input, prepared }: Work, linked: number): Promise<void> {
  await noteSaid(session, `Linked ${counted(linked, 'member')}; reading each again confirms it.`);
  if (input.options.canaryOnly === true && prepared.canary !== undefined)
    session.printer.note(
      'Once they could sign in, run the same command without --canary-only to link the rest.',
    );
}

interface People {
  /** Without the canary, each once. */
  members: Member[];
  canary: Member | undefined;
  source: Source | undefined;
}

/**
 * Who is to be linked, from arguments and flags.
 * @throws DocsError usage where there is nobody; as `namesFrom`, `lookUpMany`, `wrongNames`
 */
async function peopleOf(session: Session, { args, options }: ManualInput, reading: Reading): Promise<People> {
  const typed = await readIds(session, [args.user ?? []].flat(), 'user');
  const file = await fileOf(session, options.from);
  const names: Name[] = [...typed.map((text) => ({ text })), ...file.names];
  const canaryName = typeof options.canary === 'string' ? [{ text: options.canary }] : [];
  refuseNobody(names, options, canaryName.length > 0);
  const looked = await lookUpMany(reading, [...names, ...canaryName]);
  refuse(session, wrongNames(looked));
  const found = looked.flatMap(({ member }) => member ?? []);
  const canary = canaryName.length > 0 ? found.at(-1) : undefined;
  const all = new Map(found.slice(0, names.length).map((member) => [member.id, member]));
  const twice = names.length - all.size;
  if (twice > 0) session.printer.note(`Ignored ${counted(twice, 'duplicate')} of ${names.length} members.`);
  const members = [...all.values()].filter(({ id }) => id !== canary?.id);
  return { members, canary, source: file.source };
}

interface FileNames {
  names: Name[];
  source: Source | undefined;
}

async function fileOf(session: Session, from: unknown): Promise<FileNames> {
  if (typeof from !== 'string') return { names: [], source: undefined };
  const bytes = await readBytes(session, from, '--from');
  const { names, unused, others } = await namesFrom(textOf(session, bytes, from), from).catch((cause) => {
    throw exported(cause, session, from);
  });
  if (unused.length > 0) session.printer.note(`Ignored columns: ${unused.join(', ')}.`);
  if (others > 0) session.printer.note(`Ignored ${counted(others, 'row')} whose status is not to-link.`);
  return { names, source: from === '-' ? undefined : sourceOf(resolve(session.io.cwd, from), bytes) };
}

/** An export of the identity provider has other columns: `sso readiness` makes of it what can be linked. */
function exported(cause: unknown, { io }: Session, from: string): unknown {
  if (!(cause instanceof DocsError) || cause.code !== 'missing_column' || from === '-') return cause;
  const hint = `docs sso readiness --idp ${shellWord(from, io.platform)} --status to-link -o csv`;
  return usageError('missing_column', cause.message, { ...cause.failure, hint });
}

function refuseNobody(
  names: readonly Name[],
  { allowEmpty, from, canaryOnly }: ManualInput['options'],
  canary: boolean,
): void {
  if (names.length > 0 || allowEmpty === true || (canary && canaryOnly === true)) return;
  if (from !== undefined)
    throw usageError('no_items', 'no members given; add --allow-empty if that is intended');
  const message = 'no members given; pass <user...>, or --from with a file';
  throw usageError('missing_argument', message, { hint: 'docs sso readiness' });
}
