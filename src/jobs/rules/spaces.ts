import type { LooseInput } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import {
  createCollection,
  deleteCollection,
  getCollection,
  listCollectionSpaces,
  listCollections,
  moveCollection,
  transferCollection,
  updateCollection,
} from '../../api/resources/collections.js';
import { listSpaceFields, setSpaceFields } from '../../api/resources/space-fields.js';
import {
  deleteSpace,
  duplicateSpace,
  getSpace,
  moveSpace,
  restoreSpace,
  transferSpace,
  updateSpace,
} from '../../api/resources/spaces.js';
import type { Change, NoWayBack, Reads, Resource, Rule, Rules, WayBack } from '../rule.js';
import type { State } from '../state.js';
import { bodyOf, creates, deletes, likeness, picked, readFields, requestFor, sets } from './builders.js';
import { positionBack, standingOf, wantedPlace } from './order.js';
import { spaceChange } from './space-change.js';

/** How long a deleted space can be restored (spec B, "Limits"), in milliseconds. */
export const restoreWindowMs = 7 * 86_400_000;

const spaceFields = ['title', 'parent', 'revision'];
const collectionFields = ['title', 'description', 'parent', 'defaultLevel'];

/** Collections, spaces and the values of their custom fields. */
export const spaces: Rules = {
  [createCollection.id]: creates({
    remove: deleteCollection,
    parameter: 'collectionId',
    left: (answer) => picked(answer, collectionFields),
    lookup: likeness(listCollections, ({ title }, body) => title === (body.title ?? title)),
  }),
  [updateCollection.id]: sets(updateCollection, { get: getCollection }),
  [deleteCollection.id]: deletes({
    read: readFields(getCollection, [...collectionFields, 'organization']),
    why: 'the collection is made anew with its title, but with another id, at the end, and empty',
    again: ({ title, parent, organization }) =>
      requestFor(
        createCollection,
        { organizationId: String(organization) },
        { title, ...(parent ? { parent } : {}) },
      ),
  }),
  [moveCollection.id]: moved(moveCollection, {
    read: readFields(getCollection, ['parent']),
    why: 'the platform does not tell where a collection stands among its siblings',
  }),
  [transferCollection.id]: transferred(transferCollection, getCollection),

  [updateSpace.id]: spaceChange,
  [deleteSpace.id]: {
    before: 'always',
    withinMs: restoreWindowMs,
    forecast: () => ({ undo: 'exact' }),
    read: readFields(getSpace, spaceFields),
    wanted: () => null,
    back: ({ input }) => ({
      undo: 'exact',
      request: requestFor(restoreSpace, input.path ?? {}),
      expect: null,
    }),
  },
  [restoreSpace.id]: {
    forecast: () => ({ undo: 'exact' }),
    read: readFields(getSpace, spaceFields),
    wanted: () => ({}),
    oneWay: true,
    keepsAnswer: true,
    back: ({ input, answer }) => ({
      undo: 'exact',
      request: requestFor(deleteSpace, input.path ?? {}),
      expect: answer === undefined ? undefined : picked(answer as Resource, spaceFields),
    }),
  },
  [duplicateSpace.id]: creates({
    remove: deleteSpace,
    parameter: 'spaceId',
    left: (answer) => picked(answer, spaceFields),
  }),
  [moveSpace.id]: moved(moveSpace, {
    read: readPlaceOfSpace,
    why: 'the platform does not tell the order at the top level, nor among collections',
  }),
  [transferSpace.id]: transferred(transferSpace, getSpace),

  [setSpaceFields.id]: {
    before: 'always',
    forecast: () => ({ undo: 'best-effort', why: 'a value that was not set before cannot be removed' }),
    read: readValues,
    wanted: (input) => values(input),
    back: valuesBack,
  },
};

