import { resolve } from 'node:path';
import type { Client } from '../../api/client.js';
import type { Manifest } from '../../backup/manifest.js';
import { openReader } from '../../backup/reader.js';
import { DocsError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { asText, defined } from '../../base/values.js';
import type { GroupEntry, ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { applyPlan } from '../../cli/run/apply-plan.js';
import { beginChange, causeOf, notePreviewed } from '../../cli/run/carry-out.js';
import { concurrencyOf } from '../../cli/run/gather.js';
import { leftError, printUnsent } from '../../cli/run/job-results.js';
import { planDrafts, planFacts } from '../../cli/run/make-plan.js';
import { originOf } from '../../cli/run/origin.js';
import { noteSaid } from '../../cli/run/output.js';
import { savedText } from '../../cli/run/save-plan.js';
import { platformOf } from '../../cli/run/session-job.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { type RestorePart, restoreParts } from '../../model/resources.js';
import { readLive } from '../../organization/live/read.js';
import { snapshotReads } from '../../organization/live/snapshot.js';
import { sentencesOf } from '../../organization/match.js';
import { showProgress } from '../../output/progress.js';
import { counted } from '../../output/text.js';
import { guardCode } from '../../plans/check.js';
import { writePlan } from '../../plans/file.js';
import { sends } from '../../plans/operation.js';
import type { Plan, PlanNote } from '../../plans/plan.js';
import { backupClient, checkedReader, orderedCollections } from '../../restore/backup-client.js';
import { checkImportBase, checkPacks } from '../../restore/content.js';
import { refusedRestores, sitesMade } from '../../restore/lost-spaces.js';
import { wantsOf } from '../../restore/parts.js';
import { planRestore, type Restore, type RestoreOptions } from '../../restore/plan-restore.js';
import { atOf, pickSpaces } from '../shared/backup-flags.js';
import { printPlan } from '../shared/print-plan.js';

/** `docs backup restore`: what a backup has becomes a plan, and the plan a job. */

const command = 'backup restore';

/**
 * @throws DocsError usage `other_organization`, `unknown_space`; findings `backup_damaged` (exit 17); partial where
 *   something cannot be restored; as `openReader`, `applyPlan`
 */
export async function restoreBackup(
  session: Session,
  input: ManualInput,
  groups: readonly GroupEntry[],
): Promise<void> {
  const { io, globals, savePlan } = session;
  await beginChange(session, { results: { plan: true } });
  const restoring = await begin(session, input);
  const { plan, found } = await planned(session, restoring);
  if (savePlan !== undefined || globals.dryRun) {
    if (savePlan !== undefined) await writePlan(io, resolve(io.cwd, savePlan), plan);
    await printPlan(session, plan, input);
    const saved = savePlan === undefined ? undefined : await savedText(session, plan, savePlan);
    session.printer.note(saved ?? 'Dry run: nothing was sent.');
    return notePreviewed(session, { plan }, savePlan === undefined ? '--dry-run' : '--save-plan');
  }
  if (!plan.operations.some(sends)) return nothingToSend(session, plan, found);
  const failure = await causeOf(() => applyPlan(session, plan, input, { groups }));
  const next =
    failure === undefined || isLeftOver(failure) ? await readBack(session, restoring, plan) : undefined;
  // The row of what failed says why; the hint for a next run would be another one.
  if (next !== undefined && !isFinding(failure)) throw next;
  if (failure !== undefined) throw hinted(failure, restoring.commands.again);
}

/** What a restore needs, read once. */
interface Restoring extends Omit<RestoreOptions, 'client' | 'live' | 'planning'> {
  client: Client;
}

async function begin(session: Session, input: ManualInput): Promise<Restoring> {
  const { io } = session;
  const typed = String(input.args.folder);
  const opened = await openReader(resolve(io.cwd, typed), atOf(input.options, io));
  requireSame(session, opened.manifest);
  const only = spacesOf(opened.manifest, input, typed);
  const chosen = partsOf(input, only !== undefined);
  const reader = await checkedReader(opened);
  const client = await session.client({ readOnly: true, timeoutPerRequest: true });
  const importBase = asText(input.options.importBase);
  if (importBase !== undefined) checkImportBase(importBase, platformOf(session));
  const { id } = opened.manifest.organization;
  const saved = await readLive(backupClient(reader), id, wantsOf(chosen), () => {});
  const ordered = await orderedCollections(reader);
  const commands = commandsOf(session, input, typed);
  const access =
    input.options.access === false ? undefined : { concurrency: concurrencyOf(input), signal: io.signal };
  const more = { importBase, access, commands, ...journaled(session) };
  return { reader, client, saved, ordered, parts: chosen, only, ...more };
}

/** What the journals of this machine know of earlier restores. */
function journaled(session: Session): Pick<RestoreOptions, 'wasRefused' | 'madeHere'> {
  const [folder, origin] = [new JobFolder(session.io), originOf(session)];
  return { wasRefused: refusedRestores(folder, origin), madeHere: sitesMade(folder, origin) };
}

/** Commands that go on, for the same run of the backup and what was asked for. */
function commandsOf(
  { globals, io }: Session,
  { options }: ManualInput,
  typed: string,
): RestoreOptions['commands'] {
  const word = (text: string) => shellWord(text, io.platform);
  const flag = (name: string, value: unknown) =>
    [value ?? []].flat().map((one) => ` --${name} ${word(String(one))}`);
  const here = (text: string) => atPlace(text, globals, io.platform);
  const at = flag('at', options.at).join('');
  const only = flag('only', options.only).join('');
  const base = flag('import-base', options.importBase).join('');
  const access = options.access === false ? ' --no-access' : '';
  const start = `docs ${command} ${word(typed)}${at}${access}`;
  return {
    again: here(`${start}${flag('space', options.space).join('')}${only}${base}`),
    space: ({ title }) =>
      here(`${start} --space ${word(title)}${base === '' ? ' --import-base <url>' : base}`),
    pack: ({ title }) => here(`docs backup pack ${word(typed)}${at} --space ${word(title)} --out packs`),
  };
}

/** @throws DocsError usage `other_organization`: a restore matches by ids, which another organization has not */
function requireSame({ settings }: Session, { organization }: Manifest): void {
  const org = settings.org?.value;
  if (org === undefined || org === organization.id) return;
  const message = `the backup is of the organization ${organization.title} (${organization.id}), not of ${org}; nothing was changed`;
  throw usageError('other_organization', message, { hint: `docs ${command} --help` });
}

/** The spaces of `--space`. @throws DocsError as `pickSpaces` */
function spacesOf(
  manifest: Manifest,
  { options }: ManualInput,
  folder: string,
): ReadonlySet<string> | undefined {
  const typed = [options.space ?? []].flat().map(String);
  if (typed.length === 0) return undefined;
  return new Set(pickSpaces(manifest, typed, folder).map(({ id }) => id));
}

/** Parts of which a single space has something. */
const ofSpaces: readonly RestorePart[] = ['structure', 'fields', 'pages'];

/** @throws DocsError usage `contradiction` where `--space` has nothing of the parts */
function partsOf({ options }: ManualInput, forSpaces: boolean): ReadonlySet<RestorePart> {
  const typed = [options.only ?? []].flat().map(String);
  const asked = restoreParts.filter((part) => typed.length === 0 || typed.includes(part));
  const chosen = forSpaces ? asked.filter((part) => ofSpaces.includes(part)) : asked;
  if (chosen.length > 0) return new Set(chosen);
  throw usageError(
    'contradiction',
    `--space restores ${ofSpaces.join(', ')} of spaces, and --only names none of them`,
  );
}

/** Reads the platform and makes the plan. */
async function planned(session: Session, restoring: Restoring): Promise<{ plan: Plan; found: Restore }> {
  const { globals } = session;
  const { client, saved } = restoring;
  const facts = await planFacts(session, command, {
    organization: saved.organizationId,
    title: restoring.reader.manifest.organization.title,
  });
  const self = facts.by === 'unknown' ? undefined : facts.by;
  const { live, found } = await compared(session, restoring, defined({ self }));
  // A sandbox has the archives in its folder, where nothing can be looked up.
  if (platformOf(session) !== 'sandbox') await checkPacks(client, found.packs, session.io.signal);
  const isRead = globals.dryRun === true || globals.yes !== true;
  const { drafts, risks, notes } = found;
  const planning = { drafts, risks, notes, isRead };
  return { plan: await planDrafts(session, snapshotReads(live, client), facts, planning), found };
}

async function compared(
  session: Session,
  restoring: Restoring,
  planning: Partial<RestoreOptions['planning']> = {},
): Promise<{ live: RestoreOptions['live']; found: Restore }> {
  const { client, saved, parts: chosen } = restoring;
  const live = await showProgress(session, 'Reading the organization', (progress) =>
    readLive(client, saved.organizationId, wantsOf(chosen), (items) => progress.count(items)),
  );
  for (const sentence of sentencesOf(live)) session.printer.warn(sentence);
  const found = await showProgress(session, 'Comparing', (progress) => {
    const access = restoring.access && { ...restoring.access, onMember: progress.count };
    return planRestore({ ...restoring, access, live, planning: { env: session.io.env, ...planning } });
  });
  return { live, found };
}

/**
 * Reads again what was restored: an answer of the platform alone proves nothing.
 * @param plan what was applied
 * @returns partial `restore_goes_on` where a next run has something to do that this one had not
 */
async function readBack(session: Session, restoring: Restoring, plan: Plan): Promise<DocsError | undefined> {
  const { printer } = session;
  const { found } = await compared(session, { ...restoring, ...journaled(session) });
  const left = found.drafts.filter(({ change }) => change !== undefined);
  const { again } = restoring.commands;
  for (const { item, message, hint } of found.waits) printer.note(`${item}: ${message} ${hint}`);
  noteDifferences(session, found);
  const kept = found.drafts.length - left.length;
  const buts = [
    ...(kept === 0 ? [] : [counted(kept, 'finding')]),
    ...(found.waits.length === 0 ? [] : ['the content that waits to be merged']),
  ];
  const what = buts.length === 0 ? 'all that can be restored' : `all but ${buts.join(' and ')}`;
  if (left.length === 0)
    await noteSaid(
      session,
      `Read again: ${what} is as in the backup.`,
      `Restored: ${what} is as in the backup, read again.`,
    );
  else printer.warn(`Read again: ${counted(left.length, 'change')} left. To go on, run ${again}.`);
  const done = new Set(
    plan.operations.filter(sends).map(({ request, key }) => `${request?.operation} ${key}`),
  );
  if (!left.some(({ change, key }) => !done.has(`${change?.op.id} ${key}`))) return undefined;
  return new DocsError(
    'partial',
    'restore_goes_on',
    `${counted(left.length, 'change')} left for the next run`,
    {
      hint: again,
      // The same command goes on.
      retryable: true,
      details: { left: left.length },
    },
  );
}

/** Whether somebody has something to do, which the error says. */
function isFinding(cause: unknown): boolean {
  return cause instanceof DocsError && cause.code === 'left_over';
}

/** A broken guard is answered by leaving a part out. */
function hinted(cause: unknown, again: string): unknown {
  if (!(cause instanceof DocsError) || cause.code !== guardCode) return cause;
  return cause.changed({ hint: `${again} --only <part>` });
}

function isLeftOver(cause: unknown): boolean {
  return cause instanceof DocsError && (cause.code === 'left_over' || cause.kind === 'partial');
}

/** A restore that has nothing to send: what differs all the same, and what it never brings back. */
async function nothingToSend(session: Session, plan: Plan, found: Restore): Promise<void> {
  const { printer } = session;
  const isSame = found.differing.length === 0;
  await printUnsent(session, plan, isSame ? 'Nothing to restore.' : 'Nothing more can be restored.');
  for (const { code, item, message, hint = '' } of plan.notes ?? [])
    if (code !== 'not-restored') printer.note(`${item}: ${message} ${hint}`.trimEnd());
  noteDifferences(session, found);
  const differing = new Set(found.differing.map(({ item }) => item));
  const lacks = (plan.notes ?? []).filter(
    ({ code, item }) => code === 'not-restored' && !differing.has(item),
  );
  if (lacks.length > 0) printer.note(`Not restored: ${lacks.map(nameOf).join(', ')}. --dry-run says why.`);
  const left = leftError(session, plan, 0);
  if (left !== undefined) throw left;
}

/** What differs from the backup and no restore changes, access above all. */
function noteDifferences({ printer }: Session, { differing, access }: Restore): void {
  if (differing.length > 0) printer.note('Still different from the backup:');
  for (const note of differing) printer.note(`  ${nameOf(note)}: ${note.message}`);
  if (access?.state === 'unknown') printer.note(`Access was not compared: ${access.why}.`);
  if (access?.state !== 'compared' || access.changes > 0) return;
  const compared = `${counted(access.members, 'member')} in ${counted(access.spaces, 'space')}`;
  const unread = access.unread === 0 ? '' : `; that of ${counted(access.unread, 'member')} could not be read`;
  printer.note(`Access is as in the backup: ${compared}${unread}.`);
}

function nameOf({ item, count }: Pick<PlanNote, 'item' | 'count'>): string {
  return count === undefined ? item : `${item} (${count})`;
}
