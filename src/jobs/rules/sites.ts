import type { LooseInput } from '../../api/client.js';
import { operationsIn } from '../../api/operation.js';
import * as adaptiveSchemasApi from '../../api/resources/adaptive-schemas.js';
import * as sectionsApi from '../../api/resources/sections.js';
import * as siteSpacesApi from '../../api/resources/site-spaces.js';
import * as sitesApi from '../../api/resources/sites.js';
import { type Change, requestFor } from '../change.js';
import { listAt, type Reads, type Resource } from '../reads.js';
import type { NoWayBack, PastChange, Rule, WayBack } from '../rule.js';
import type { State } from '../state.js';
import {
  bodyOf,
  creates,
  deletes,
  type Family,
  movedBack,
  moves,
  type Neighbour,
  neighboursOf,
  ordersBy,
  picked,
  placeFields,
  type RuleMaker,
  type RuleTable,
  readListed,
  reverts,
  sets,
  stateUnknown,
  sureness,
  wantedPlace,
} from './builders.js';
import { defaultSiteSpace, proxy, type Sibling, topLevel } from './shown.js';

/** Sites with their schemas, sections, section groups and site spaces. */

const siteSpaceFields = ['path', 'condition', 'section'];
const noPlace = 'the previous position is unknown';

/** The site itself does not show its defaults; its sections and spaces do. */
const siteChange: RuleMaker = (op, find) => {
  const settings = sets({ from: { proxy } })(op, find);
  return {
    ...settings,
    async read(reads, input) {
      const state = await settings.read?.(reads, input);
      return state ? { ...state, ...(await readDefaults(reads, input)) } : null;
    },
    back: (change) => siteBack(change, settings.back?.(change) ?? stateUnknown),
  };
};

const rules: RuleTable = {
  'sites.create': creates({
    left: ['title', 'siteSpaces', 'visibility'],
    why: (input) =>
      typeof bodyOf(input).spaces === 'string' ? 'the space that was created with the site stays' : undefined,
    lookup: 'title',
  }),
  'sites.update': siteChange,
  'adaptive-schemas.set': (op, find) =>
    reverts({
      ...sets()(op, find),
      back({ jsonSchema }, { input }) {
        const why = 'there was no schema before, and the platform cannot delete one';
        if (!jsonSchema) return { undo: 'none', why };
        const request = requestFor(adaptiveSchemasApi.setAdaptiveSchema, input.path, { jsonSchema });
        return { request, expect: { jsonSchema: bodyOf(input).jsonSchema } };
      },
    }),

  'site-spaces.create': creates({
    left: siteSpaceFields,
    lookup: (own, body) => idOfSpace(own) === body.spaceId,
  }),
  'site-spaces.delete': deletes({ read: readSiteSpace }, 'the space is added again, but with a new id', {
    again: siteSpaceAgain,
    inOrder: true,
    // Another space becomes the default where the default is removed, also by the same plan.
    passing: [...placeFields, 'isDefault'],
    // A site shows the first section with spaces in place of a default one without any.
    takesFrom: ({ section }) => section,
  }),
  'site-spaces.move': moves({
    read: readListed(siteSpacesApi.listSiteSpaces, 'siteSpaceId', placeOfSiteSpace),
    orders: async (reads, { path }) =>
      ordersBy(await listAt(reads, siteSpacesApi.listSiteSpaces, path), ({ section }) => section),
  }),

  'sections.create': creates({
    why: 'with its first section, the site may have moved its spaces into sections',
    lookup: 'title',
    like: ({ siteSpaces }, { spaceId }) =>
      ((siteSpaces ?? []) as Resource[]).some((one) => idOfSpace(one) === spaceId),
  }),
  'sections.update': sets({ from: { defaultSiteSpace } }),
  'sections.delete': deletes(
    ['title', 'path'],
    'docs does not recreate a section with its spaces, paths and conditions',
  ),
  'sections.move': reverts({
    inOrder: true,
    read: readListed(sectionsApi.listSections, 'siteSectionId', placeOfSection),
    orders: readOrders,
    passing: placeFields,
    movesAmongGroups: true,
    wanted: wantedPlace,
    back: (before, { input: { path = {}, ...input } }) => {
      const [request, ...further] = placing(path, path.siteSectionId ?? '', before);
      if (request === undefined) return { undo: 'none', why: noPlace };
      return { request, further, expect: wantedPlace(input) };
    },
  }),

  'section-groups.create': creates({
    why: (input) =>
      bodyOf(input).sections === undefined ? undefined : 'its sections stay, but at the place of the group',
    left: groupState,
    lookup: 'title',
  }),
  'section-groups.delete': deletes(
    { read: readGroup },
    'the group is recreated with its sections, but with a new id',
    { again: groupAgain, inOrder: true, passing: placeFields },
  ),
  'section-groups.add': regroups(
    ({ body }) => String(bodyOf({ body }).sectionId),
    ({ path }) => path?.siteSectionGroupId ?? null,
  ),
  'section-groups.remove': regroups(
    ({ path }) => path?.siteSectionId ?? '',
    () => null,
  ),
  'section-groups.move': moves({ read: readPlaceOfGroup, orders: readOrders, movesAmongGroups: true }),
};

