import type { LooseInput } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
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
import type { Change, NoWayBack, Reads, Resource, Rule, Rules, WayBack } from '../rule.js';
import type { State } from '../state.js';
import { bodyOf, creates, deletes, likeness, picked, readFields, requestFor, sets } from './builders.js';
import { moves, type Neighbour, standingOf } from './order.js';

const noDefault = 'which one was the default before is not told with the site';

/** The domain and subdirectory that a site's proxy was set to. */
const proxy = (site: Resource) =>
  (site.proxy as { target?: string } | undefined)?.target?.replace(/^https?:\/\//, '').replace(/\/$/, '');

/** Sites, what they know of visitors, their sections, groups and spaces. */
export const sites: Rules = {
  [createSite.id]: creates({
    remove: deleteSite,
    parameter: 'siteId',
    left: (answer) => picked(answer, ['title', 'siteSpaces', 'visibility']),
    why: (input) =>
      typeof bodyOf(input).spaces === 'string' ? 'the space that came with the site stays' : undefined,
    lookup: likeness(listSites, ({ title }, body) => title === (body.title ?? title)),
  }),
  [updateSite.id]: sets(updateSite, {
    get: getSite,
    from: { proxy },
    unread: { defaultSiteSpace: noDefault, defaultSiteSection: noDefault },
  }),
  [deleteSite.id]: deletes({
    read: readFields(getSite, ['title', 'siteSpaces', 'visibility']),
    why: 'its address, sections and settings cannot be made again; its spaces stay',
  }),
  [setAdaptiveSchema.id]: {
    ...sets(setAdaptiveSchema, { get: getAdaptiveSchema }),
    back: schemaBack,
  },

  [createSection.id]: creates({
    remove: deleteSection,
    parameter: 'siteSectionId',
    why: 'where it was the first section, the spaces of the site may have come into sections',
    lookup: likeness(listSections, ({ title }, body) => title === (body.title ?? title)),
  }),
  [updateSection.id]: sets(updateSection, {
    get: listSections,
    find: ({ id }, { path }) => id === path?.siteSectionId,
    from: { defaultSiteSpace },
  }),
  [deleteSection.id]: deletes({
    read: onSite(listSections, 'siteSectionId', ['title', 'path']),
    why: 'a section with its spaces, address and conditions cannot be made again by one request',
  }),
  [moveSection.id]: moves(
    moveSection,
    async (reads, { path = {} }) => placeOfSection(await allSections(reads, path), path.siteSectionId),
    ({ type }) => type === 'site-section',
  ),

  [createSectionGroup.id]: creates({
    remove: deleteSectionGroup,
    parameter: 'siteSectionGroupId',
    why: (input) =>
      bodyOf(input).sections === undefined ? undefined : 'its sections stay, but where the group was',
    left: (answer) => ({ ...picked(answer, ['title', 'icon']), sections: sectionIds(answer) }),
    lookup: likeness(listSectionGroups, ({ title }, body) => title === body.title),
  }),
  [updateSectionGroup.id]: sets(updateSectionGroup, {
    get: listSectionGroups,
    find: ({ id }, { path }) => id === path?.siteSectionGroupId,
  }),
  [deleteSectionGroup.id]: deletes({
    read: readGroup,
    why: 'the group is made anew with its sections, but with another id, and at the end',
    again: ({ title, icon, sections }, { path }) =>
      requestFor(createSectionGroup, path ?? {}, { title, ...(icon ? { icon } : {}), sections }),
  }),
  [addSectionToGroup.id]: {
    before: 'always',
    forecast: () => ({ undo: 'best-effort', why: 'the place it had before is not known' }),
    read: async (reads, { path = {}, body }) =>
      groupOf(
        await allSections(reads, path),
        String((body as { sectionId?: string } | undefined)?.sectionId),
      ),
    wanted: ({ path }) => ({ group: path?.siteSectionGroupId }),
    back: additionBack,
  },
  [removeSectionFromGroup.id]: {
    before: 'always',
    forecast: () => ({ undo: 'best-effort', why: 'it comes back at the end of the group' }),
    read: async (reads, { path = {} }) => groupOf(await allSections(reads, path), path.siteSectionId),
    wanted: () => ({ group: null }),
    back: ({ input: { path = {} } }) => ({
      undo: 'best-effort',
      why: 'it comes back at the end of the group',
      request: requestFor(addSectionToGroup, path, { sectionId: path.siteSectionId }),
      expect: { group: null },
    }),
  },
  [moveSectionGroup.id]: moves(moveSectionGroup, async (reads, { path = {} }) => {
    const order = topLevel((await allSections(reads, path)) ?? []);
    const place = standingOf(order, ({ id }) => id === path.siteSectionGroupId);
    // A group without sections is in no list that tells the order.
    return place ?? {};
  }),

  [createSiteSpace.id]: creates({
    remove: deleteSiteSpace,
    parameter: 'siteSpaceId',
    left: (answer) => picked(answer, ['path', 'condition', 'section']),
    lookup: likeness(listSiteSpaces, ({ space }, body) => (space as { id?: string })?.id === body.spaceId),
  }),
  [updateSiteSpace.id]: sets(updateSiteSpace, {
    get: listSiteSpaces,
    find: ({ id }, { path }) => id === path?.siteSpaceId,
  }),
  [deleteSiteSpace.id]: siteSpaceDeletion(),
  [moveSiteSpace.id]: moves(moveSiteSpace, readPlaceOfSiteSpace),
};

function defaultSiteSpace({ siteSpaces }: Resource): unknown {
  return (siteSpaces as Resource[] | undefined)?.find((one) => one.default === true)?.id;
}

function allSections(reads: Reads, path: Readonly<Record<string, string>>): Promise<Resource[] | null> {
  return reads.all(listSections, requestFor(listSections, path).input);
}

/** Fields of an item of a site, which the platform gives in lists alone. */
function onSite(list: AnyOperation, parameter: string, fields: readonly string[]): NonNullable<Rule['read']> {
  return async (reads, { path = {} }) => {
    const items = await reads.all(list, requestFor(list, path).input);
    const item = items?.find(({ id }) => id === path[parameter]);
    return item === undefined ? null : picked(item, fields);
  };
}

function groupOf(sections: readonly Resource[] | null, id: string | undefined): State {
  const section = sections?.find((one) => one.id === id);
  return section === undefined ? null : { group: section.sectionGroup ?? null };
}

function sectionIds({ sections }: Resource): unknown[] {
  return ((sections ?? []) as Resource[]).map(({ id }) => id);
}

async function readGroup(reads: Reads, { path = {} }: LooseInput): Promise<State> {
  const groups = await reads.all(listSectionGroups, requestFor(listSectionGroups, path).input);
  const group = groups?.find(({ id }) => id === path.siteSectionGroupId);
  return group === undefined ? null : { ...picked(group, ['title', 'icon']), sections: sectionIds(group) };
}

/** What stands at the top level of a site, in order: groups, and sections outside of groups. */
function topLevel(sections: readonly Resource[]): Neighbour[] {
  const order = sections.map(({ id, sectionGroup }) =>
    sectionGroup
      ? { type: 'site-section-group', id: String(sectionGroup) }
      : { type: 'site-section', id: String(id) },
  );
  return order.filter((one, index) => one.id !== order[index - 1]?.id);
}

/** A section among those of its group, or at the top level; a group there cannot be named in its moves. */
function placeOfSection(sections: readonly Resource[] | null, id: string | undefined): State {
  const section = sections?.find((one) => one.id === id);
  if (!sections || section === undefined) return null;
  const inGroup = sections.filter((one) => one.sectionGroup === section.sectionGroup);
  const siblings = section.sectionGroup
    ? inGroup.map((one) => ({ type: 'site-section', id: String(one.id) }))
    : topLevel(sections);
  const named = siblings.map(
    ({ type = '', id: own = '' }): Neighbour =>
      type === 'site-section' ? { type, siteSection: own } : { type, group: own },
  );
  return standingOf(named, (one) => one.siteSection === id);
}

async function readPlaceOfSiteSpace(reads: Reads, { path = {} }: LooseInput): Promise<State> {
  const all = (await reads.all(listSiteSpaces, requestFor(listSiteSpaces, path).input)) ?? [];
  const own = all.find(({ id }) => id === path.siteSpaceId);
  const siblings = all
    .filter(({ section }) => section === own?.section)
    .map(({ id }) => ({ type: 'site-space', siteSpace: String(id) }));
  return standingOf(siblings, (one) => one.siteSpace === path.siteSpaceId);
}

function siteSpaceDeletion(): Rule {
  return deletes({
    read: async (reads, { path = {} }) => {
      const all = await reads.all(listSiteSpaces, requestFor(listSiteSpaces, path).input);
      const own = all?.find(({ id }) => id === path.siteSpaceId);
      if (own === undefined) return null;
      return {
        ...picked(own, ['path', 'condition', 'section']),
        space: (own.space as { id?: string })?.id ?? null,
      };
    },
    why: 'the space is added anew, but with another id, at the end, and without its path and condition',
    again: ({ space, section }, { path }) =>
      typeof space !== 'string'
        ? undefined
        : requestFor(createSiteSpace, path ?? {}, {
            spaceId: space,
            ...(section ? { sectionId: section } : {}),
          }),
  });
}

function additionBack({ input, before }: Change): WayBack | NoWayBack {
  if (!before) return { undo: 'none', why: 'where the section was before is not known' };
  const path = input.path ?? {};
  const siteSectionId = String(bodyOf(input).sectionId);
  const expect = { group: path.siteSectionGroupId };
  const why = 'the place it had before is not known';
  const request = before.group
    ? requestFor(
        addSectionToGroup,
        { ...path, siteSectionGroupId: String(before.group) },
        { sectionId: siteSectionId },
      )
    : requestFor(removeSectionFromGroup, { ...path, siteSectionId });
  return { undo: 'best-effort', why, request, expect };
}

function schemaBack({ input, before }: Change): WayBack | NoWayBack {
  if (!before?.jsonSchema)
    return { undo: 'none', why: 'there was no schema before, and nothing deletes one' };
  const request = requestFor(setAdaptiveSchema, input.path ?? {}, { jsonSchema: before.jsonSchema });
  return { undo: 'exact', request, expect: { jsonSchema: bodyOf(input).jsonSchema } };
}
