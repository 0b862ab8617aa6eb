import { listMembers } from '../../../api/resources/members.js';
import { getOrg } from '../../../api/resources/orgs.js';
import type { Role } from '../../../api/shapes.js';
import { DocsError, usageError } from '../../../base/errors.js';
import type { Findings } from '../findings.js';

/** The two organizations of a transfer, as far as the token may read them. */

export interface Side {
  id: string;
  name: string;
  /** Whether the token is an administrator there; undefined where nothing tells. */
  admin: boolean | undefined;
}

export interface Sides {
  from: Side;
  to: Side;
}

/**
 * Reads both organizations. A transfer requires the role admin in both.
 * @throws DocsError usage `same_organization`; not-found where the token does not see the target
 */
export async function readSides(found: Findings, target: string): Promise<Sides> {
  const from = found.reading.organizationId;
  if (from === target) {
    const message = `--to-org names ${target}, where they are already; nothing was changed.`;
    throw usageError('same_organization', message, { hint: 'docs orgs list' });
  }
  const [own, other] = await Promise.all([readSide(found, from), readSide(found, target)]);
  return { from: own ?? { id: from, name: from, admin: undefined }, to: other ?? noTarget(target) };
}

const unsure = 'The platform does not tell whether this token is of an administrator there.';

async function readSide(found: Findings, id: string): Promise<Side | undefined> {
  const { client } = found.reading;
  const path = { organizationId: id };
  try {
    const { title, permissions } = await client.call(getOrg, { path });
    if (permissions?.admin === undefined)
      found.cannotTell({ kind: 'organization', id, title }, 'role_unknown', unsure);
    return { id, name: title, admin: permissions?.admin };
  } catch (cause) {
    if (cause instanceof DocsError && cause.kind === 'not-found') return undefined;
    throw cause;
  }
}

function noTarget(id: string): never {
  const message = `organization ${id} not found, or not visible to this token; nothing was changed.`;
  throw new DocsError('not-found', 'not_found', message, { outcome: 'not-sent', hint: 'docs orgs list' });
}

/** Why the platform would refuse the transfer; undefined where nothing shows that it would. */
export function refusalOf({ from, to }: Sides): string | undefined {
  const lacking = [from, to].filter(({ admin }) => admin === false).map(({ name }) => name);
  if (lacking.length === 0) return undefined;
  return `The platform will refuse it: this token is not an administrator of ${lacking.join(' or ')}.`;
}

/** The roles of all members of the target by id, null for guests; undefined where they could not be read. */
export function readTargetMembers(
  found: Findings,
  { id, name }: Side,
): Promise<Map<string, Role | null> | undefined> {
  return found.attempt({ kind: 'members', id, title: name }, async () => {
    const roles = new Map<string, Role | null>();
    const listing = found.reading.client.call(listMembers, { path: { organizationId: id } });
    for await (const member of listing) roles.set(member.id, member.role);
    return roles;
  });
}