export const sites: Family = {
  operations: operationsIn(sitesApi, adaptiveSchemasApi, siteSpacesApi, sectionsApi),
  rules,
};

/** The defaults that a request changes: the default section, and the default space of the section that it makes the default. */
async function readDefaults(reads: Reads, input: LooseInput): Promise<State> {
  const { defaultSiteSection, defaultSiteSpace: space } = bodyOf(input);
  if (defaultSiteSection === undefined && space === undefined) return {};
  const sections = await listAt(reads, sectionsApi.listSections, input.path);
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
  return (await listAt(reads, siteSpacesApi.listSiteSpaces, path)).find((one) => one.default === true)?.id;
}

/** Where a request changes both defaults, the space belongs to the section that was not the default before. */
function siteBack({ input, before }: PastChange, back: WayBack | NoWayBack): WayBack | NoWayBack {
  const { defaultSiteSection, defaultSiteSpace: space } = bodyOf(input);
  if (back.undo === 'none' || defaultSiteSection === undefined || space === undefined) return back;
  const { defaultSiteSpace: _, ...body } = bodyOf(back.request.input);
  const { defaultSiteSpace: __, ...expect } = back.expect ?? {};
  const path = { ...input.path, siteSectionId: String(defaultSiteSection) };
  const former = { defaultSiteSpace: before?.defaultSiteSpace };
  const own = { ...requestFor(sectionsApi.updateSection, path, former), expect: { defaultSiteSpace: space } };
  const request = requestFor(sitesApi.updateSite, input.path, body);
  return { ...back, request, expect, ...(former.defaultSiteSpace ? { further: [own] } : {}) };
}

const idOfSpace = ({ space }: Resource) => (space as { id?: string } | undefined)?.id;

function placeOfSiteSpace(own: Resource, all: readonly Resource[]): State {
  const siblings = all
    .filter(({ section }) => section === own.section)
    .map(({ id }) => ({ type: 'site-space', siteSpace: String(id) }));
  return neighboursOf(siblings, (one) => one.siteSpace === own.id);
}

function siteSpaceState(own: Resource, all: readonly Resource[]): State {
  const isDefault = own.default === true;
  const space = idOfSpace(own) ?? null;
  return { ...picked(own, siteSpaceFields), space, isDefault, ...placeOfSiteSpace(own, all) };
}

/** In a section, the section shows whether it is the default there. */
async function readSiteSpace(reads: Reads, input: LooseInput): Promise<State> {
  const own = await readListed(siteSpacesApi.listSiteSpaces, 'siteSpaceId', siteSpaceState)(reads, input);
  if (!own?.section) return own;
  const sections = await listAt(reads, sectionsApi.listSections, input.path);
  const section = sections.find(({ id }) => id === own.section);
  const isDefault = section !== undefined && defaultSiteSpace(section) === input.path?.siteSpaceId;
  return { ...own, isDefault };
}

function siteSpaceAgain(before: Resource, { path = {} }: LooseInput): Change[] {
  const { space, section, isDefault } = before;
  if (typeof space !== 'string') return [];
  const body = { spaceId: space, ...(section ? { sectionId: section } : {}) };
  const first = { defaultSiteSpace: path.siteSpaceId };
  const shown = section
    ? requestFor(sectionsApi.updateSection, { ...path, siteSectionId: String(section) }, first)
    : requestFor(sitesApi.updateSite, path, first);
  return [
    requestFor(siteSpacesApi.createSiteSpace, path, body),
    requestFor(siteSpacesApi.updateSiteSpace, path, picked(before, ['path', 'condition'])),
    ...movedBack(siteSpacesApi.moveSiteSpace, path, before),
    ...(isDefault ? [shown] : []),
  ];
}

function groupState(group: Resource): State {
  const inGroup = (group.sections ?? []) as Resource[];
  return { ...picked(group, ['title', 'icon']), sections: inGroup.map(({ id }) => id) };
}

