import { resolve } from 'node:path';
import { type FixStatus, fixStatuses, pageName, spaceName } from '../../access/links/finding.js';
import { openReader } from '../../backup/reader.js';
import { usageError } from '../../base/errors.js';
import { redactText } from '../../base/redaction.js';
import type { GroupEntry, ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { askFor, askYes } from '../../cli/resolve/prompts.js';
import { beginChange } from '../../cli/run/carry-out.js';
import { noteSaid, warnReader } from '../../cli/run/output.js';
import { checkedReadingOf } from '../../cli/run/reading-of.js';
import { readAll } from '../../jobs/sequence.js';
import type { View } from '../../output/printer.js';
import { showProgress } from '../../output/progress.js';
import { counted, safeLine } from '../../output/text.js';
import type { Draft, PlanNote } from '../../plans/plan.js';
import { contentDrafts, requestCalled } from '../../restore/content.js';
import type { Scope } from '../../snapshot/spaces.js';
import { notReadLines, type Reading } from '../../snapshot/unread.js';
import { checkImportBase } from '../shared/import-base.js';
import { propose } from '../shared/propose.js';
import { type Candidate, nameOf } from './contents.js';
import {
  correctedPages,
  type FoundLink,
  type FoundLinks,
  failureOf,
  findLinks,
  reasonsLeft,
  rowOf,
  summaryOf,
} from './find-links.js';
import { settleWaiting } from './fix-apply.js';
import { archiveUrl, checkArchives, type SpaceFix, spaceFixes, writeArchives } from './fix-archives.js';
import { formerTargets } from './new-target.js';

/** `docs links fix`: reads, reports, writes corrected pages, and proposes them. */

/**
 * @throws DocsError findings (exit 17), partial (exit 3); usage; as `findLinks`, `openReader`, `writeArchives`,
 *   `proposeFixes`
 */
export async function fixLinks(
  session: Session,
  input: ManualInput,
  view: View,
  groups: readonly GroupEntry[],
): Promise<void> {
  const { printer, globals } = session;
  const request = fixRequestOf(session, input);
  const { out, importBase, proposes } = request;
  if (proposes) await beginChange(session, { results: { plan: true } });
  else await printer.check(view);
  const reading = await checkedReadingOf(session, input);
  const found = await foundLinks(session, reading, request);
  const chosen: Choices =
    proposes || out !== undefined ? await chooseTargets(session, found.links, request) : new Map();
  for (const [link, choice] of chosen)
    if (link.found.is !== 'one' || link.found.candidate !== choice.candidate)
      link.found = { is: 'one', ...choice };
  const fixes = await spaceFixes(correctedPages(found.links, (link) => chosen.get(link)));
  if (out !== undefined && globals.dryRun !== true && fixes.length > 0)
    await writeArchives(session, out, fixes);
  if (!proposes) await printer.list(found.links.map(rowOf), view);
  if (out !== undefined) await tellWritten(session, out, fixes);
  if (proposes)
    await proposeFixes(session, input, groups, { base: importBase, found, fixes, chosen, reading });
  tell(session, found, request, { chosen, proposes });
}

async function foundLinks(
  session: Session,
  reading: Reading,
  { scope, backup }: FixRequest,
): Promise<FoundLinks> {
  const nowMs = session.io.now();
  const former = backup === undefined ? undefined : formerTargets(await openReader(backup, { nowMs }));
  return showProgress(session, 'Reading links', async (progress) => {
    const found = await findLinks(reading, { scope, former, onSpace: (read) => progress.count(read, 0) });
    const unread = await settleWaiting(reading, found.links);
    return { ...found, unread: [...found.unread, ...unread] };
  });
}

async function tellWritten(session: Session, out: string, fixes: readonly SpaceFix[]): Promise<void> {
  const { printer, globals } = session;
  const links = fixes.reduce((sum, fix) => sum + fix.links, 0);
  if (fixes.length === 0) printer.note('No link to correct; nothing was written.');
  else if (globals.dryRun) printer.note('Dry run: nothing was written.');
  else
    await noteSaid(
      session,
      `Wrote ${counted(fixes.length, 'archive')} with ${counted(links, 'corrected link')} to ${out}.`,
    );
}

/** What was not read, one a line; then the sum, as a failure if there is one. */
function tell(
  session: Session,
  found: FoundLinks,
  { failOn }: FixRequest,
  { chosen, proposes }: { chosen: Choices; proposes: boolean },
): void {
  const { io, printer } = session;
  warnReader(session, notReadLines([...found.tally.unread, ...found.unread]));
  const isPlanned = (link: FoundLink) => proposes && chosen.has(link);
  const failure = failureOf(found, { failOn, isPlanned, platform: io.platform });
  if (failure !== undefined) throw failure;
  printer.note(summaryOf(found));
  for (const sentence of reasonsLeft(found)) printer.note(redactText(sentence));
  const isUnused = (link: FoundLink) => {
    const { status, by } = rowOf(link);
    return status === 'proposed' && by === 'title' && !chosen.has(link);
  };
  if (found.links.some(isUnused)) printer.note('Targets found by title are used with --match-titles only.');
}

interface Fixes {
  /** Where the archives are hosted; undefined in a dry run that does not name it. */
  base: string | undefined;
  found: FoundLinks;
  fixes: readonly SpaceFix[];
  chosen: Choices;
  reading: Reading;
}

const risk =
  'An import goes by Markdown. Look through each change request before you merge it: it must change nothing but links.';

/** @throws DocsError not-found `archive_missing`; conflict `archive_differs`; as `propose` */
async function proposeFixes(
  session: Session,
  input: ManualInput,
  groups: readonly GroupEntry[],
  { base, found, fixes, chosen, reading }: Fixes,
): Promise<void> {
  const client = await session.client({ readOnly: true, timeoutPerRequest: true });
  const archives = fixes.map((fix) => ({ fix, url: archiveUrl(base ?? '<import-base>', fix) }));
  if (base !== undefined) await checkArchives(session, client, archives);
  // A run that was interrupted may have left its draft, which is completed.
  const drafts: Draft[] = [];
  const begun = await readAll(reading, archives, async ({ fix: { space, subject } }) =>
    requestCalled(client, space.id, subject, ['draft']),
  );
  for (const [index, { fix, url }] of archives.entries()) {
    const gap = { entry: fix.space, spaceId: fix.space.id, waiting: begun[index] };
    drafts.push(...contentDrafts(gap, { url, subject: fix.subject, first: drafts.length }));
  }
  const links = fixes.reduce((sum, fix) => sum + fix.links, 0);
  await propose(session, input, groups, {
    command: 'links fix',
    drafts,
    organization: reading.organizationId,
    risks: links === 0 ? [] : [risk],
    notes: notesOf(found, chosen),
    nothing: 'No link to fix.',
  });
}

/** What is left, once for each space and reason. */
function notesOf({ links }: FoundLinks, chosen: Choices): PlanNote[] {
  const notes = new Map<string, PlanNote & { count: number }>();
  for (const link of links) {
    if (chosen.has(link)) continue;
    const { status, by, why, space, changeRequest } = rowOf(link);
    const message =
      status === 'fixed'
        ? `Change request ${changeRequest} has it corrected; review and merge it.`
        : by === 'title' && status === 'proposed'
          ? 'Its target was found by title alone; --match-titles uses it.'
          : `Left: ${why}.`;
    const item = redactText(`broken links of ${spaceName(space)}`);
    const known = notes.get(`${space.id} ${message}`);
    const hint = `docs links fix --space ${space.id}`;
    const code = status === 'fixed' ? 'waits' : 'not-fixed';
    const note = { code, item, message: redactText(message), hint };
    notes.set(`${space.id} ${message}`, { ...note, count: (known?.count ?? 0) + 1 });
  }
  return [...notes.values()];
}

type Choice = { candidate: Candidate; by: 'id' | 'title' };
type Choices = ReadonlyMap<FoundLink, Choice>;

/** Asks on a terminal about each link that was found by title, where corrections are to be made. */
async function chooseTargets(
  session: Session,
  links: readonly FoundLink[],
  { matchTitles, out, proposes }: FixRequest,
): Promise<Choices> {
  const makes = out !== undefined || proposes;
  const { globals } = session;
  const asks = makes && session.interactive && globals.yes !== true;
  const chosen = new Map<FoundLink, Choice>();
  for (const link of links) {
    const { found, fixedIn } = link;
    if (fixedIn !== undefined || found.is === 'none') continue;
    const { by } = found;
    const sure = found.is === 'one' && (by === 'id' || matchTitles) ? found.candidate : undefined;
    const candidate =
      sure ?? (asks && !(matchTitles && found.is === 'one') ? await asked(session, link) : undefined);
    if (candidate !== undefined) chosen.set(link, { candidate, by });
  }
  return chosen;
}

async function asked(session: Session, { finding, found }: FoundLink): Promise<Candidate | undefined> {
  if (found.is === 'none') return undefined;
  const from = `${finding.link} on ${pageName(finding)} of ${spaceName(finding.space)}`;
  if (found.is === 'one') {
    const agreed = await askYes(session, safeLine(`${from}: link to ${nameOf(found.candidate)}?`));
    return agreed ? found.candidate : undefined;
  }
  const choices = found.candidates.map((one, index) => ({
    value: String(index),
    name: safeLine(nameOf(one)),
  }));
  const typed = await askFor(session, {
    what: '--match-titles',
    label: safeLine(from),
    choices: [{ value: 'none', name: 'leave it as it is' }, ...choices],
  });
  return found.candidates[Number(typed)];
}

/** What `links fix` was asked to do, from what was typed. */
interface FixRequest {
  scope: Scope;
  /** Absolute path. */
  backup?: string;
  matchTitles: boolean;
  /** Absolute path. */
  out?: string;
  /** Whether change requests are to be made, planned or shown. */
  proposes: boolean;
  /** Where the archives are hosted; needed to propose, but not for a dry run of it. */
  importBase?: string;
  failOn: readonly FixStatus[];
}

const hint = 'docs links fix --help';

/** Reads and checks the flags; nothing is sent. @throws DocsError usage */
function fixRequestOf(session: Session, { options }: ManualInput): FixRequest {
  const one = (name: string) => options[name] as string | undefined;
  const many = (name: string) => (options[name] as string[] | undefined) ?? [];
  const proposes = options.asChangeRequest === true || session.savePlan !== undefined;
  const [importBase, out, backup] = [one('importBase'), one('out'), one('backup')];
  const isShown = session.globals.dryRun === true && session.savePlan === undefined;
  if (proposes && importBase === undefined && !isShown) {
    const flag = options.asChangeRequest === true ? '--as-change-request' : '--save-plan';
    const message = `${flag} requires --import-base: the platform imports corrected pages from an address; nothing was sent.`;
    throw usageError('missing_flag', message, { hint });
  }
  if (!proposes && importBase !== undefined)
    throw usageError('contradiction', '--import-base requires --as-change-request or --save-plan.', { hint });
  if (importBase !== undefined) checkImportBase(session, importBase, hint);
  const path = (typed: string | undefined) =>
    typed === undefined ? undefined : resolve(session.io.cwd, typed);
  return {
    scope: { spaces: many('space'), collections: many('collection'), sites: many('site') },
    proposes,
    matchTitles: options.matchTitles === true,
    failOn: fixStatuses.filter((status) => many('failOn').includes(status)),
    ...{ importBase, out: path(out), backup: path(backup) },
  };
}
