import { isList, isMap, isScalar, type MapNode, type Node } from '../../files/yaml/node.js';
import type { Kind } from '../kind.js';
import type { Address, DesiredItem, FilePlace } from '../model.js';
import type { Reading } from './reading.js';
import { mistaken, type Spot, textOf } from './spot.js';
import { checkValues, operationOf } from './values.js';

/** Memberships: the `teams` of a person, `[writers]` or `{writers: owner}`. */

/** The field that says what somebody is in a team, and what one is whose role is not named. */
export const roleField = 'role';
export const plainRole = 'member';

/** One team of a person. */
interface Membership {
  team: string;
  role: string;
  at: FilePlace;
}

export function readMemberships(
  spot: Spot,
  node: Node,
  person: DesiredItem,
  { kind, map }: { kind: Kind; map: MapNode },
): void {
  for (const membership of membershipsIn(spot, node, kind)) {
    const item = addMembership(spot.reading, kind, person, membership);
    spot.reading.nodes.set(item.address, { kind, map, parsed: spot.parsed });
  }
}

/** Adds the item of a membership, of a YAML or a CSV file. */
export function addMembership(
  reading: Reading,
  kind: Kind,
  person: Pick<DesiredItem, 'key' | 'external'>,
  { team, role, at }: Membership,
): DesiredItem {
  const parent: Address = `teams/${team}`;
  const item: DesiredItem = {
    kind: kind.name,
    address: `${kind.name}/${team}/${person.key}`,
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

function membershipsIn(spot: Spot, node: Node, kind: Kind): Membership[] {
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
    if (checkValues(here, { ...node, entries }, operationOf(kind), { [roleField]: role }).size > 0) return [];
    return [{ team: key, role, at: reading.place(parsed, keyStart, here.path) }];
  });
}