async function readPlaceOfGroup(reads: Reads, { path }: LooseInput): Promise<State> {
  const order = topLevel(await listAt(reads, sectionsApi.listSections, path));
  // A group without sections is in no list that shows the order.
  return neighboursOf(order, ({ id }) => id === path?.siteSectionGroupId) ?? {};
}

/** The order of sections and groups at the top of a site, and of the sections in each group. */
async function readOrders(reads: Reads, { path }: LooseInput): Promise<readonly (readonly string[])[]> {
  const all = await listAt(reads, sectionsApi.listSections, path);
  const grouped = all.filter(({ sectionGroup }) => sectionGroup);
  return [topLevel(all).map(({ id }) => id), ...ordersBy(grouped, ({ sectionGroup }) => sectionGroup)];
}

/** Two reads: the list of sections shows the place. */
async function readGroup(reads: Reads, { path }: LooseInput): Promise<State> {
  const groups = await listAt(reads, sectionsApi.listSectionGroups, path);
  const group = groups.find(({ id }) => id === path?.siteSectionGroupId);
  return group === undefined ? null : { ...groupState(group), ...(await readPlaceOfGroup(reads, { path })) };
}

function groupAgain(before: Resource, { path }: LooseInput): Change[] {
  const { title, icon, sections: inGroup } = before;
  const body = { title, ...(icon ? { icon } : {}), sections: inGroup };
  return [
    requestFor(sectionsApi.createSectionGroup, path, body),
    ...movedBack(sectionsApi.moveSectionGroup, path, before),
  ];
}

/** Puts a section into a group, or out of it. @param groupOf the group that it is in afterwards */
function regroups(
  sectionOf: (input: LooseInput) => string,
  groupOf: (input: LooseInput) => string | null,
): Rule {
  return reverts({
    inOrder: true,
    about: (input): Change =>
      requestFor(sectionsApi.deleteSection, { ...input.path, siteSectionId: sectionOf(input) }),
    async read(reads, input) {
      const all = await listAt(reads, sectionsApi.listSections, input.path);
      const section = all.find(({ id }) => id === sectionOf(input));
      return section ? { group: section.sectionGroup ?? null, ...placeOfSection(section, all) } : null;
    },
    passing: placeFields,
    wanted: (input) => ({ group: groupOf(input) }),
    back: (before, { input }) => regrouped(before, input.path, sectionOf(input), groupOf(input)),
    regroups: (input, before) => {
      if (before?.group === undefined) return undefined;
      const beside = [before.previous, before.next] as (Neighbour | null | undefined)[];
      return {
        section: sectionOf(input),
        from: before.group as string | null,
        into: groupOf(input),
        beside: beside.flatMap((one) => one?.siteSection ?? []),
      };
    },
  });
}

/** Puts a section back into its group, or out of any, and at its place. @param left the group it is in now */
function regrouped(
  before: Resource,
  path: LooseInput['path'],
  id: string,
  left: string | null,
): WayBack | NoWayBack {
  const { group } = before;
  const into = { ...path, siteSectionGroupId: String(group || left), siteSectionId: id };
  const request = group
    ? requestFor(sectionsApi.addSectionToGroup, into, { sectionId: id })
    : requestFor(sectionsApi.removeSectionFromGroup, into);
  const further = placing(path, id, before);
  const isAlone = before.previous === null && before.next === null;
  return {
    ...sureness(further.length > 0 || isAlone ? undefined : noPlace),
    request,
    further,
    expect: { group: left },
  };
}

/** Those that a section stands among, in order. */
function siblingsOf(section: Resource, sections: readonly Resource[]): Sibling[] {
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
  const standing = neighboursOf(siblings.map(named), (one) => one.siteSection === section.id);
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
function placing(path: LooseInput['path'], id: string, place: Resource): Change[] {
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
  const move = (position: object) => requestFor(sectionsApi.moveSection, section, { position });
  const beside = (siteSection: string) => ({ type: 'site-section', siteSection });
  const group = (siteSectionGroupId: string, side: 'before' | 'after') => {
    const position = { [side]: { type: 'site-section', id } };
    return requestFor(sectionsApi.moveSectionGroup, { ...path, siteSectionGroupId }, { position });
  };
  const before = previousGroups.map((one) => group(one, 'before'));
  const after = [...nextGroups].reverse().map((one) => group(one, 'after'));
  if (left && (before.length === 0 || !right || after.length > 0))
    return [move({ after: beside(left) }), ...before];
  if (right) return [move({ before: beside(right) }), ...after];
  return [...before, ...after];
}
