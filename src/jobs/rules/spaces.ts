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
import { defined } from '../../defined.js';
import { type Reads, type Resource, requestFor } from '../request.js';
import type { Change, NoWayBack, Rule, Rules, WayBack } from '../rule.js';
import type { State } from '../state.js';
import {
  bodyOf,
  creates,
  deletes,
  likeness,
  picked,
  type Read,
  readOne,
  reverts,
  sets,
  stateUnknown,
  sureness,
} from './builders.js';
import { positionBack, standingOf, wantedPlace } from './order.js';

/** How long a deleted space can be restored (spec B, "Limits"), in milliseconds. */
export const restoreWindowMs = 7 * 86_400_000;

const spaceFields = ['title', 'parent', 'revision'];
const collectionFields = ['title', 'description', 'parent', 'defaultLevel'];

const icon = ({ urls }: Resource) => (urls as { icon?: string } | undefined)?.icon;
/** The platform returns '' where a space has no emoji. */
const emoji = (space: Resource) => space.emoji || null;

const settings = sets(updateSpace, { get: getSpace, from: { icon, emoji } });

/** An emoji replaces an icon and the other way round, so both are read and restored together. */
const faces = ['emoji', 'icon'] as const;

function changesFace(input: LooseInput): boolean {
  return faces.some((face) => face in bodyOf(input));
}

const spaceChange: Rule = {
  ...settings,
  forecast: (input) =>
    sureness(changesFace(input) ? 'an icon is restored from the URL that the platform gave it' : undefined),
  async read(reads, input) {
    return (await settings.read?.(reads, changesFace(input) ? withFaces(input) : input)) ?? null;
  },
  back(change) {
    const back = settings.back?.(changesFace(change.input) ? faceless(change) : change);
    return changesFace(change.input) ? faceBack(change, back) : (back ?? stateUnknown);
  },
};

export const spaces: Rules = {
  [createCollection.id]: creates({
    remove: deleteCollection,
    parameter: 'collectionId',
    left: collectionFields,
    lookup: likeness(listCollections, 'title'),
  }),
  [updateCollection.id]: sets(updateCollection, { get: getCollection }),
  [deleteCollection.id]: deletes({
    read: readOne(getCollection, [...collectionFields, 'organization']),
    why: 'the collection is recreated with its title, but with a new id, at the end, and empty',
    again: ({ title, parent, organization }) =>
      requestFor(
        createCollection,
        { organizationId: String(organization) },
        { title, ...(parent ? { parent } : {}) },
      ),
  }),
  [moveCollection.id]: moved(moveCollection, {
    read: readOne(getCollection, ['parent']),
    why: 'the platform does not show the order of collections',
  }),
  [transferCollection.id]: transferred(transferCollection, getCollection),

  [updateSpace.id]: spaceChange,
  [deleteSpace.id]: {
    before: 'always',
    withinMs: restoreWindowMs,
    restoredBy: 'docs spaces restore',
    forecast: () => ({ undo: 'exact' }),
    read: readOne(getSpace, spaceFields),
    wanted: () => null,
    back: ({ input: { path } }) => ({ undo: 'exact', request: requestFor(restoreSpace, path), expect: null }),
  },
  [restoreSpace.id]: {
    forecast: () => ({ undo: 'exact' }),
    read: readOne(getSpace, spaceFields),
    wanted: () => ({}),
    oneWay: true,
    keepsAnswer: true,
    back: ({ input, answer }) => ({
      undo: 'exact',
      request: requestFor(deleteSpace, input.path),
      expect: answer === undefined ? undefined : picked(answer as Resource, spaceFields),
    }),
  },
  [duplicateSpace.id]: creates({
    remove: deleteSpace,
    parameter: 'spaceId',
    left: spaceFields,
    shows: besideSpace,
  }),
  [moveSpace.id]: moved(moveSpace, {
    read: readPlaceOfSpace,
    why: 'the platform does not show the order at the top level and among collections',
  }),
  [transferSpace.id]: transferred(transferSpace, getSpace),

  [setSpaceFields.id]: reverts({
    why: 'a value that was not set before cannot be removed',
    read: readValues,
    wanted: values,
    back: valuesBack,
  }),
};

