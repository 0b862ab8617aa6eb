import { type TSchema, Type } from '../../api/type.js';
import {
  type Entry,
  isList,
  isMap,
  isScalar,
  type MapNode,
  type Node,
  withNearest,
} from '../../files/yaml/node.js';
import { kinds as allKinds } from '../kinds/index.js';
import type { Address, DesiredItem, FileLocation, Guards, Kind, Manage, Scope } from '../model.js';
import { childrenOf, fieldsOf, markerOf, memberships, teamsKey } from './layout.js';
import { joined, mistaken, type Reading, type Spot, textOf } from './reading.js';
import { checkValues, inputOf, operationOf, plain, platformId, readFields } from './values.js';

/** What files say about themselves: what is managed, and the guards. */

export const manages = ['none', 'additive', 'exact'] as const satisfies readonly Manage[];
export const manageSchema: TSchema = Type.Unsafe<Manage>({
  type: 'string',
  enum: [...manages],
  default: 'additive',
  description:
    'What happens to items that the file does not name: none and additive leave them alone (none also keeps pull from adding them); exact removes them with --prune',
});

export const guardsSchema = Type.Object(
  {
    min_admins: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 2,
        description: 'How many admins there must be after every apply',
      }),
    ),
    required_admins: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), { description: 'Emails of people who stay admins' }),
    ),
    require_self: Type.Optional(
      Type.Boolean({ default: true, description: 'Whether whoever applies must stay an admin' }),
    ),
    max_removals: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: '^(?:100|[0-9]{1,2})%$' })], {
        default: '25%',
        description: 'How many items of a kind one apply may remove: a count, or a share such as 25%',
      }),
    ),
  },
  { additionalProperties: false, description: 'Checked before anything is changed' },
);

const guardsInput = inputOf('guards', { ...guardsSchema, additionalProperties: true });

export function readGuards(spot: Spot, node: Node): Guards {
  if (!isMap(node)) return mistaken(spot, node, 'must be keys with values, such as "min_admins: 2"') ?? {};
  const { reading, parsed, path } = spot;
  reading.onlyKnown(parsed, node, path, Object.keys(guardsSchema.properties));
  const values = plain(spot, node, guardsSchema) as Record<string, unknown>;
  for (const key of checkValues(spot, node, guardsInput, values)) delete values[key];
  const { min_admins, required_admins, require_self, max_removals } = values;
  return {
    ...(typeof min_admins === 'number' && { minAdmins: min_admins }),
    ...(Array.isArray(required_admins) && { requiredAdmins: required_admins as string[] }),
    ...(typeof require_self === 'boolean' && { requireSelf: require_self }),
    ...(typeof max_removals === 'number' && { maxRemovals: { count: max_removals } }),
    ...(typeof max_removals === 'string' && {
      maxRemovals: { share: Number.parseInt(max_removals, 10) / 100 },
    }),
  };
}

/** @param node absent: additive */
export function readManage(spot: Spot, node: Node | undefined): Manage {
  if (node === undefined) return 'additive';
  const found = isScalar(node) && node.tag === undefined ? node.value : undefined;
  const known = manages.find((one) => one === found);
  if (known !== undefined) return known;
  const words = `must be one of ${manages.join(', ')}`;
  const near = typeof found === 'string' ? withNearest(words, found, manages) : { message: words };
  spot.reading.mistake(spot.reading.place(spot.parsed, node.start, spot.path), near);
  return 'additive';
}

/** `sites: {manage: additive}` of org.yaml. */
export function readScope(spot: Spot, node: Node): Pick<Scope, 'manage'> {
  if (!isMap(node)) {
    mistaken(spot, node, 'must be keys with values, such as "manage: additive"');
    return { manage: 'additive' };
  }
  spot.reading.onlyKnown(spot.parsed, node, spot.path, ['manage']);
  const path = joined(spot.path, 'manage');
  return { manage: readManage({ ...spot, path }, node.entries.get('manage')?.value) };
}

/** Memberships: the `teams` of a person, `[writers]` or `{writers: owner}`. */

/** The field that says what somebody is in a team, and what one is whose role is not named. */
export const roleField = 'role';
export const plainRole = 'member';

/** One team of a person. */
interface Membership {
  team: string;
  role: string;
  at: FileLocation;
}

function readMemberships(spot: Spot, node: Node, person: DesiredItem, map: MapNode): void {
  for (const membership of membershipsIn(spot, node)) {
    const item = addMembership(spot.reading, person, membership);
    spot.reading.keep(item.address, { kind: memberships, map, parsed: spot.parsed });
  }
}

