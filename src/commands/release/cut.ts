import { DocsError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import type { GroupEntry, ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import type { Check } from '../../cli/declare/takers.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { beginChange } from '../../cli/run/carry-out.js';
import { noteSaid } from '../../cli/run/output.js';
import { checkedReadingOf } from '../../cli/run/reading-of.js';
import { publishedUrl } from '../../jobs/proofs.js';
import { counted } from '../../output/text.js';
import type { Draft, PlanNote } from '../../plans/plan.js';
import { parseDuration } from '../../settings/duration.js';
import { organization } from '../../snapshot/organization.js';
import type { Reading } from '../../snapshot/unread.js';
import { propose } from '../shared/propose.js';
import { type Cut, draftsOfCut } from './drafts.js';
import {
  defaultPattern,
  defaultWait,
  originOf,
  pathOf,
  refuseForeignDefault,
  sectionTitleOf,
  sourcesOf,
  titlesOf,
  versionOf,
} from './site.js';
import { readVersion, refuseUnfinished } from './version.js';

/** `docs sites release cut`: what is missing of a version becomes a plan, and the plan a job. */

const command = 'sites release cut';

/**
 * @throws DocsError usage `missing_from`, `unbounded_wait`, `unfinished_job`; as `originOf`, `sourcesOf`, `pathOf`,
 *   `titlesOf`, `standingOf`, `propose`
 */
export async function cutRelease(
  session: Session,
  input: ManualInput,
  groups: readonly GroupEntry[],
): Promise<void> {
  const typed = typedIn(session, input);
  await beginChange(session, { results: { plan: true } });
  const reading = await checkedReadingOf(session, input);
  const cut = await cutOf(session, reading, typed);
  const findings = findingsOf(cut);
  const drafts: Draft[] = findings.length > 0 ? findings : draftsOfCut(cut);
  const isApplied = await propose(session, input, groups, {
    command,
    drafts,
    organization: reading.organizationId,
    risks: findings.length > 0 ? [] : risksOf(cut),
    notes: findings.length > 0 ? [] : notesOf(cut),
    nothing: `${calledIn(cut)} is on the site already.`,
  });
  const isThere = drafts.length === 0 && session.savePlan === undefined && session.globals.dryRun !== true;
  if (isApplied || isThere) await tellUrl(session, reading, cut, isThere);
}

/** What was typed, checked as far as that needs no read. */
interface Typed {
  version: string;
  from: string;
  pattern: string;
  path: string | undefined;
  use: readonly string[];
  makeDefault: boolean;
  waitMs: number;
  /** The same command with further flags. */
  again(more: string): string;
}

/** Of a version and, without `--path`, of the path that is made of it. @throws DocsError as `versionOf`, `pathOf` */
export const checkVersion: Check = (typed, _, { options: { path } }) => {
  const isGiven = typeof path === 'string';
  pathOf(versionOf(typed), isGiven ? path : undefined, (near) => `docs sites release cut --path ${near}`);
};

function typedIn(session: Session, { args, options }: ManualInput): Typed {
  const version = versionOf(String(args.version));
  const { from, path, makeDefault } = options;
  if (typeof from !== 'string')
    throw usageError('missing_from', 'missing --from <section|space>: what the version is cut from', {
      hint: 'docs sites release cut --help',
    });
  return {
    version,
    from,
    pattern: typeof options.title === 'string' ? options.title : defaultPattern,
    path: typeof path === 'string' ? path : undefined,
    use: [options.use ?? []].flat().map(String),
    makeDefault: makeDefault === true,
    waitMs: waitOf(options.wait),
    again: (more) => againIn(session, version, options, more),
  };
}

/** @throws DocsError usage `unbounded_wait`; as `parseDuration` */
function waitOf(typed: unknown): number {
  const ms = parseDuration(typeof typed === 'string' ? typed : defaultWait);
  if (ms !== 'none') return ms;
  throw usageError('unbounded_wait', '--wait needs a limit, such as 60s or 10m; nothing was sent');
}

function againIn(
  { globals, io, settings }: Session,
  version: string,
  options: ManualInput['options'],
  more: string,
): string {
  const word = (text: unknown) => shellWord(String(text), io.platform);
  const flag = (name: string, value: unknown) => (value === undefined ? '' : ` --${name} ${word(value)}`);
  const title = options.title === defaultPattern ? undefined : options.title;
  const path = more.includes('--path ') ? undefined : options.path;
  const line = [
    `docs ${command} ${word(version)}${flag('site', settings.site?.value)}${flag('from', options.from)}`,
    `${flag('title', title)}${flag('path', path)}${options.makeDefault === true ? ' --make-default' : ''}`,
    more === '' ? '' : ` ${more}`,
  ].join('');
  return atPlace(line, globals, io.platform);
}

async function cutOf(session: Session, reading: Reading, typed: Typed): Promise<Cut> {
  const { version, pattern, use, makeDefault, waitMs, again } = typed;
  const word = (text: string) => shellWord(text, session.io.platform);
  const path = pathOf(version, typed.path, (found) =>
    again(`--path ${found === '<path>' ? found : word(found)}`),
  );
  const site = await organization(reading)
    .site(await contextId(session, 'site'))
    .content();
  const origin = originOf(site, typed.from);
  if (origin.kind === 'section') sectionTitleOf(version);
  const sources = sourcesOf(site, origin);
  const originals = sources.map(({ space }) => space.title);
  const titles = titlesOf(originals, version, pattern);
  refuseUnfinished(session, { sources: sources.map(({ space }) => space.id), titles });
  const flags = (ids: readonly string[], other?: string) =>
    again(
      [
        ...ids.map((id) => `--use ${word(id)}`),
        ...(other === undefined ? [] : [`--path ${word(other)}`]),
      ].join(' '),
    );
  if (makeDefault) refuseForeignDefault(site, origin, pattern);
  const isPathTyped = typed.path !== undefined;
  const wanted = { version, path, isPathTyped, pattern, titles, origin, sources, use, again: flags };
  const standing = await readVersion(reading, site, wanted);
  const { organizationId } = reading;
  return { ...standing, ...{ organizationId, site, origin, version, path, makeDefault, waitMs } };
}

/** What people call the version. */
function calledIn({ origin, version, parts }: Cut): string {
  return origin.kind === 'section' ? `Section ${version}` : `Space ${parts[0]?.title ?? version}`;
}

/** Where visitors find the version, read from the site. */
async function tellUrl(session: Session, reading: Reading, cut: Cut, isThere: boolean): Promise<void> {
  const { printer } = session;
  const { site, origin, version, path } = cut;
  try {
    const now = await organization(reading).site(site.site.id).content();
    const own =
      origin.kind === 'section'
        ? now.sections.find((one) => one.path === path && one.title === version)
        : now.siteSpaces.find((one) => one.path === path && one.section === origin.siteSpace.section);
    if (own === undefined) return;
    const url = publishedUrl(own);
    const where = url === undefined ? `on the site ${now.site.title}` : `at ${url}`;
    await noteSaid(
      session,
      `✓ ${calledIn(cut)} is ${where}${own.default === true ? ', and is the default' : ''}${isThere ? '; nothing was sent' : ''}.`,
    );
  } catch (cause) {
    if (!(cause instanceof DocsError) || session.io.signal.aborted) throw cause;
    printer.warn(`Could not read the address of the version: ${cause.message}`);
  }
}

function risksOf({ parts, makeDefault, origin, site }: Cut): string[] {
  const missing = parts.filter(({ onSite }) => onSite === undefined);
  const hasCondition =
    missing.some(({ source }) => source.condition !== undefined) ||
    (origin.kind === 'section' && origin.section.condition !== undefined && missing.length > 0);
  return [
    ...(hasCondition && site.site.published
      ? ['Between two requests, visitors can see a copy before its condition is set.']
      : []),
    ...(makeDefault && site.site.published
      ? [
          'Addresses without a version will lead to the new one: links to pages that only the old one has break.',
        ]
      : []),
  ];
}

/** What a duplicate does not have, as far as it can be known. */
function notesOf({ parts }: Cut): PlanNote[] {
  const made = parts.filter(({ onSite, loose }) => onSite === undefined && loose === undefined);
  const first = made[0];
  const compared = parts.filter(({ onSite, comparable }) => onSite !== undefined && comparable === false);
  const later: PlanNote[] = compared.map(({ title, source }) => ({
    code: 'not_compared',
    item: `spaces/${title}`,
    message: `It was not compared with ${source.space.title}, which was edited since.`,
  }));
  if (first === undefined) return later;
  const item = made.length === 1 ? `spaces/${first.title}` : counted(made.length, 'copy', 'copies');
  const topLevel = made.filter(({ source }) => source.space.parent === undefined);
  const synced = made.filter(({ source }) => source.space.gitSync !== undefined);
  const perhaps = made.flatMap(({ perhaps: spaces = [] }) => spaces);
  return [
    ...later,
    ...perhaps.map(({ title, id }) => ({
      code: 'perhaps_a_copy',
      item: `spaces/${title}`,
      message: `Space ${id} may be a copy that an earlier cut left; a new one is made unless --use ${id} names it.`,
    })),
    {
      code: 'not_duplicated',
      item,
      message:
        'A duplicate has the content. Change requests, comments, history, and the roles that people and teams have in ' +
        'the space itself stay with the original; the platform chooses its place in the collection.',
      hint: 'Compare the custom fields and who has access afterwards.',
    },
    ...synced.map(({ title }) => ({
      code: 'not_synced',
      item: `spaces/${title}`,
      message: 'The original is synchronized with Git; the copy will not be.',
    })),
    ...topLevel.map(({ title }) => ({
      code: 'unlisted',
      item: `spaces/${title}`,
      message:
        'The original is in no collection, so only administrators can list its copy: should the answer to the ' +
        'duplication be lost, a token that may not list members needs you to name the copy.',
    })),
  ];
}

/** What cannot be done: copies that are there and are not whole. */
function findingsOf({ parts, site }: Cut): Draft[] {
  return parts.flatMap(({ lack, title, onSite }): Draft[] => {
    if (lack === undefined || onSite === undefined) return [];
    const hint = `docs site-spaces delete ${onSite.id} --site ${site.site.id}`;
    const message = `${lack} It is not made the default. Delete it, and cut the version again.`;
    return [
      { kind: 'spaces', key: title, action: 'finding', finding: { code: 'incomplete_copy', message, hint } },
    ];
  });
}