/** A move to another parent. Where exactly it goes back to is more than the platform tells. */
function moved(op: AnyOperation, { read, why }: { read: NonNullable<Rule['read']>; why: string }): Rule {
  return {
    before: 'always',
    inOrder: true,
    forecast: () => ({ undo: 'best-effort', why }),
    read,
    wanted: (input) => {
      const { parent } = bodyOf(input);
      return { ...(parent !== undefined && { parent }), ...wantedPlace(input) };
    },
    // A place among siblings that no read lists cannot be told.
    tells: (input, before) => Object.keys(wantedPlace(input)).every((side) => side in (before ?? {})),
    back({ input, before }: Change): WayBack | NoWayBack {
      if (!before) return { undo: 'none', why: 'where it was before is not known' };
      const position = positionBack(before);
      const body = { parent: before.parent ?? null, ...(position !== undefined && { position }) };
      const { parent } = bodyOf(input);
      const expect = parent === undefined ? undefined : { parent };
      return { undo: 'best-effort', why, request: requestFor(op, input.path ?? {}, body), expect };
    },
  };
}

/** The collection of a space, and its neighbours among the spaces there: a second read tells the order. */
async function readPlaceOfSpace(reads: Reads, { path = {} }: LooseInput): Promise<State> {
  const space = await reads.one(getSpace, requestFor(getSpace, path).input);
  if (space === null) return null;
  const place = picked(space, ['parent']);
  if (typeof place.parent !== 'string') return place;
  const list = requestFor(listCollectionSpaces, { collectionId: place.parent }).input;
  const siblings = (await reads.all(listCollectionSpaces, list)) ?? [];
  const named = siblings.map(({ id }) => ({ type: 'space', space: String(id) }));
  return { ...place, ...standingOf(named, (one) => one.space === path.spaceId) };
}

function transferred(op: AnyOperation, get: AnyOperation): Rule {
  const why = 'it goes back to the top level of the organization, without its place and its own permissions';
  return {
    before: 'always',
    forecast: () => ({ undo: 'best-effort', why }),
    read: readFields(get, ['organization']),
    wanted: (input) => picked(bodyOf(input), ['organization']),
    back({ input, before }) {
      if (!before) return { undo: 'none', why: 'the organization before is not known' };
      const request = requestFor(op, input.path ?? {}, before);
      return { undo: 'best-effort', why, request, expect: picked(bodyOf(input), ['organization']) };
    },
  };
}

/** The values that a request sets, by field. */
function values(input: LooseInput): Record<string, unknown> {
  const asked = (bodyOf(input).values ?? {}) as Record<string, { value: unknown }>;
  return Object.fromEntries(Object.entries(asked).map(([name, { value }]) => [name, value]));
}

async function readValues(reads: Reads, input: LooseInput): Promise<State> {
  const { input: own } = requestFor(listSpaceFields, input.path ?? {});
  const entries = (await reads.one(listSpaceFields, own)) as unknown as
    | { customField: { name: string }; value?: unknown }[]
    | null;
  if (entries === null) return null;
  const known = new Map(entries.map(({ customField, value }) => [customField.name, value]));
  return Object.fromEntries(Object.keys(values(input)).map((name) => [name, known.get(name) ?? null]));
}

function valuesBack({ input, before }: Change): WayBack | NoWayBack {
  if (!before) return { undo: 'none', why: 'the values before are not known' };
  const kept = Object.entries(before).filter(([, value]) => value !== null);
  const lost = Object.keys(before).filter((name) => before[name] === null);
  const why = `${lost.join(', ')} had no value before, and nothing removes one`;
  if (kept.length === 0) return { undo: 'none', why };
  const body = { values: Object.fromEntries(kept.map(([name, value]) => [name, { value }])) };
  const request = requestFor(setSpaceFields, input.path ?? {}, body);
  const asked = values(input);
  const expect = Object.fromEntries(kept.map(([name]) => [name, asked[name]]));
  return lost.length === 0
    ? { undo: 'exact', request, expect }
    : { undo: 'best-effort', why, request, expect };
}