/** Adds the item of a membership, of a YAML or a CSV file. */
export function addMembership(
  reading: Reading,
  person: Pick<DesiredItem, 'key' | 'external'>,
  { team, role, at }: Membership,
): DesiredItem {
  const parent: Address = `teams/${team}`;
  const item: DesiredItem = {
    kind: memberships.name,
    address: `memberships/${team}/${person.key}`,
    key: person.key,
    parent,
    index: 0,
    fields: role === plainRole ? plainFields : { [roleField]: role },
    protected: false,
    external: false,
    at,
    places: none,
  };
  reading.refer({ kinds: ['teams'], within: undefined, key: team, place: at });
  reading.add(item);
  return item;
}

/** Shared: a large organization has hundreds of thousands. */
const plainFields = Object.freeze({ [roleField]: plainRole });
const none = Object.freeze({});

function membershipsIn(spot: Spot, node: Node): Membership[] {
  const { reading, parsed, path } = spot;
  if (isList(node)) {
    return node.items.flatMap((item, index) => {
      const here = { ...spot, path: `${path}[${index}]` };
      const team = isScalar(item) && item.tag === undefined ? textOf(item) : undefined;
      if (team === undefined || team === '') return mistaken(here, item, 'must be the key of a team') ?? [];
      return [{ team, role: plainRole, at: reading.place(parsed, item.start, here.path) }];
    });
  }
  if (!isMap(node)) {
    return mistaken(spot, node, 'must be a list of teams, or teams with roles: {writers: owner}') ?? [];
  }
  return [...node.entries.values()].flatMap((entry) => {
    const { key, keyStart, value } = entry;
    const role = isScalar(value) && value.tag === undefined ? textOf(value) : undefined;
    const here = { ...spot, path: `${path}.${key}` };
    if (role === undefined) return mistaken(here, value, 'must be a role in the team') ?? [];
    const entries = new Map([[roleField, { ...entry, key: roleField }]]);
    if (checkValues(here, { ...node, entries }, operationOf(memberships), { [roleField]: role }).size > 0)
      return [];
    return [{ team: key, role, at: reading.place(parsed, keyStart, here.path) }];
  });
}

/** Items of lists and trees. */

/** Words that any item may have beside its fields. */
const itemWords = ['was', 'protected', 'external'] as const;

/** A list, and whose it is. */
interface ItemPlace extends Spot {
  kinds: readonly Kind[];
  scope: Scope;
  parent: DesiredItem | undefined;
  /** From the outermost to the nearest. */
  ancestors: readonly DesiredItem[];
}

export function readList(place: ItemPlace, entry: Entry): void {
  const { reading, parsed, path, kinds, scope, parent } = place;
  const node = entry.value;
  if (!isList(node))
    return void mistaken(place, node, 'must be a list: a line "- …" for each item, or [] for none');
  const parentAddress = parent === undefined ? {} : { parent: parent.address };
  reading.lists.push({ file: parsed.file, entry, kinds, scope, ...parentAddress });
  node.items.forEach((item, index) => {
    readItem({ ...place, path: `${path}[${index}]` }, item, index);
  });
}

function readItem(place: ItemPlace, node: Node, index: number): void {
  const { reading, kinds } = place;
  if (!isMap(node)) {
    const marker = kinds.map(markerOf).join(' or ');
    return void mistaken(place, node, `must be an item with keys, such as "${marker}: …"`);
  }
  const kind = kindOf(place, node);
  const key = kind === undefined ? undefined : keyOf(place, node, kind);
  if (kind === undefined || key === undefined) return;
  const { children, known } = keysOf(kind);
  reading.onlyKnown(place.parsed, node, place.path, known);
  const item = itemOf(place, node, { kind, key, index });
  reading.add(item, { kind, map: node, parsed: place.parsed });
  readMembershipsOf(place, node, item);
  const below = kind.spot.children === undefined ? undefined : node.entries.get(kind.spot.children);
  if (below === undefined) return;
  const path = joined(place.path, below.key);
  const ancestors = [...place.ancestors, item];
  readList({ ...place, path, kinds: children, parent: item, ancestors }, below);
}

/** The keys that an item can have, and the kinds of what stands in it. */
interface KindKeys {
  known: readonly string[];
  children: readonly Kind[];
}

const keys = new WeakMap<Kind, KindKeys>();

/** Made once: there are thousands of items. */
function keysOf(kind: Kind): KindKeys {
  const found = keys.get(kind);
  if (found !== undefined) return found;
  const { children: below } = kind.spot;
  const children = childrenOf(kind);
  const known = [
    markerOf(kind),
    ...fieldsOf(kind).map(({ key }) => key),
    ...(kind.name === 'people' ? [teamsKey] : []),
    ...(below !== undefined && children.length > 0 ? [below] : []),
    ...itemWords,
  ];
  const made = { known, children };
  keys.set(kind, made);
  return made;
}

