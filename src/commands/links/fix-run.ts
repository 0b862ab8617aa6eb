import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type FixStatus, fixStatuses, NewTarget, pageName, spaceName } from '../../access/links/finding.js';
import type { Client } from '../../api/client.js';
import { isLoopback } from '../../api/transport/address.js';
import { type Static, Type } from '../../api/type.js';
import { type Candidate, nameOf } from '../../backup/link-content.js';
import { formerTargets } from '../../backup/link-target.js';
import { keepFolder, pageText, placeInPack, zipOf } from '../../backup/pack.js';
import { openReader } from '../../backup/reader.js';
import { withoutFinalSlashes } from '../../base/characters.js';
import { DocsError, localIoError, systemCode, usageError } from '../../base/errors.js';
import { makeFolders } from '../../base/own-files.js';
import { redactText } from '../../base/redaction.js';
import { groupBy } from '../../base/values.js';
import { safeFileName } from '../../base/write-file.js';
import type { GroupEntry, ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { askFor, askYes } from '../../cli/resolve/prompts.js';
import { beginChange } from '../../cli/run/carry-out.js';
import { noteSaid, warnReader } from '../../cli/run/output.js';
import { checkedReadingOf } from '../../cli/run/reading-of.js';
import { platformOf } from '../../cli/run/session-job.js';
import { writeAskedFile } from '../../files/asked-file.js';
import { readAll } from '../../jobs/sequence.js';
import { closed, oneOf, text } from '../../output/printed-shapes.js';
import type { View } from '../../output/printer.js';
import { showProgress } from '../../output/progress.js';
import { counted, safeLine } from '../../output/text.js';
import type { Draft, PlanNote } from '../../plans/plan.js';
import { checkImportBase, contentDrafts, requestCalled } from '../../restore/content.js';
import type { Scope } from '../../snapshot/spaces.js';
import { notReadLines, type Reading } from '../../snapshot/unread.js';
import { propose } from '../shared/propose.js';
import {
  type CorrectedPage,
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

/**
 * The corrected pages of each space as an archive: made, written into a folder, and looked up where it is hosted.
 */

/** The list of what is in the archives, beside them. */
const indexName = 'index.json';

/** @throws DocsError usage `file_exists`; local-io (exit 13) */
async function writeArchives(
  { globals, io }: Session,
  out: string,
  fixes: readonly SpaceFix[],
): Promise<void> {
  const index = `${JSON.stringify(indexOf(fixes), undefined, 2)}\n`;
  const files = [
    ...fixes.map(({ name, bytes }) => ({ path: join(out, name), bytes })),
    { path: join(out, indexName), bytes: index },
  ];
  for (const { path } of files) {
    const found = await stat(path).catch((cause: unknown) => {
      if (systemCode(cause) === 'ENOENT') return undefined;
      throw localIoError(cause, `cannot write ${path}`);
    });
    if (found !== undefined && !globals.yes)
      throw usageError(
        'file_exists',
        `${path} already exists; nothing was written. Add --yes to replace it.`,
      );
  }
  try {
    makeFolders(out);
  } catch (cause) {
    throw localIoError(cause, `cannot write ${out}`);
  }
  for (const { path, bytes } of files) await writeAskedFile(io, path, bytes);
}

/**
 * Where the platform imports an archive from. The revision that it was made from goes along: hosts ignore it, and
 * applying a plan compares it.
 */
function archiveUrl(base: string, { name, pages }: SpaceFix): string {
  const revision = encodeURIComponent(pages[0]?.content.revision ?? '');
  return `${withoutFinalSlashes(base)}/${encodeURIComponent(name)}?revision=${revision}`;
}

/**
 * Compares what is hosted with what was made now, so that no change request is made of anything else. A sandbox has
 * archives in its folder, where nothing can be looked up, unless the address is of this machine.
 * @throws DocsError not-found `archive_missing`; conflict `archive_differs`
 */
async function checkArchives(
  session: Session,
  client: Client,
  archives: readonly { fix: SpaceFix; url: string }[],
): Promise<void> {
  for (const { fix, url } of archives) {
    if (platformOf(session) === 'sandbox' && !isLoopback(new URL(url).hostname)) continue;
    const hosted = await hostedBytes(session, client, url, fix.bytes.length);
    const hint = 'docs links fix --out <folder>';
    if (hosted === undefined)
      throw new DocsError('not-found', 'archive_missing', `no archive at ${url}; nothing was changed`, {
        ...{ outcome: 'not-sent', hint },
      });
    if (!hosted.equals(fix.bytes)) {
      const message = `the archive at ${url} does not have the corrected pages of now; nothing was changed`;
      throw new DocsError('conflict', 'archive_differs', message, { outcome: 'not-sent', hint });
    }
  }
}

/** @returns undefined where nothing can be downloaded; one byte more than asked for at most */
async function hostedBytes(
  { io }: Session,
  client: Client,
  url: string,
  length: number,
): Promise<Buffer | undefined> {
  const end = new AbortController();
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    const bytes = await client.download(url, { signal: AbortSignal.any([io.signal, end.signal]) });
    for await (const piece of bytes) {
      pieces.push(piece);
      size += piece.length;
      if (size > length) break;
    }
    return Buffer.concat(pieces);
  } catch (cause) {
    if (io.signal.aborted || !(cause instanceof DocsError)) throw cause;
    return undefined;
  } finally {
    end.abort();
  }
}

/** A space with corrected pages. */
interface SpaceFix {
  space: { id: string; title: string };
  pages: readonly CorrectedPage[];
  /** How many links it corrects. */
  links: number;
  /** Name of the archive. */
  name: string;
  bytes: Uint8Array;
  sha256: string;
  /** Of its change request: the same for the same archive, so that a second run finds the first. */
  subject: string;
  /** Where each page stands in the archive, by id. */
  places: ReadonlyMap<string, string>;
}

/** What is in the archives, beside them: `index.json`. */
const FixIndex = closed({
  format: oneOf('docs-link-fixes/1'),
  spaces: Type.Array(
    closed({
      id: text,
      title: text,
      archive: text,
      sha256: text,
      subject: text,
      pages: Type.Array(
        closed({
          id: text,
          title: text,
          file: text,
          links: Type.Array(
            closed({ fingerprint: text, link: text, by: oneOf('id', 'title'), target: NewTarget }),
          ),
        }),
      ),
    }),
  ),
});
type FixIndex = Static<typeof FixIndex>;

/** One for each space, in the order of the pages. */
export async function spaceFixes(pages: readonly CorrectedPage[]): Promise<SpaceFix[]> {
  const spaces = groupBy(pages, ({ content }) => content.space.id);
  return Promise.all([...spaces.values()].map(fixOf));
}

async function fixOf(pages: readonly CorrectedPage[]): Promise<SpaceFix> {
  const { content } = pages[0] as CorrectedPage;
  const { space } = content;
  const corrected = new Map(pages.map((page) => [page.pageId, page.corrected]));
  const placed = placeInPack(content.pages, false).pages.filter(({ page }) => corrected.has(page.id));
  const folder = safeFileName(space.title);
  const around = keepFolder(placed, [], folder);
  const items = placed.map(({ page, file }) => ({
    path: around + file,
    bytes: async () => once(Buffer.from(pageText(page, corrected.get(page.id) ?? ''))),
  }));
  const bytes = await collected(zipOf(items.sort((a, b) => (a.path < b.path ? -1 : 1))));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const links = pages.reduce((sum, page) => sum + page.links.length, 0);
  return {
    ...{ space, pages, links, bytes, sha256, name: `${folder}-${space.id}.zip` },
    subject: `Fix ${counted(links, 'broken link')} (${sha256.slice(0, 8)})`,
    places: new Map(placed.map(({ page, file }) => [page.id, around + file])),
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}

async function collected(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

function indexOf(fixes: readonly SpaceFix[]): FixIndex {
  return {
    format: 'docs-link-fixes/1',
    spaces: fixes.map(({ space, name, sha256, subject, pages, places }) => ({
      ...space,
      ...{ archive: name, sha256, subject },
      pages: pages.map(({ content, pageId, links }) => ({
        id: pageId,
        title: content.byId.get(pageId)?.page.title ?? pageId,
        file: places.get(pageId) ?? '',
        links: links.map(({ finding, target, by }) => ({
          ...{ fingerprint: finding.fingerprint, link: finding.link, by, target },
        })),
      })),
    })),
  };
}

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
  'An import uses Markdown. Review each change request before you merge it: it must change only links.';

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
  // Other previews need the address that the archives are imported from.
  if (base === undefined) session.previewed?.splice(0);
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
    choices: [{ value: 'none', name: 'do not change it' }, ...choices],
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
    const message = `${flag} requires --import-base: the platform imports corrected pages from an address; nothing was sent`;
    throw usageError('missing_flag', message, { hint });
  }
  if (!proposes && importBase !== undefined)
    throw usageError('contradiction', '--import-base requires --as-change-request or --save-plan', { hint });
  if (importBase !== undefined) checkImportBase(importBase, platformOf(session), hint);
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
