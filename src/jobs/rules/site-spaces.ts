import type { LooseInput } from '../../api/client.js';
import { listSections, updateSection } from '../../api/resources/sections.js';
import {
  createSiteSpace,
  deleteSiteSpace,
  listSiteSpaces,
  moveSiteSpace,
  updateSiteSpace,
} from '../../api/resources/site-spaces.js';
import { updateSite } from '../../api/resources/sites.js';
import { type Reads, type Resource, requestFor } from '../request.js';
import type { Part, Rules } from '../rule.js';
import type { State } from '../state.js';
import { creates, deletes, likeness, picked, readListed, sets } from './builders.js';
import { moves, ordersBy, placeFields, positionBack, standingOf } from './order.js';
import { defaultSiteSpace } from './sections.js';

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