function kindOf(place: ItemPlace, node: MapNode): Kind | undefined {
  const { reading, parsed, kinds, path } = place;
  const found = kinds.filter((one) => node.entries.has(markerOf(one)));
  const kind = found[0];
  if (kind !== undefined && found.length === 1) return kind;
  const markers = kinds.map(markerOf);
  if (kind !== undefined) return mistaken(place, node, `has more than one of the keys ${markers.join(', ')}`);
  const misplaced = allKinds.find(
    (one) =>
      one.spot.marker !== undefined &&
      one.spot.file === kinds[0]?.spot.file &&
      node.entries.has(one.spot.marker),
  );
  if (misplaced !== undefined)
    return mistaken(
      place,
      node,
      `is a ${misplaced.one}, which cannot be here; expected: ${markers.join(', ')}`,
    );
  const near = [...node.entries.keys()]
    .map((key) => withNearest('', key, markers))
    .find((one) => one.nearest);
  const needed =
    markers.length === 1 ? `needs the key ${markers[0]}` : `needs one of the keys ${markers.join(', ')}`;
  const meant = near?.nearest === undefined ? {} : { nearest: near.nearest };
  reading.mistake(reading.place(parsed, node.start, path), {
    message: near === undefined ? needed : `${needed}${near.message}`,
    ...meant,
  });
  return undefined;
}

/** Keys that the files choose are part of addresses and of file names. */
export const ownKey = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
export const ownKeyWords = 'must be a key: letters, digits, ".", "_" and "-", at most 100';

function keyOf(place: ItemPlace, node: MapNode, kind: Kind): string | undefined {
  const marker = markerOf(kind);
  const value = node.entries.get(marker)?.value;
  const here = { ...place, path: joined(place.path, marker) };
  if (!isScalar(value) || value.value === null) return undefined;
  const key = value.tag === undefined ? textOf(value) : undefined;
  if (key === undefined || key.trim() === '') return mistaken(here, value, 'must be a text');
  if (/[\0-\x1f\x7f]/.test(key)) return mistaken(here, value, 'has control characters');
  if (kind.names !== undefined) {
    if (platformId(key) !== undefined) return key;
    const at = place.reading.place(place.parsed, value.start, here.path);
    place.reading.refer({ kinds: [kind.names], within: undefined, key, place: at });
    return key;
  }
  return kind.key !== 'own' || ownKey.test(key) ? key : mistaken(here, value, ownKeyWords);
}

/** An item with its fields; what is wrong with them is reported. */
export function itemOf(
  place: Pick<ItemPlace, keyof Spot | 'parent' | 'ancestors'>,
  node: MapNode,
  { kind, key, index }: { kind: Kind; key: string; index: number },
): DesiredItem {
  const { reading, parsed, parent, ancestors } = place;
  const { values, places } = readFields(place, node, kind);
  const at = reading.place(parsed, node.start, place.path);
  const was = wordOf(place, node, 'was');
  return {
    kind: kind.name,
    address: addressOf(kind, key, ancestors),
    key,
    ...(parent !== undefined && { parent: parent.address }),
    index,
    fields: values,
    ...(typeof was === 'string' && { was }),
    protected: wordOf(place, node, 'protected') === true,
    external: wordOf(place, node, 'external') === true,
    at,
    places,
  };
}

/** `sections/acme-docs/guides`: kinds with a scope have the key of that ancestor in their addresses. */
function addressOf(
  kind: Kind,
  key: string,
  ancestors: readonly Pick<DesiredItem, 'kind' | 'key'>[],
): Address {
  const scope = ancestors.find(({ kind: name }) => name === kind.scope);
  return scope === undefined ? `${kind.name}/${key}` : `${kind.name}/${scope.key}/${key}`;
}

function wordOf(place: Spot, node: MapNode, word: (typeof itemWords)[number]): string | boolean | undefined {
  const value = node.entries.get(word)?.value;
  if (value === undefined || (isScalar(value) && value.value === null)) return undefined;
  const here = { ...place, path: joined(place.path, word) };
  const found = isScalar(value) && value.tag === undefined ? value.value : undefined;
  if (word !== 'was')
    return typeof found === 'boolean' ? found : mistaken(here, value, 'must be true or false');
  const text = isScalar(value) && value.tag === undefined ? textOf(value) : undefined;
  return text === undefined || text === '' ? mistaken(here, value, 'must be the key that it had') : text;
}

/** The teams of a person are memberships. */
function readMembershipsOf(place: ItemPlace, node: MapNode, item: DesiredItem): void {
  const entry = node.entries.get(teamsKey);
  if (item.kind !== 'people' || entry === undefined) return;
  readMemberships({ ...place, path: joined(place.path, teamsKey) }, entry.value, item, node);
}