/** A move to another parent. The platform does not show the whole place before it. */
function moved(op: AnyOperation, { read, why }: { read: Read; why: string }): Rule {
  return reverts({
    why,
    inOrder: true,
    read,
    wanted: (input) => defined({ parent: bodyOf(input).parent, ...wantedPlace(input) }),
    // No read shows a place among siblings that the platform does not list.
    tells: (input, before) => Object.keys(wantedPlace(input)).every((side) => side in (before ?? {})),
    back(before, { input }) {
      const body = defined({ parent: before.parent ?? null, position: positionBack(before) });
      const { parent } = bodyOf(input);
      const expect = parent === undefined ? undefined : { parent };
      return { request: requestFor(op, input.path, body), expect };
    },
  });
}

/** Two reads: the list of the collection shows the neighbours. */
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

/** The spaces in the collection of a space, where its copy appears; no list shows the top level. */
async function besideSpace(reads: Reads, { path }: LooseInput): Promise<Resource[] | null> {
  const space = await reads.one(getSpace, requestFor(getSpace, path).input);
  if (typeof space?.parent !== 'string') return null;
  const list = requestFor(listCollectionSpaces, { collectionId: space.parent }).input;
  const all = (await reads.all(listCollectionSpaces, list)) ?? [];
  return all.filter(({ id, title }) => id !== space.id && String(title).includes(String(space.title)));
}

function transferred(op: AnyOperation, get: AnyOperation): Rule {
  const wanted = (input: LooseInput) => picked(bodyOf(input), ['organization']);
  return reverts({
    why: 'it returns to the top level of the organization, without its position and its own permissions',
    read: readOne(get, ['organization']),
    wanted,
    back: (before, { input }) => ({ request: requestFor(op, input.path, before), expect: wanted(input) }),
  });
}

function values(input: LooseInput): Record<string, unknown> {
  const asked = (bodyOf(input).values ?? {}) as Record<string, { value: unknown }>;
  return Object.fromEntries(Object.entries(asked).map(([name, { value }]) => [name, value]));
}

async function readValues(reads: Reads, input: LooseInput): Promise<State> {
  const { input: own } = requestFor(listSpaceFields, input.path);
  const entries = (await reads.one(listSpaceFields, own)) as unknown as
    | { customField: { name: string }; value?: unknown }[]
    | null;
  if (entries === null) return null;
  const known = new Map(entries.map(({ customField, value }) => [customField.name, value]));
  return Object.fromEntries(Object.keys(values(input)).map((name) => [name, known.get(name) ?? null]));
}

function valuesBack(before: Resource, { input }: Change) {
  const kept = Object.entries(before).filter(([, value]) => value !== null);
  const lost = Object.keys(before).filter((name) => before[name] === null);
  const why = `${lost.join(', ')} had no value before, and the platform cannot remove one`;
  if (kept.length === 0) return { undo: 'none', why } as const;
  const body = { values: Object.fromEntries(kept.map(([name, value]) => [name, { value }])) };
  const asked = values(input);
  const expect = Object.fromEntries(kept.map(([name]) => [name, asked[name]]));
  const request = requestFor(setSpaceFields, input.path, body);
  return { ...sureness(lost.length === 0 ? undefined : why), request, expect };
}

function withFaces(input: LooseInput): LooseInput {
  return { ...input, body: { emoji: null, icon: null, ...bodyOf(input) } };
}

function faceless({ input, ...rest }: Change): Change {
  const { emoji: _, icon: __, ...others } = bodyOf(input);
  return { ...rest, input: { ...input, body: others } };
}

function faceBack({ input, before }: Change, others: WayBack | NoWayBack | undefined): WayBack | NoWayBack {
  if (!before) return stateUnknown;
  const face = before.icon ? { icon: before.icon } : { emoji: before.emoji ?? null, icon: null };
  const rest = others?.undo === 'none' ? {} : bodyOf(others?.request.input ?? {});
  const { emoji: asked, icon: wanted } = bodyOf(input);
  const faces = defined({ emoji: asked === undefined ? undefined : asked || null, icon: wanted });
  const expect = { ...(others?.undo === 'none' ? {} : others?.expect), ...faces };
  const request = requestFor(updateSpace, input.path, { ...rest, ...face });
  const why = before.icon ? 'the icon is restored from the URL that the platform gave it' : undefined;
  return { ...sureness(why), request, expect };
}
