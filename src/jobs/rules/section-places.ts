import type { LooseInput } from '../../api/client.js';
import { listSections, moveSection, moveSectionGroup } from '../../api/resources/sections.js';
import { type Reads, type Resource, requestFor } from '../request.js';
import type { Part } from '../rule.js';
import type { State } from '../state.js';
import { type Neighbour, standingOf } from './order.js';

/** The order of sections and groups on a site. */

export function allSections(reads: Reads, { path }: LooseInput): Promise<Resource[] | null> {
  return reads.all(listSections, requestFor(listSections, path).input);
}

/** A section or a group among its siblings. */
interface Sibling {
  type: 'site-section' | 'site-section-group';
  id: string;
}

/** The top level of a site in order: groups, and sections outside of groups. Empty groups are not shown. */
export function topLevel(sections: readonly Resource[]): (Sibling & Neighbour)[] {
  const order = sections.map(({ id, sectionGroup: group }) => ({
    type: group ? ('site-section-group' as const) : ('site-section' as const),
    id: String(group || id),
  }));
  return order.filter((one, index) => one.id !== order[index - 1]?.id);
}

function siblingsOf(section: Resource, sections: readonly Resource[]): (Sibling & Neighbour)[] {
  if (!section.sectionGroup) return topLevel(sections);
  const inGroup = sections.filter((one) => one.sectionGroup === section.sectionGroup);
  return inGroup.map(({ id }) => ({ type: 'site-section', id: String(id) }));
}

/** As a move of a section names it; a group cannot be named. */
function named({ type, id }: Sibling): Neighbour {
  return type === 'site-section' ? { type, siteSection: id } : { type, group: id };
}

/** The place of a section in its group or at the top level, and what is between it and other sections. */
export function placeOfSection(section: Resource, sections: readonly Resource[]): State {
  const siblings = siblingsOf(section, sections);
  const index = siblings.findIndex(({ id }) => id === section.id);
  const standing = standingOf(siblings.map(named), (one) => one.siteSection === section.id);
  const before = siblings.slice(0, index).reverse();
  const [left, right] = [nearest(before), nearest(siblings.slice(index + 1))];
  const groups = { previousGroups: left.groups.reverse(), nextGroups: right.groups };
  return { ...standing, left: left.section, right: right.section, ...groups };
}

/** The first section, and the groups before it. */
function nearest(siblings: readonly Sibling[]): { section: string | null; groups: string[] } {
  const end = siblings.findIndex(({ type }) => type === 'site-section');
  const groups = siblings.slice(0, end < 0 ? undefined : end).map(({ id }) => id);
  return { section: siblings[end]?.id ?? null, groups };
}

/**
 * The moves that put a section at its place. A move of a section names sections only: it goes next to the
 * nearest one, and then the groups between them to its other side.
 */
export function placing(path: LooseInput['path'], id: string, place: Resource): Part[] {
  const {
    left,
    right,
    previousGroups = [],
    nextGroups = [],
  } = place as {
    left?: string | null;
    right?: string | null;
    previousGroups?: string[];
    nextGroups?: string[];
  };
  const section = { ...path, siteSectionId: id };
  const move = (position: object) => ({ request: requestFor(moveSection, section, { position }) });
  const beside = (siteSection: string) => ({ type: 'site-section', siteSection });
  const group = (siteSectionGroupId: string, side: 'before' | 'after') => ({
    request: requestFor(
      moveSectionGroup,
      { ...path, siteSectionGroupId },
      {
        position: { [side]: { type: 'site-section', id } },
      },
    ),
  });
  const before = previousGroups.map((one) => group(one, 'before'));
  const after = [...nextGroups].reverse().map((one) => group(one, 'after'));
  if (left && (before.length === 0 || !right || after.length > 0))
    return [move({ after: beside(left) }), ...before];
  if (right) return [move({ before: beside(right) }), ...after];
  return [...before, ...after];
}
