import type { SiteSection } from '../../api/resources/sections.js';
import type { SiteSpace } from '../../api/resources/site-spaces.js';
import type { Space } from '../../api/resources/spaces.js';
import { DocsError, notSent, usageError } from '../../base/errors.js';
import { nameKey, slug } from '../../base/name.js';
import { safeLine } from '../../output/text.js';
import type { SiteContent } from '../../snapshot/organization.js';

/**
 * What a version is cut from, what its copies are called, and what it may replace: checked before anything is sent.
 */

/** How long a change waits for the platform to show what an earlier one made. */
export const defaultWait = '60s';

/** The title of a copy. */
export const defaultPattern = '{title} {version}';

/** Limits of the platform (spec B and C, "Limits"). */
const longest = { space: 50, section: 64, path: 100 } as const;
const shortestSection = 2;

/** @throws DocsError usage `invalid_version` */
export function versionOf(typed: string): string {
  const version = typed.trim();
  const fault =
    version === '' ? 'is empty' : safeLine(version) !== version ? 'has control characters' : undefined;
  if (fault === undefined) return version;
  throw usageError('invalid_version', `the version ${JSON.stringify(typed)} ${fault}; nothing was sent`);
}

/**
 * The path of a version: the version itself, where it can stand in an address as it is.
 * @param typed the path of `--path`; undefined for none
 * @param command what was typed, without `--path`, for the hint
 * @throws DocsError usage `invalid_path`
 */
export function pathOf(
  version: string,
  typed: string | undefined,
  command: (path: string) => string,
): string {
  if (typed !== undefined) return typed;
  if (/^[\w.~-]+$/.test(version) && !/^\.+$/.test(version) && sizeOf(version) <= longest.path) return version;
  const near = slug(version, { most: longest.path, others: /[^a-z0-9._~]+/g }).replaceAll(
    /^[-.]+|[-.]+$/g,
    '',
  );
  const message = `the version ${JSON.stringify(version)} cannot be the path of its address${near === '' ? '' : `; the nearest one is ${near}`}. Nothing was sent.`;
  throw usageError('invalid_path', message, { hint: command(near === '' ? '<path>' : near) });
}

/**
 * The titles of copies.
 * @throws DocsError usage `title_too_long`, `title_taken`, `title_pattern`
 */
export function titlesOf(originals: readonly string[], version: string, pattern: string): string[] {
  if (originals.length > 1 && !pattern.includes('{title}')) {
    const message = `--title must contain {title}: ${originals.length} spaces would get the same title; nothing was sent`;
    throw usageError('title_pattern', message);
  }
  return originals.map((title) => checked(copyTitle(title, version, pattern), title));
}

/** The title of a copy, whether or not the platform takes it. */
export function copyTitle(original: string, version: string, pattern: string): string {
  return pattern
    .replaceAll(/\{(title|version)\}/g, (_, name) => (name === 'title' ? original : version))
    .trim();
}

function checked(title: string, original: string): string {
  const shown = JSON.stringify(title);
  if (sizeOf(title) > longest.space) {
    const message = `the title ${shown} is ${sizeOf(title)} characters long; a space title may have ${longest.space}; pass a shorter --title. Nothing was sent.`;
    throw usageError('title_too_long', message);
  }
  if (title !== '' && title !== original) return title;
  const what = title === '' ? 'is empty' : 'is that of the original';
  throw usageError(
    'title_taken',
    `the title ${shown} of the copy ${what}; pass another --title. Nothing was sent.`,
  );
}

/** The title of a new section. @throws DocsError usage `section_title` */
export function sectionTitleOf(version: string): string {
  const size = sizeOf(version);
  if (size >= shortestSection && size <= longest.section) return version;
  const message = `a section is titled with the version, which takes ${shortestSection} to ${longest.section} characters; ${JSON.stringify(version)} has ${size}. Nothing was sent.`;
  throw usageError('section_title', message);
}

