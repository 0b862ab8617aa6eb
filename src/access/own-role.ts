import type { AnyOperation } from '../api/operation.js';
import { operations } from '../api/resources/index.js';
import type { Organization } from '../api/resources/orgs.js';
import { type Role, roles } from '../api/shapes.js';
import { resourceOfBodyField } from '../model/resources.js';

/** The role of the token in its organization, and which operations it suffices for. */

/** From high to low. */
export const ownRoles = [...roles, 'guest'] as const;
export type OwnRole = (typeof ownRoles)[number];

type Permissions = Organization['permissions'];

/** The role that the permissions of a token in an organization stand for; undefined if they leave several open. */
export function roleOf(permissions: Permissions): OwnRole | undefined {
  if (permissions?.admin === true) return 'admin';
  return permissions?.createContent === true ? 'create' : undefined;
}

/** The highest role that they leave open. */
export function atMostOf(permissions: Permissions): OwnRole | undefined {
  if (permissions?.admin !== false) return undefined;
  return permissions.createContent === false ? 'review' : 'create';
}

/** 0 is the highest. */
export function rank(role: OwnRole): number {
  return ownRoles.indexOf(role);
}

/** What a command calls: of several operations it calls one, or, written by hand, any of them. */
export interface Calls {
  operations: readonly { id: string; path: string }[];
  /** Whether it is made of its operations, so that one of them suffices. */
  ofOperations: boolean;
}

/**
 * The role that a command needs: of one made of operations the least that one of them takes, else the highest that
 * it may take. Undefined if it calls none.
 */
export function neededRole({ operations: called, ofOperations }: Calls): Role | undefined {
  const ranks = called.flatMap(({ id }) => {
    const found = operations.find((one) => one.id === id);
    return found === undefined ? [] : [rank(found.needs)];
  });
  if (ranks.length === 0) return undefined;
  return roles[ofOperations ? Math.max(...ranks) : Math.min(...ranks)];
}

/** The role, or the highest that it can be. */
export interface Known {
  role: OwnRole | null;
  roleAtMost?: OwnRole | undefined;
}

type ByRole = 'yes' | 'no' | 'unknown';

/**
 * Whether the role suffices for a command: of one made of operations for one of them, else for all. One written by hand
 * may do with less than it declares, so it is never ruled out.
 */
export function allowsRole({ role, roleAtMost }: Known, { operations: called, ofOperations }: Calls): ByRole {
  const found = called.flatMap(({ id }) => operations.find((one) => one.id === id) ?? []);
  const highest = role ?? roleAtMost;
  const answers = found.map((op) => atMost(allowsOperation(highest, op), role === null && !isOfNone(op)));
  if (answers.every((one) => one === 'yes')) return 'yes';
  if (!ofOperations) return 'unknown';
  if (answers.includes('yes')) return 'yes';
  return answers.every((one) => one === 'no') ? 'no' : 'unknown';
}

/** What suffices for the highest role that one may have is open for the role itself. */
function atMost(answer: ByRole, isOpen: boolean): ByRole {
  return isOpen && answer === 'yes' ? 'unknown' : answer;
}

/** Whether an operation is of no organization, so that any token may call it. */
function isOfNone({ path }: Pick<AnyOperation, 'path'>): boolean {
  return !/\{(?:organization|space|collection)Id\}/.test(path);
}

/** An admin has all rights everywhere; in a space or collection, others may have more or less than their role. */
function allowsOperation(role: OwnRole | undefined, op: AnyOperation): ByRole {
  if (isOfNone(op)) return 'yes';
  if (role === undefined) return 'unknown';
  if (role === 'admin') return 'yes';
  if (!op.path.includes('{organizationId}')) return 'unknown';
  // A guest reads what is of the organization.
  if (rank(role) <= rank(op.needs) || op.needs === 'read') return 'yes';
  return isOpenToOwners(op) ? 'unknown' : 'no';
}

/** Owners of a team manage its members, whatever their role. */
function isOpenToOwners({ path }: AnyOperation): boolean {
  return path.startsWith('/v1/orgs/{organizationId}/teams/{teamId}/members');
}

/** Fields of the bodies of a command that name a space, a collection or an organization where other rights count. */
export function placesNamed({ role }: Known, { operations: called }: Calls): string[] {
  const kinds: readonly (string | undefined)[] =
    role === 'admin' ? ['organization'] : ['organization', 'collection', 'space'];
  const found = called.flatMap(({ id }) => {
    const op = operations.find((one) => one.id === id);
    return op === undefined || op.method === 'GET' ? [] : Object.keys(op.body?.properties ?? {});
  });
  return [...new Set(found)].filter((field) => kinds.includes(resourceOfBodyField(field)));
}
