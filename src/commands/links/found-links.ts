import type { Finding, FixStatus, LinkFix, NewTarget } from '../../access/links/finding.js';
import { defined, groupBy } from '../../base/values.js';
import { type Candidate, newAddress, rewritten, type SpaceContent } from './contents.js';
import type { TargetSearch } from './new-target.js';
import { namedBy, type WrittenLink, withTargets } from './written-links.js';

/** A broken link on a page, with what was found for it. */
export interface FoundLink {
  finding: Finding;
  found: TargetSearch;
  /** The page that it is on; none where that could not be read. */
  on?: PageText;
  /** Where its target stands in the text of the page. */
  links: readonly WrittenLink[];
  /** The open change request that has it corrected. */
  fixedIn?: number;
}

/** A page with broken links, as it is now. */
export interface PageText {
  content: SpaceContent;
  pageId: string;
  markdown: string;
}

/** What is printed of each link, and the corrected pages. */

/** A page whose text has other targets now. */
export interface CorrectedPage extends PageText {
  corrected: string;
  links: readonly { finding: FoundLink['finding']; target: NewTarget; by: 'id' | 'title' }[];
}

export function rowOf(link: FoundLink): LinkFix {
  const { finding, found, fixedIn: changeRequest } = link;
  const { fingerprint, space, page, link: words } = finding;
  const targets = candidatesOf(link).map((candidate) => shown(link, candidate));
  const [only] = targets;
  const isOne = found.is === 'one' && only !== undefined;
  return {
    ...defined({ fingerprint, status: statusOf(link), space, page, link: words, changeRequest }),
    by: found.is === 'none' ? null : found.by,
    target: isOne ? only : null,
    candidates: isOne ? [] : targets,
    why: found.is === 'one' ? whyOf(found.why, anchorUnchecked(link)) : found.why,
  };
}

function whyOf(...reasons: (string | null | undefined)[]): string | null {
  const known = reasons.filter((reason) => typeof reason === 'string');
  return known.length === 0 ? null : known.join('; ');
}

/** A link keeps its anchor, which no read of links compares with the headings of the new target. */
function anchorUnchecked({ links, fixedIn }: FoundLink): string | null {
  const anchors = links.flatMap(({ address }) => namedBy(address)?.rest.match(/#.+$/s)?.[0] ?? []);
  const [first, ...others] = new Set(anchors);
  if (first === undefined || fixedIn !== undefined) return null;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `whether the new target has ${first}${more} was not checked`;
}

function statusOf({ found, fixedIn }: FoundLink): FixStatus {
  if (fixedIn !== undefined) return 'fixed';
  return ({ one: 'proposed', several: 'ambiguous', none: 'left' } as const)[found.is];
}

/** Why the targets of a link cannot be written in its place; undefined where they can. */
export function unwritable(link: FoundLink): string | undefined {
  const texts = candidatesOf(link).flatMap((to) =>
    link.links.map((written) => ({ written, text: textOf(link, written, to) })),
  );
  if (texts.some(({ text }) => text === undefined))
    return 'its address has escapes that leave open what follows the path';
  const isSame = texts.every(({ written, text }) => text === written.raw);
  return isSame ? 'its address already names the only page that it could lead to' : undefined;
}

function candidatesOf({ found }: FoundLink): readonly Candidate[] {
  return found.is === 'one' ? [found.candidate] : (found.candidates ?? []);
}

/** The target with the address that would be written. */
function shown(link: FoundLink, candidate: Candidate): NewTarget {
  const [first] = link.links;
  return { ...candidate, url: (first && textOf(link, first, candidate)) ?? '' };
}

/** What is written in place of a target; undefined where that is uncertain. */
function textOf({ on }: FoundLink, written: WrittenLink, candidate: Candidate): string | undefined {
  const named = namedBy(written.address);
  if (on === undefined || named === undefined) return undefined;
  return rewritten(written, newAddress(on.content, on.pageId, named, candidate));
}

/**
 * The texts with corrected links, page by page.
 * @param chosen what a link is to lead to; undefined leaves it
 */
export function correctedPages(
  links: readonly FoundLink[],
  chosen: (link: FoundLink) => { candidate: Candidate; by: 'id' | 'title' } | undefined,
): CorrectedPage[] {
  const open = links.filter(({ fixedIn }) => fixedIn === undefined);
  return [...groupBy(open, ({ on }) => on)].flatMap(([on, own]) => {
    if (on === undefined) return [];
    const taken = own.flatMap((link) => {
      const choice = chosen(link);
      return choice === undefined ? [] : [{ link, ...choice, target: shown(link, choice.candidate) }];
    });
    const replacements = taken.flatMap(({ link, candidate }) =>
      link.links.flatMap((written) => {
        const text = textOf(link, written, candidate);
        return text === undefined ? [] : [{ start: written.start, end: written.end, text }];
      }),
    );
    const corrected = withTargets(on.markdown, replacements);
    if (corrected === on.markdown) return [];
    const told = taken.map(({ link: { finding }, target, by }) => ({ finding, target, by }));
    return [{ ...on, corrected, links: told }];
  });
}
