import type { LooseInput } from '../../api/client.js';
import { getAdaptiveSchema, setAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import {
  addSectionToGroup,
  createSectionGroup,
  deleteSectionGroup,
  listSectionGroups,
  moveSectionGroup,
  removeSectionFromGroup,
  updateSectionGroup,
} from '../../api/resources/section-groups.js';
import {
  createSection,
  deleteSection,
  listSections,
  moveSection,
  updateSection,
} from '../../api/resources/sections.js';
import {
  createSiteSpace,
  deleteSiteSpace,
  listSiteSpaces,
  moveSiteSpace,
  updateSiteSpace,
} from '../../api/resources/site-spaces.js';
import { createSite, deleteSite, getSite, listSites, updateSite } from '../../api/resources/sites.js';
import { type Reads, type Resource, requestFor } from '../request.js';
import type { Change, Rules } from '../rule.js';
import type { State } from '../state.js';
import {
  bodyOf,
  creates,
  deletes,
  likeness,
  picked,
  readListed,
  readOne,
  reverts,
  sets,
} from './builders.js';
import { moves, type Neighbour, standingOf } from './order.js';

const noDefault = 'the site does not show its old default';

/** The proxy as an update sets it: domain and subdirectory, without scheme. */
const proxy = (site: Resource) =>
  (site.proxy as { target?: string } | undefined)?.target?.replace(/^https?:\/\//, '').replace(/\/$/, '');

const siteSpaceFields = ['path', 'condition', 'section'];
const siteFields = ['title', 'siteSpaces', 'visibility'];

export const sites: Rules = {
  [createSite.id]: creates({
    remove: deleteSite,
    parameter: 'siteId',
    left: siteFields,
    why: (input) =>
      typeof bodyOf(input).spaces === 'string' ? 'the space that was created with the site stays' : undefined,
    lookup: likeness(listSites, 'title'),
  }),
  [updateSite.id]: sets(updateSite, {
    get: getSite,
    from: { proxy },
    unread: { defaultSiteSpace: noDefault, defaultSiteSection: noDefault },
  }),
  [deleteSite.id]: deletes({
    read: readOne(getSite, siteFields),
    why: 'its address, sections and settings cannot be restored; its spaces stay',
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

  [createSection.id]: creates({
    remove: deleteSection,
    parameter: 'siteSectionId',
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
    read: readListed(listSections, 'siteSectionId', ['title', 'path']),
    why: 'one request cannot restore a section with its spaces, address and conditions',
  }),
  [moveSection.id]: moves(
    moveSection,
    readListed(listSections, 'siteSectionId', placeOfSection),
    ({ type }) => type === 'site-section',
  ),

  [createSectionGroup.id]: creates({
    remove: deleteSectionGroup,
    parameter: 'siteSectionGroupId',
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
    read: readListed(listSectionGroups, 'siteSectionGroupId', groupState),
    why: 'the group is recreated with its sections, but with a new id, and at the end',
    again: ({ title, icon, sections }, { path }) =>
      requestFor(createSectionGroup, path, { title, ...(icon ? { icon } : {}), sections }),
  }),
  [addSectionToGroup.id]: reverts({
    why: 'the previous position is unknown',
    read: async (reads, input) => {
      const { sectionId } = bodyOf(input);
      const section = (await allSections(reads, input))?.find(({ id }) => id === sectionId);
      return section === undefined ? null : groupOf(section);
    },
    wanted: ({ path }) => ({ group: path?.siteSectionGroupId }),
    back: additionBack,
  }),
  [removeSectionFromGroup.id]: reverts({
    why: 'it returns to the end of the group',
    read: readListed(listSections, 'siteSectionId', groupOf),
    wanted: () => ({ group: null }),
    back: (_, { input: { path } }) => ({
      request: requestFor(addSectionToGroup, path, { sectionId: path?.siteSectionId }),
      expect: { group: null },
    }),
  }),
  [moveSectionGroup.id]: moves(moveSectionGroup, async (reads, input) => {
    const order = topLevel((await allSections(reads, input)) ?? []);
    // A group without sections is in no list that shows the order.
    return standingOf(order, ({ id }) => id === input.path?.siteSectionGroupId) ?? {};
  }),

  [createSiteSpace.id]: creates({
    remove: deleteSiteSpace,
    parameter: 'siteSpaceId',
    left: siteSpaceFields,
    lookup: likeness(listSiteSpaces, ({ space }, body) => (space as { id?: string })?.id === body.spaceId),
  }),
  [updateSiteSpace.id]: sets(updateSiteSpace, {
    get: listSiteSpaces,
    find: ({ id }, { path }) => id === path?.siteSpaceId,
  }),
  [deleteSiteSpace.id]: deletes({
    read: readListed(listSiteSpaces, 'siteSpaceId', (own) => ({
      ...picked(own, siteSpaceFields),
      space: (own.space as { id?: string })?.id ?? null,
    })),
    why: 'the space is added again, but with a new id, at the end, and without its path and condition',
    again: ({ space, section }, { path }) => {
      const body = { spaceId: space, ...(section ? { sectionId: section } : {}) };
      return typeof space === 'string' ? requestFor(createSiteSpace, path, body) : undefined;
    },
  }),
  [moveSiteSpace.id]: moves(moveSiteSpace, readListed(listSiteSpaces, 'siteSpaceId', placeOfSiteSpace)),
};

function defaultSiteSpace({ siteSpaces }: Resource): unknown {
  return (siteSpaces as Resource[] | undefined)?.find((one) => one.default === true)?.id;
}

function allSections(reads: Reads, { path }: LooseInput): Promise<Resource[] | null> {
  return reads.all(listSections, requestFor(listSections, path).input);
}

function groupOf(section: Resource): State {
  return { group: section.sectionGroup ?? null };
}

function groupState(group: Resource): State {
  const sections = (group.sections ?? []) as Resource[];
  return { ...picked(group, ['title', 'icon']), sections: sections.map(({ id }) => id) };
}

/** The top level of a site in order: groups, and sections outside of groups. */
function topLevel(sections: readonly Resource[]): Neighbour[] {
  const order = sections.map(({ id, sectionGroup: group }) => ({
    type: group ? 'site-section-group' : 'site-section',
    id: String(group || id),
  }));
  return order.filter((one, index) => one.id !== order[index - 1]?.id);
}

/** The place of a section in its group or at the top level, where its moves cannot name a group. */
function placeOfSection(section: Resource, sections: readonly Resource[]): State {
  const inGroup = sections.filter((one) => one.sectionGroup === section.sectionGroup);
  const siblings = section.sectionGroup
    ? inGroup.map((one) => ({ type: 'site-section', id: String(one.id) }))
    : topLevel(sections);
  const named = siblings.map(({ type = '', id = '' }): Neighbour => {
    return type === 'site-section' ? { type, siteSection: id } : { type, group: id };
  });
  return standingOf(named, (one) => one.siteSection === section.id);
}

function placeOfSiteSpace(own: Resource, all: readonly Resource[]): State {
  const siblings = all
    .filter(({ section }) => section === own.section)
    .map(({ id }) => ({ type: 'site-space', siteSpace: String(id) }));
  return standingOf(siblings, (one) => one.siteSpace === own.id);
}

function additionBack({ group }: Resource, { input }: Change) {
  const siteSectionId = String(bodyOf(input).sectionId);
  const path = { ...input.path, ...(group ? { siteSectionGroupId: String(group) } : {}), siteSectionId };
  const request = group
    ? requestFor(addSectionToGroup, path, { sectionId: siteSectionId })
    : requestFor(removeSectionFromGroup, path);
  return { request, expect: { group: input.path?.siteSectionGroupId } };
}
