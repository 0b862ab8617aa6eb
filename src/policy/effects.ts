import { pathParameters } from '../api/operation.js';
import { pingOrg } from '../api/resources/orgs.js';
import { isObject } from '../base/values.js';
import type { Change } from '../jobs/change.js';
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

/** A list of what lies in a thing, and what becomes of it where that is deleted or transferred. */
export interface Inside {
  kind: Resource;
  list: string;
  /** The field of an item that names the thing, where the list has more. */
  field?: string;
  is: 'write' | 'delete';
  /** Whether what lies in these goes along, too. */
  deep?: true;
}

const { collection, space, section, 'section-group': group, 'site-space': siteSpace } = resources;

const inCollection = (deep?: true): readonly Inside[] => [
  { kind: space, list: 'collections.spaces', is: 'write' },
  { kind: collection, list: 'collections.list', field: 'parent', is: 'write', ...(deep && { deep }) },
];

/** By operation: what goes along with what its path names (platform-facts: a deleted collection leaves its contents). */
export const goesAlong: Readonly<Record<string, readonly Inside[]>> = {
  'collections.delete': inCollection(),
  'collections.transfer': inCollection(true),
  'sites.delete': [
    { kind: section, list: 'sections.list', is: 'delete' },
    { kind: group, list: 'section-groups.list', is: 'delete' },
    { kind: siteSpace, list: 'site-spaces.list', is: 'delete' },
  ],
  'sections.delete': [{ kind: siteSpace, list: 'site-spaces.list', field: 'section', is: 'delete' }],
};
