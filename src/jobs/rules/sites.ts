import type { LooseInput } from '../../api/client.js';
import { getAdaptiveSchema, setAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import {
  addSectionToGroup,
  createSection,
  createSectionGroup,
  deleteSection,
  deleteSectionGroup,
  listSectionGroups,
  listSections,
  moveSection,
  moveSectionGroup,
  removeSectionFromGroup,
  updateSection,
  updateSectionGroup,
} from '../../api/resources/sections.js';
import {
  createSiteSpace,
  deleteSiteSpace,
  listSiteSpaces,
  moveSiteSpace,
  updateSiteSpace,
} from '../../api/resources/site-spaces.js';
import { createSite, deleteSite, getSite, listSites, updateSite } from '../../api/resources/sites.js';
import { type PlannedRequest, type Reads, type Resource, requestFor } from '../request.js';
import type { Change, NoWayBack, Part, Rule, Rules, WayBack } from '../rule.js';
import type { State } from '../state.js';
import {
  bodyOf,
  creates,
  deletes,
  likeness,
  moves,
  type Neighbour,
  ordersBy,
  picked,
  placeFields,
  positionBack,
  readListed,
  readOne,
  reverts,
  sets,
  standingOf,
  stateUnknown,
  sureness,
  wantedPlace,
} from './builders.js';

/** The proxy as an update sets it: domain and subdirectory, without scheme (platform-facts, "Shapes"). */
export const proxy = (site: Resource) =>
  (site.proxy as { origin?: string } | undefined)?.origin?.replace(/^https?:\/\//, '').replace(/\/$/, '');

const siteFields = ['title', 'siteSpaces', 'visibility'];

const settings = sets(updateSite, { get: getSite, from: { proxy } });

/** The site itself does not show its defaults; its sections and spaces do. */
const siteChange: Rule = {
  ...settings,
  async read(reads, input) {
    const state = await settings.read?.(reads, input);
    return state ? { ...state, ...(await readDefaults(reads, input)) } : null;
  },
  back: siteBack,
};

export const sites: Rules = {
  [createSite.id]: creates({
    remove: deleteSite,
    left: siteFields,
    why: (input) =>
      typeof bodyOf(input).spaces === 'string' ? 'the space that was created with the site stays' : undefined,
    lookup: likeness(listSites, 'title'),
  }),
  [updateSite.id]: siteChange,
  [deleteSite.id]: deletes({
    read: readOne(getSite, siteFields),
    why: 'its address, sections and settings cannot be restored; its spaces stay',
    // How many spaces it has.
    passing: ['siteSpaces'],
  }),
  [setAdaptiveSchema.id]: reverts({
    ...sets(setAdaptiveSchema, { get: getAdaptiveSchema }),
    back({ jsonSchema }, { input }) {
      const why = 'there was no schema before, and the platform cannot delete one';
      if (!jsonSchema) return { undo: 'none', why };
      const request = requestFor(setAdaptiveSchema, input.path, { jsonSchema });
      return { request, expect: { jsonSchema: bodyOf(input).jsonSchema } };
    },
  }),
};

/** The defaults that a request changes: the default section, and the default space of the section that it makes the default. */
async function readDefaults(reads: Reads, input: LooseInput): Promise<State> {
  const { defaultSiteSection, defaultSiteSpace: space } = bodyOf(input);
  if (defaultSiteSection === undefined && space === undefined) return {};
  const sections = (await allSections(reads, input)) ?? [];
  const own = sections.find((section) => section.default === true);
  const meant = defaultSiteSection === undefined ? own : sections.find(({ id }) => id === defaultSiteSection);
  const shown =
    space !== undefined && (meant ? defaultSiteSpace(meant) : await readRootDefault(reads, input));
  return {
    ...(defaultSiteSection !== undefined && { defaultSiteSection: own?.id ?? null }),
    ...(space !== undefined && { defaultSiteSpace: shown ?? null }),
  };
}

async function readRootDefault(reads: Reads, { path }: LooseInput): Promise<unknown> {
  const spaces = await reads.all(listSiteSpaces, requestFor(listSiteSpaces, path).input);
  return spaces?.find((one) => one.default === true)?.id;
}

/** Where a request changes both defaults, the space belongs to the section that was not the default before. */
function siteBack(change: Change): WayBack | NoWayBack {
  const { input, before } = change;
  const back = settings.back?.(change) ?? stateUnknown;
  const { defaultSiteSection, defaultSiteSpace: space } = bodyOf(input);
  if (back.undo === 'none' || defaultSiteSection === undefined || space === undefined) return back;
  const { defaultSiteSpace: _, ...body } = bodyOf(back.request.input);
  const { defaultSiteSpace: __, ...expect } = back.expect ?? {};
  const path = { ...input.path, siteSectionId: String(defaultSiteSection) };
  const former = { defaultSiteSpace: before?.defaultSiteSpace };
  const own = { request: requestFor(updateSection, path, former), expect: { defaultSiteSpace: space } };
  const request = requestFor(updateSite, input.path, body);
  return { ...back, request, expect, ...(former.defaultSiteSpace ? { further: [own] } : {}) };
}

const fields = ['path', 'condition', 'section'];

const idOfSpace = ({ space }: Resource) => (space as { id?: string } | undefined)?.id;

export const siteSpaces: Rules = {
  [createSiteSpace.id]: creates({
    remove: deleteSiteSpace,
    left: fields,
    lookup: likeness(listSiteSpaces, (own, body) => idOfSpace(own) === body.spaceId),
  }),
  [updateSiteSpace.id]: sets(updateSiteSpace, {
    get: listSiteSpaces,
    find: ({ id }, { path }) => id === path?.siteSpaceId,
  }),
  [deleteSiteSpace.id]: deletes({
    read: readOwn,
    why: 'the space is added again, but with a new id',
    again,
    inOrder: true,
    // Another space becomes the default where the default is removed, also by the same plan.
    passing: [...placeFields, 'isDefault'],
  }),
  [moveSiteSpace.id]: moves(moveSiteSpace, {
    read: readListed(listSiteSpaces, place),
    orders: async (reads, { path }) => {
      const all = await reads.all(listSiteSpaces, requestFor(listSiteSpaces, path).input);
      return ordersBy(all ?? [], ({ section }) => section);
    },
  }),
};

function place(own: Resource, all: readonly Resource[]): State {
  const siblings = all
    .filter(({ section }) => section === own.section)
    .map(({ id }) => ({ type: 'site-space', siteSpace: String(id) }));
  return standingOf(siblings, (one) => one.siteSpace === own.id);
}

function stateOf(own: Resource, all: readonly Resource[]): State {
  const isDefault = own.default === true;
  return { ...picked(own, fields), space: idOfSpace(own) ?? null, isDefault, ...place(own, all) };
}

/** In a section, the section shows whether it is the default there. */
async function readOwn(reads: Reads, input: LooseInput): Promise<State> {
  const own = await readListed(listSiteSpaces, stateOf)(reads, input);
  if (!own?.section) return own;
  const sections = await reads.all(listSections, requestFor(listSections, input.path).input);
  const section = sections?.find(({ id }) => id === own.section);
  return {
    ...own,
    isDefault: section !== undefined && defaultSiteSpace(section) === input.path?.siteSpaceId,
  };
}

function again(before: Resource, { path = {} }: LooseInput): Part[] {
  const { space, section, isDefault } = before;
  if (typeof space !== 'string') return [];
  const position = positionBack(before);
  const body = { spaceId: space, ...(section ? { sectionId: section } : {}) };
  const first = { defaultSiteSpace: path.siteSpaceId };
  const shown = section
    ? requestFor(updateSection, { ...path, siteSectionId: String(section) }, first)
    : requestFor(updateSite, path, first);
  return [
    { request: requestFor(createSiteSpace, path, body) },
    { request: requestFor(updateSiteSpace, path, picked(before, ['path', 'condition'])) },
    ...(position ? [{ request: requestFor(moveSiteSpace, path, { position }) }] : []),
    ...(isDefault ? [{ request: shown }] : []),
  ];
}

const noPlace = 'the previous position is unknown';

export const sections: Rules = {
  [createSection.id]: creates({
    remove: deleteSection,
    why: 'with its first section, the site may have moved its spaces into sections',
    lookup: likeness(listSections, 'title'),
    like: ({ siteSpaces }, { spaceId }) =>
      ((siteSpaces ?? []) as Resource[]).some(({ space }) => (space as { id?: string })?.id === spaceId),
  }),
  [updateSection.id]: sets(updateSection, {
    get: listSections,
    find: ({ id }, { path }) => id === path?.siteSectionId,
    from: { defaultSiteSpace },
  }),
  [deleteSection.id]: deletes({
    read: readListed(listSections, ['title', 'path']),
    why: 'docs does not recreate a section with its spaces, paths and conditions',
  }),
  [moveSection.id]: reverts({
    inOrder: true,
    read: readListed(listSections, placeOfSection),
    orders: readOrders,
    passing: placeFields,
    wanted: wantedPlace,
    back: (before, { input: { path = {}, ...input } }) => {
      const [first, ...further] = placing(path, path.siteSectionId ?? '', before);
      if (first === undefined) return { undo: 'none', why: noPlace };
      return { request: first.request, further, expect: wantedPlace(input) };
    },
  }),

  [createSectionGroup.id]: creates({
    remove: deleteSectionGroup,
    why: (input) =>
      bodyOf(input).sections === undefined ? undefined : 'its sections stay, but at the place of the group',
    left: groupState,
    lookup: likeness(listSectionGroups, 'title'),
  }),
  [updateSectionGroup.id]: sets(updateSectionGroup, {
    get: listSectionGroups,
    find: ({ id }, { path }) => id === path?.siteSectionGroupId,
  }),
  [deleteSectionGroup.id]: deletes({
    read: readGroup,
    why: 'the group is recreated with its sections, but with a new id',
    again: groupAgain,
    inOrder: true,
    passing: placeFields,
  }),
  [addSectionToGroup.id]: reverts({
    inOrder: true,
    about: ({ path, body }) => sectionAt(path, bodyOf({ body }).sectionId),
    read: async (reads, input) => readMembership(reads, input, bodyOf(input).sectionId),
    passing: placeFields,
    wanted: ({ path }) => ({ group: path?.siteSectionGroupId }),
    back: (before, { input }) =>
      regrouped(before, input.path, String(bodyOf(input).sectionId), input.path?.siteSectionGroupId),
  }),
  [removeSectionFromGroup.id]: reverts({
    inOrder: true,
    about: ({ path }) => sectionAt(path, path?.siteSectionId),
    read: async (reads, input) => readMembership(reads, input, input.path?.siteSectionId),
    passing: placeFields,
    wanted: () => ({ group: null }),
    back: (before, { input: { path } }) => regrouped(before, path, path?.siteSectionId ?? '', null),
  }),
  [moveSectionGroup.id]: moves(moveSectionGroup, { read: readPlaceOfGroup, orders: readOrders }),
};

function sectionAt(path: LooseInput['path'], id: unknown): PlannedRequest {
  return requestFor(deleteSection, { ...path, siteSectionId: String(id) });
}

/** The space that a section shows first. */
export function defaultSiteSpace({ siteSpaces }: Resource): unknown {
  return (siteSpaces as Resource[] | undefined)?.find((one) => one.default === true)?.id;
}

function groupState(group: Resource): State {
  const inGroup = (group.sections ?? []) as Resource[];
  return { ...picked(group, ['title', 'icon']), sections: inGroup.map(({ id }) => id) };
}

async function readPlaceOfGroup(reads: Reads, input: LooseInput): Promise<State> {
  const order = topLevel((await allSections(reads, input)) ?? []);
  // A group without sections is in no list that shows the order.
  return standingOf(order, ({ id }) => id === input.path?.siteSectionGroupId) ?? {};
}

/** The order of sections and groups at the top of a site, and of the sections in each group. */
async function readOrders(reads: Reads, input: LooseInput): Promise<readonly (readonly string[])[]> {
  const all = (await allSections(reads, input)) ?? [];
  const grouped = all.filter(({ sectionGroup }) => sectionGroup);
  return [topLevel(all).map(({ id }) => id), ...ordersBy(grouped, ({ sectionGroup }) => sectionGroup)];
}

/** Two reads: the list of sections shows the place. */
async function readGroup(reads: Reads, input: LooseInput): Promise<State> {
  const group = await readListed(listSectionGroups, groupState)(reads, input);
  return group && { ...group, ...(await readPlaceOfGroup(reads, input)) };
}

function groupAgain(before: Resource, { path }: LooseInput): Part[] {
  const { title, icon, sections: inGroup } = before;
  const position = positionBack(before);
  const body = { title, ...(icon ? { icon } : {}), sections: inGroup };
  return [
    { request: requestFor(createSectionGroup, path, body) },
    ...(position ? [{ request: requestFor(moveSectionGroup, path, { position }) }] : []),
  ];
}

/** The group of a section, and its place there or at the top level. */
async function readMembership(reads: Reads, input: LooseInput, id: unknown): Promise<State> {
  const all = (await allSections(reads, input)) ?? [];
  const section = all.find((one) => one.id === id);
  return section === undefined
    ? null
    : { group: section.sectionGroup ?? null, ...placeOfSection(section, all) };
}

/** Puts a section back into its group, or out of any, and at its place. @param left the group it is in now */
function regrouped(
  before: Resource,
  path: LooseInput['path'],
  id: string,
  left: string | null | undefined,
): WayBack | NoWayBack {
  const { group } = before;
  const into = { ...path, siteSectionGroupId: String(group || left), siteSectionId: id };
  const request = group
    ? requestFor(addSectionToGroup, into, { sectionId: id })
    : requestFor(removeSectionFromGroup, into);
  const further = placing(path, id, before);
  const isAlone = before.previous === null && before.next === null;
  return {
    ...sureness(further.length > 0 || isAlone ? undefined : noPlace),
    request,
    further,
    expect: { group: left ?? null },
  };
}

/** The order of sections and groups on a site. */

function allSections(reads: Reads, { path }: LooseInput): Promise<Resource[] | null> {
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
function placeOfSection(section: Resource, sections: readonly Resource[]): State {
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
function placing(path: LooseInput['path'], id: string, place: Resource): Part[] {
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
