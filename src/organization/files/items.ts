import { withNearest } from '../../files/yaml/mistake.js';
import { type Entry, isList, isMap, isScalar, type MapNode, type Node } from '../../files/yaml/node.js';
import type { Kind } from '../kind.js';
import type { Address, DesiredItem, Scope } from '../model.js';
import { childrenOf, fieldsOf, markerOf, membershipsOf, teamsKey } from './layout.js';
import { readMemberships } from './memberships.js';
import { joined } from './reading.js';
import { mistaken, type Spot, textOf } from './spot.js';
import { platformId, readFields } from './values.js';

/** Items of lists and trees. */

/** Words that any item may have beside its fields. */
export const itemWords = ['was', 'protected', 'external'] as const;

/** A list, and whose it is. */
export interface Place extends Spot {
  kinds: readonly Kind[];
  scope: Scope;
  parent: DesiredItem | undefined;
  /** From the outermost to the nearest. */
  ancestors: readonly DesiredItem[];
}

export async function readList(place: Place, entry: Entry): Promise<void> {
  const { reading, parsed, path, kinds, scope, parent } = place;
  const node = entry.value;
  if (!isList(node))
    return mistaken(place, node, 'must be a list: a line "- …" for each item, or [] for none');
  const parentAddress = parent === undefined ? {} : { parent: parent.address };
  reading.lists.push({ file: parsed.file, entry, kinds, scope, ...parentAddress });
  for (const [index, item] of node.items.entries()) {
    await readItem({ ...place, path: `${path}[${index}]` }, item, index);
  }
}

async function readItem(place: Place, node: Node, index: number): Promise<void> {
  const { reading, kinds } = place;
  if (!isMap(node)) {
    const marker = kinds.map(markerOf).join(' or ');
    return mistaken(place, node, `must be an item with keys, such as "${marker}: …"`);
  }
  const kind = kindOf(place, node);
  const key = kind === undefined ? undefined : keyOf(place, node, kind);
  if (kind === undefined || key === undefined) return;
  const children = childrenOf(kind, reading.kinds);
  const known = knownKeys(kind, reading.kinds);
  reading.onlyKnown(place.parsed, node, place.path, known);
  const item = await itemOf(place, node, { kind, key, index });
  reading.add(item, { kind, map: node, parsed: place.parsed });
  readMembershipsOf(place, node, item);
  const below = kind.spot.children === undefined ? undefined : node.entries.get(kind.spot.children);
  if (below === undefined) return;
  const path = joined(place.path, below.key);
  const ancestors = [...place.ancestors, item];
  await readList({ ...place, path, kinds: children, parent: item, ancestors }, below);
}

/** The keys that an item of a kind can have. */
export function knownKeys(kind: Kind, kinds: readonly Kind[]): string[] {
  const { children } = kind.spot;
  return [
    markerOf(kind),
    ...fieldsOf(kind).map(({ key }) => key),
    ...(kind.name === 'people' && membershipsOf(kinds) !== undefined ? [teamsKey] : []),
    ...(children !== undefined && childrenOf(kind, kinds).length > 0 ? [children] : []),
    ...itemWords,
  ];
}

function kindOf(place: Place, node: MapNode): Kind | undefined {
  const { reading, parsed, kinds, path } = place;
  const [kind, other] = kinds.filter((one) => node.entries.has(markerOf(one)));
  if (kind !== undefined && other === undefined) return kind;
  const markers = kinds.map(markerOf);
  if (kind !== undefined) return mistaken(place, node, `has more than one of the keys ${markers.join(', ')}`);
  const misplaced = reading.kinds.find(
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

function keyOf(place: Place, node: MapNode, kind: Kind): string | undefined {
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
export async function itemOf(
  place: Pick<Place, keyof Spot | 'parent' | 'ancestors'>,
  node: MapNode,
  { kind, key, index }: { kind: Kind; key: string; index: number },
): Promise<DesiredItem> {
  const { reading, parsed, parent, ancestors } = place;
  const { values, places } = await readFields(place, node, kind);
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
export function addressOf(
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
function readMembershipsOf(place: Place, node: MapNode, item: DesiredItem): void {
  const kind = item.kind === 'people' ? membershipsOf(place.reading.kinds) : undefined;
  const entry = node.entries.get(teamsKey);
  if (kind === undefined || entry === undefined) return;
  readMemberships({ ...place, path: joined(place.path, teamsKey) }, entry.value, item, { kind, map: node });
}
