import type { AnyOperation } from '../api/operation.js';
import { pathParameters } from '../api/operation-facts.js';
import { pingOrg } from '../api/resources/orgs.js';
import { isObject } from '../base/values.js';
import type { Change } from '../jobs/change.js';
import { operationsOf } from '../model/operations.js';
import { idsInBody, namedResources, type Resource, resources } from '../model/resources.js';

/**
 * What a change does to the things that it concerns, from its operation and its body, not from its path and method:
 * what `protect`, budgets and rules about danger are asked about. Pure.
 */

export interface Counts {
  /** All changes, deletions among them. */
  writes: number;
  deletes: number;
}

/** What a request does. To tell the platform that somebody is there changes nothing that a policy is about. */
export function effectOf({ op }: Pick<Change, 'op'>): 'read' | 'write' | 'delete' {
  if (op.method === 'GET' || op.id === pingOrg.id) return 'read';
  return op.method === 'DELETE' ? 'delete' : 'write';
}

/** A thing that a change writes, moves or removes. */
export interface Concerned {
  kind: Resource;
  /** Of a member, an email in its place. */
  id: string;
}

/** Fields of a body that name what stays as it is: neighbours, and what something points to. */
const untouched = /^(?:position|default[A-Z]\w*)$/;

/** What a change names: in its path, and in its body unless it stays as it is. */
export function* concernedBy({ op, input: { path = {}, body } }: Change): Generator<Concerned> {
  for (const parameter of pathParameters(op.path)) {
    const kind = namedResources.find((one) => one.parameter === parameter);
    const id = path[parameter];
    if (kind !== undefined && id !== undefined) yield { kind, id };
  }
  for (const { resource, id, at } of idsInBody(body))
    if (!untouched.test(at[0] ?? '')) yield { kind: resources[resource], id };
}

/** How many things a body takes out of where they are: members out of a team. */
export function removedBy({ input: { body } }: Change): number {
  return isObject(body) && Array.isArray(body.remove) ? body.remove.length : 0;
}

/** What changes cost: each thing that is written counts one, each that is removed counts as deleted, too. */
export function countsOf(changes: readonly Change[]): Counts {
  return sumOf(changes.map(countsOfOne));
}

function countsOfOne(change: Change): Counts {
  const effect = effectOf(change);
  if (effect === 'read') return { writes: 0, deletes: 0 };
  const removed = removedBy(change);
  const deletes = removed + (effect === 'delete' ? 1 : 0);
  const listed = [...idsInBody(change.input.body)].filter(({ isListed }) => isListed).length;
  return { writes: Math.max(1, listed), deletes };
}

export function sumOf(all: readonly Counts[]): Counts {
  return {
    writes: all.reduce((sum, { writes }) => sum + writes, 0),
    deletes: all.reduce((sum, { deletes }) => sum + deletes, 0),
  };
}

/** A list of what goes along with a thing, and what becomes of it where that is deleted or transferred. */
export interface Inside {
  kind: Resource;
  list: string;
  /** The field of an item that names the thing, where the list has more. */
  field?: string;
  is: 'write' | 'delete';
  /** The list is that of each item of this one. */
  of?: { kind: Resource; list: string };
  /** The operation whose rows hold for each item, too. */
  within?: string;
}

const { collection, site, space, section } = resources;
const [group, siteSpace, teamMember] = [
  resources['section-group'],
  resources['site-space'],
  resources['team-member'],
];

const inCollection = (within: { collection?: string; space?: string } = {}): readonly Inside[] => [
  { kind: space, list: 'collections.spaces', is: 'write', within: within.space },
  { kind: collection, list: 'collections.list', field: 'parent', is: 'write', within: within.collection },
];

/** A space is shown no more where it is deleted, or of another organization. */
const shownOn: readonly Inside[] = [
  {
    kind: siteSpace,
    list: 'site-spaces.list',
    field: 'space.id',
    is: 'delete',
    of: { kind: site, list: 'sites.list' },
  },
];

/**
 * By operation: what goes along with what its path names and is written or removed elsewhere (platform-facts: a deleted
 * collection leaves its contents). Budgets count it, and it may be protected. What lies in the thing itself, such as the
 * comments of a space, is part of it: that may be protected, and counts as one with it (`partsOf`).
 */
export const goesAlong: Readonly<Record<string, readonly Inside[]>> = {
  'collections.delete': inCollection(),
  'collections.transfer': inCollection({ collection: 'collections.transfer', space: 'spaces.transfer' }),
  'sites.delete': [
    { kind: section, list: 'sections.list', is: 'delete' },
    { kind: group, list: 'section-groups.list', is: 'delete' },
    { kind: siteSpace, list: 'site-spaces.list', is: 'delete' },
  ],
  'sections.delete': [{ kind: siteSpace, list: 'site-spaces.list', field: 'section', is: 'delete' }],
  'section-groups.delete': [{ kind: section, list: 'sections.list', field: 'sectionGroup', is: 'write' }],
  'spaces.delete': shownOn,
  'spaces.transfer': shownOn,
  'teams.delete': [{ kind: teamMember, list: 'team-members.list', is: 'delete' }],
};

/** What lies in a thing that a path names, by the lists that are below it: comments and pages of a space. */
export function partsOf(op: Pick<AnyOperation, 'id' | 'method' | 'path'>): Inside[] {
  const [last] = pathParameters(op.path).slice(-1);
  if (op.method !== 'DELETE' || last === undefined || goesAlong[op.id]?.some(({ of }) => of === undefined))
    return [];
  const known = pathParameters(op.path);
  const isBelow = (path: string) =>
    pathParameters(path).at(-1) === last && pathParameters(path).every((name) => known.includes(name));
  return namedResources.flatMap((kind) => {
    const lists = operationsOf(kind.lists).filter(({ path }) => isBelow(path));
    // Of a change request rather than of its space.
    const [list] = lists.sort((a, b) => b.path.length - a.path.length);
    return list === undefined ? [] : [{ kind, list: list.id, is: 'delete' }];
  });
}
