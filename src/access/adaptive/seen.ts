import type { SectionGroup, SiteSection } from '../../api/resources/sections.js';
import type { SiteSpace } from '../../api/resources/site-spaces.js';
import { defined } from '../../base/values.js';
import type { ClaimSet } from './claim-schema.js';
import { evaluate, type Visitor } from './evaluate.js';
import { parseCondition } from './expression.js';
import type { WholeSite } from './read.js';

/** What a visitor with certain claims sees of a site. */

export const seenResults = ['shown', 'hidden', 'unknown'] as const;
type Result = (typeof seenResults)[number];

/** A group, section or site space. Texts are the platform's. */
export interface Seen {
  result: Result;
  kind: 'section-group' | 'section' | 'site-space';
  title: string;
  /** None for groups. */
  path?: string;
  condition?: string;
  /** A sentence without a full stop, where the condition itself does not tell. */
  why?: string;
  /** Whether it is what the site, or its section, shows first. */
  default?: boolean;
  id: string;
  /** 0 at the top. */
  depth: number;
}

interface Place {
  schema: ClaimSet;
  visitor: Visitor;
  site: Pick<WholeSite, 'sections' | 'siteSpaces' | 'groups'>;
}

/** Everything of the site in the order of its navigation, each followed by what is in it. */
export function seenBy(place: Place): Seen[] {
  const { sections, siteSpaces, groups } = place.site;
  const rows: Seen[] = [];
  const told = new Set<string>();
  const byId = new Map(groups.map((group) => [group.id, group]));
  for (const section of sections) {
    const { sectionGroup } = section;
    const group = sectionGroup === undefined ? undefined : byId.get(sectionGroup);
    if (group === undefined) rows.push(...seenSection(place, section, 0));
    else if (!told.has(group.id)) rows.push(...seenGroup(place, group));
    if (group !== undefined) told.add(group.id);
  }
  for (const group of groups) if (!told.has(group.id)) rows.push(...seenGroup(place, group));
  const known = new Set(sections.map(({ id }) => id));
  const rest = siteSpaces.filter(({ section }) => section === undefined || !known.has(section));
  return [
    ...rows,
    ...rest.map((space) => seenSpace(place, space, 0, space.section === undefined ? 'shown' : 'unknown')),
  ];
}

function seenGroup(place: Place, { id, title }: SectionGroup): Seen[] {
  const own = place.site.sections.filter(({ sectionGroup }) => sectionGroup === id);
  const inside = own.flatMap((section) => seenSection(place, section, 1));
  const results = inside.filter(({ kind }) => kind === 'section').map(({ result }) => result);
  const head = { kind: 'section-group' as const, title, id, depth: 0 };
  if (results.length === 0) return [{ ...head, result: 'hidden', why: 'it has no section' }];
  if (results.includes('shown')) return [{ ...head, result: 'shown' }, ...inside];
  if (results.includes('unknown'))
    return [{ ...head, result: 'unknown', why: 'whether a section of it is shown is unknown' }, ...inside];
  return [{ ...head, result: 'hidden', why: 'all its sections are hidden' }, ...inside];
}

function seenSection(place: Place, section: SiteSection, depth: number): Seen[] {
  const { id, title, path, condition, default: isDefault } = section;
  const own = resultOf(place, condition);
  const row = defined({ ...own, kind: 'section' as const, title, path, condition, default: isDefault });
  const spaces = place.site.siteSpaces.filter((one) => one.section === id);
  return [{ ...row, id, depth }, ...spaces.map((space) => seenSpace(place, space, depth + 1, own.result))];
}

/** @param within what is known of its section */
function seenSpace(place: Place, space: SiteSpace, depth: number, within: Result = 'shown'): Seen {
  const { id, title, path, condition, default: isDefault } = space;
  const row = defined({ kind: 'site-space' as const, title, path, condition, default: isDefault });
  const own = resultOf(place, condition);
  return { ...row, ...inSection(own, within), id, depth };
}

interface Own {
  result: Result;
  why?: string;
}

const hiddenWithin = 'its section is hidden';

/** A section that is hidden hides its spaces. */
function inSection(own: Own, within: Result): Own {
  if (within === 'hidden') return { result: 'hidden', why: hiddenWithin };
  if (within === 'unknown' && own.result === 'shown')
    return { result: 'unknown', why: 'whether its section is shown is unknown' };
  return own;
}

function resultOf({ schema, visitor }: Place, condition: string | undefined): Own {
  if (condition === undefined) return { result: 'shown' };
  const parsed = parseCondition(condition);
  if ('why' in parsed) return { result: 'unknown', why: `docs cannot parse the condition: ${parsed.why}` };
  const found = evaluate(parsed.node, schema, visitor);
  return 'why' in found
    ? { result: 'unknown', why: found.why }
    : { result: found.shown ? 'shown' : 'hidden' };
}

/** What is shown first although this visitor does not see it, as sentences. */
export function hiddenDefaults(rows: readonly Seen[]): string[] {
  const hidden = rows.filter(
    ({ default: isDefault, result, why }) => isDefault === true && result !== 'shown' && why !== hiddenWithin,
  );
  return hidden.map(({ kind, title, id, result }) => {
    const what = `default ${kind.replace('-', ' ')} ${title} (${id})`;
    return result === 'hidden' ? `The ${what} is hidden.` : `Whether the ${what} is shown is unknown.`;
  });
}
