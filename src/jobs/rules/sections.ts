import type { LooseInput } from '../../api/client.js';
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
import { type PlannedRequest, type Reads, type Resource, requestFor } from '../request.js';
import type { NoWayBack, Part, Rules, WayBack } from '../rule.js';
import type { State } from '../state.js';
import {
  bodyOf,
  creates,
  deletes,
  likeness,
  picked,
  readListed,
  reverts,
  sets,
  sureness,
} from './builders.js';
import { moves, ordersBy, placeFields, positionBack, standingOf, wantedPlace } from './order.js';
import { allSections, placeOfSection, placing, topLevel } from './section-places.js';

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