/** Characters as limits count them. */
function sizeOf(text: string): number {
  return [...text].length;
}

/** A site space whose space the token can see. */
export type Shown = SiteSpace & { space: Space };

export type Origin = { kind: 'space'; siteSpace: Shown } | { kind: 'section'; section: SiteSection };

/** What can be named, and by which words beside its ids. */
interface Candidate {
  origin: Origin | { kind: 'hidden'; id: string };
  ids: readonly string[];
  title: string;
  /** Its path, and both with those of its section. */
  names: readonly string[];
  /** For lists of what there is: `section Guides (s1)`. */
  called: string;
}

/** Titles that are listed where one is not found. */
const mostListed = 10;

/**
 * The section or space of the site that somebody means: by id, else by title, else by path.
 * @throws DocsError not-found `origin_not_found`; usage `ambiguous_origin`; forbidden `hidden_space`
 */
export function originOf(parts: SiteContent, typed: string): Origin {
  const candidates = [
    ...parts.sections.map(ofSection),
    ...parts.siteSpaces.map((one) => ofSpace(one, parts)),
  ];
  const own = nameKey(typed);
  const [found = []] = [
    candidates.filter(({ ids }) => ids.includes(typed)),
    candidates.filter(({ title }) => nameKey(title) === own),
    candidates.filter(({ names }) => names.some((name) => nameKey(name) === own)),
  ].filter((some) => some.length > 0);
  const [first, ...others] = found;
  if (first === undefined) throw unknown(parts, candidates, typed);
  if (others.length > 0) {
    const message = `${JSON.stringify(typed)} names ${found.length} parts of the site ${parts.site.title}; pass an id. Nothing was sent.`;
    const hint = `docs site-spaces list --site ${parts.site.id}`;
    throw usageError('ambiguous_origin', message, { hint, lines: found.map(({ called }) => called) });
  }
  const { origin } = first;
  if (origin.kind === 'hidden') throw hidden(first.called);
  return origin;
}

function ofSection(section: SiteSection): Candidate {
  const { id, title, path } = section;
  return {
    origin: { kind: 'section', section },
    ids: [id],
    title,
    names: [path],
    called: `section ${title} (${id})`,
  };
}

function ofSpace(siteSpace: SiteSpace, { sections }: SiteContent): Candidate {
  const { id, path, space, section } = siteSpace;
  const above = sections.find((one) => one.id === section);
  const full = above === undefined ? [] : [`${above.path}/${path}`, `${above.title}/${titleIn(siteSpace)}`];
  return {
    origin:
      space === undefined ? { kind: 'hidden', id } : { kind: 'space', siteSpace: { ...siteSpace, space } },
    ids: [id, ...(space === undefined ? [] : [space.id])],
    title: titleIn(siteSpace),
    names: [path, ...full],
    called: `space ${above === undefined ? '' : `${above.title}/`}${titleIn(siteSpace)} (${id})`,
  };
}

function unknown({ site }: SiteContent, candidates: readonly Candidate[], typed: string): DocsError {
  const listed = candidates.slice(0, mostListed).map(({ called }) => `It has ${called}`);
  const left = candidates.length - listed.length;
  const message = `section or space ${JSON.stringify(typed)} not found on the site ${site.title}; nothing was sent`;
  return new DocsError('not-found', 'origin_not_found', message, {
    outcome: 'not-sent',
    lines: left > 0 ? [...listed, `and ${left} more`] : listed,
    hint: `docs site-spaces list --site ${site.id}`,
  });
}

function hidden(called: string): DocsError {
  const message = `the token cannot see the ${called}, so it cannot be duplicated; nothing was sent`;
  return notSent('forbidden', 'hidden_space', message, { hint: 'docs auth status' });
}

/**
 * The site spaces of which copies are made, in their order.
 * @throws DocsError forbidden `hidden_space`; conflict `empty_section`
 */
