import type { Difference } from '../report.js';

/** Differences for people: what is gone first, and permissions that follow from a new role as part of that. */

export interface Folded {
  differences: Difference[];
  /** Permissions that are part of a role now. */
  followed: number;
  /** Where a role is the permission now, too, by the id of its member: `the same in 46 spaces: …`. */
  also: ReadonlyMap<string, string>;
}

/** Spaces that a role names; of more, only the number. */
const mostNamed = 3;

export function foldedForReading(all: readonly Difference[]): Folded {
  const roles = new Map(all.filter((one) => one.kind === 'member').flatMap(roleOf));
  const followers = new Map<string, Difference[]>();
  const rest = all.filter((one) => {
    if (one.kind !== 'access' || !isSame(roles.get(one.id), changeOf(one, 'permission'))) return true;
    followers.set(one.id, [...(followers.get(one.id) ?? []), one]);
    return false;
  });
  const also = new Map([...followers].map(([id, own]) => [id, alsoIn(own)]));
  const differences = rest.map((one) => {
    const where = one.kind === 'member' ? also.get(one.id) : undefined;
    return where === undefined ? one : { ...one, detail: `${one.detail}; ${where}` };
  });
  const isGone = ({ change }: Difference) => change === 'removed';
  return {
    differences: [...differences.filter(isGone), ...differences.filter((one) => !isGone(one))],
    followed: all.length - rest.length,
    also,
  };
}

type Change = { before: unknown; after: unknown } | undefined;

function changeOf({ fields = [] }: Difference, name: string): Change {
  const found = fields.find(({ field }) => field === name);
  return found && { before: found.before, after: found.after };
}

function roleOf(difference: Difference): [string, Change][] {
  const role = changeOf(difference, 'role');
  return role === undefined ? [] : [[difference.id, role]];
}

function isSame(role: Change, permission: Change): boolean {
  return role !== undefined && role.before === permission?.before && role.after === permission?.after;
}

/** `the same in 46 spaces: API, Guide, Welcome and 43 more`. */
function alsoIn(followers: readonly Difference[]): string {
  const names = followers.slice(0, mostNamed).map(({ space, spaceId }) => space ?? spaceId ?? '');
  const more = followers.length - names.length;
  const where = followers.length === 1 ? '1 space' : `${followers.length} spaces`;
  return `the same in ${where}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
