import type { SiteSection } from '../../api/resources/sections.js';
import type { SiteSpace } from '../../api/resources/site-spaces.js';
import type { Space } from '../../api/resources/spaces.js';
import { DocsError, notSent, usageError } from '../../base/errors.js';
import { nameKey } from '../../base/name.js';
import type { SiteContent } from '../../snapshot/organization.js';

/** What a version is cut from. */

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
  const message = `Section or space ${JSON.stringify(typed)} not found on the site ${site.title}; nothing was sent.`;
  return new DocsError('not-found', 'origin_not_found', message, {
    outcome: 'not-sent',
    lines: left > 0 ? [...listed, `and ${left} more`] : listed,
    hint: `docs site-spaces list --site ${site.id}`,
  });
}

function hidden(called: string): DocsError {
  const message = `The token cannot see the ${called}, so it cannot be duplicated; nothing was sent.`;
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
  const message = `The section ${origin.section.title} has no space to duplicate; nothing was sent.`;
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