export function sourcesOf(parts: SiteContent, origin: Origin): Shown[] {
  if (origin.kind === 'space') return [origin.siteSpace];
  const own = parts.siteSpaces.filter(({ section }) => section === origin.section.id);
  const sources = own.map((one): Shown => {
    if (one.space === undefined) throw hidden(ofSpace(one, parts).called);
    return { ...one, space: one.space };
  });
  if (sources.length > 0) return sources;
  const message = `the section ${origin.section.title} has no space to duplicate; nothing was sent`;
  throw notSent('conflict', 'empty_section', message, {
    hint: `docs site-spaces create --site ${parts.site.id} --section ${origin.section.id}`,
  });
}

/** The title of the space, where the token can see it. */
export function titleIn({ space, title }: SiteSpace): string {
  return space?.title ?? title;
}

/** The id of the site space that a section, or the root, shows first. */
export function defaultOf(
  { sections, siteSpaces }: SiteContent,
  sectionId: string | undefined,
): string | undefined {
  const level = sections.find(({ id }) => id === sectionId)?.siteSpaces ?? siteSpaces;
  return level.find((one) => one.default === true)?.id;
}

/** What `--make-default` may replace: a version takes over from its source, or from an earlier version of that. */

/** What visitors see first, and whether it is the source or a version of it. */
interface First {
  title: string;
  isOwn: boolean;
  /** Who shows it first. */
  of: string;
}

/**
 * @param pattern of the titles of copies
 * @throws DocsError usage `not_the_default`: what visitors see first is of another origin than the version
 */
export function refuseForeignDefault(parts: SiteContent, origin: Origin, pattern: string): void {
  const first =
    origin.kind === 'section'
      ? firstSection(parts, origin.section, pattern)
      : firstSpace(parts, origin.siteSpace, pattern);
  if (first === undefined || first.isOwn) return;
  const source = origin.kind === 'section' ? origin.section.title : titleIn(origin.siteSpace);
  const message = `visitors of the ${first.of} see ${first.title} first, which is neither ${source} nor a version of it; --make-default would replace it. Nothing was sent.`;
  throw usageError('not_the_default', message, { hint: `docs sites tree ${parts.site.id}` });
}

function firstSection(
  { site, sections, siteSpaces }: SiteContent,
  source: SiteSection,
  pattern: string,
): First | undefined {
  const now = sections.find((one) => one.default === true);
  if (now === undefined) return undefined;
  const copies = siteSpaces
    .filter(({ section }) => section === source.id)
    .map((one) => nameKey(copyTitle(titleIn(one), now.title, pattern)));
  const isVersion = now.siteSpaces.some((one) => copies.includes(nameKey(titleIn(one))));
  return { title: now.title, isOwn: now.id === source.id || isVersion, of: `site ${site.title}` };
}

function firstSpace(
  parts: SiteContent,
  source: (Origin & { kind: 'space' })['siteSpace'],
  pattern: string,
): First | undefined {
  const { site, sections, siteSpaces } = parts;
  const nowId = defaultOf(parts, source.section);
  const now = siteSpaces.find(({ id }) => id === nowId);
  if (now === undefined) return undefined;
  const section = sections.find(({ id }) => id === source.section);
  return {
    title: titleIn(now),
    isOwn: now.id === source.id || isVersion(titleIn(now), titleIn(source), pattern),
    of: section === undefined ? `site ${site.title}` : `section ${section.title}`,
  };
}

/** Whether a title is that of a copy of the original, in some version. */
function isVersion(title: string, original: string, pattern: string): boolean {
  // A version has no control characters, so the mark stands for it alone.
  const mark = '\u0000';
  const [before = '', ...after] = nameKey(copyTitle(original, mark, pattern)).split(mark);
  const end = after.at(-1) ?? '';
  const shown = nameKey(title);
  const isLongEnough = shown.length > before.length + end.length;
  return after.length > 0 && isLongEnough && shown.startsWith(before) && shown.endsWith(end);
}
