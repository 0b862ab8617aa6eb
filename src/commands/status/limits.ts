import { operations } from '../../api/resources/index.js';
import type { Organization } from '../../api/resources/orgs.js';
import { type Role, roles } from '../../api/shapes.js';
import type { GroupEntry } from '../../cli/declare/command.js';
import { isOfOperations, outlineTree } from '../../cli/declare/outline.js';
import type { Session } from '../../cli/declare/session.js';
import { gatedCommand } from '../../cli/run/gated.js';
import { decideCommand } from '../../policy/decide.js';

/** What keeps a session from doing what other members may do. */

export type OwnRole = Role | 'guest';

export interface Limit {
  because: 'role' | 'policy' | 'rehearsal';
  /** A phrase. */
  why: string;
  commands: string[];
}

type Permissions = Organization['permissions'];

/** The role that the permissions of a token in an organization stand for; undefined where they leave several open. */
export function roleOf(permissions: Permissions): OwnRole | undefined {
  if (permissions?.admin === true) return 'admin';
  return permissions?.createContent === true ? 'create' : undefined;
}

/** The highest role that they leave open. */
export function atMostOf(permissions: Permissions): OwnRole | undefined {
  if (permissions?.admin !== false) return undefined;
  return permissions.createContent === false ? 'review' : 'create';
}

interface Has {
  role: OwnRole | null;
  roleAtMost: OwnRole | undefined;
}

export async function limitsOf(
  session: Session,
  { role, roleAtMost }: Has,
  groups: readonly GroupEntry[],
): Promise<Limit[]> {
  const { settings, gate } = session;
  const limits: Limit[] = [];
  const { rehearsal } = settings;
  if (rehearsal !== undefined) {
    const why = `a rehearsal changes a copy of ${rehearsal.organization.title}, and nothing on ${rehearsal.origin}`;
    limits.push({ because: 'rehearsal', why, commands: [] });
  }
  const tree = await outlineTree(groups);
  const highest = role ?? roleAtMost;
  const above =
    highest === undefined ? [] : tree.filter(({ node }) => isAbove(highest, node)).map(({ path }) => path);
  if (above.length > 0) {
    const why = role === null ? `the role is at most ${highest}` : `the role is ${role}`;
    limits.push({ because: 'role', why, commands: above });
  }
  const policies = gate?.policies ?? [];
  const denied = tree.filter(
    ({ path, node }) => decideCommand(policies, gatedCommand(path, node)).is === 'deny',
  );
  if (policies.length > 0 && denied.length > 0) {
    const why = `a policy denies it: ${policies.map(({ file }) => file).join(', ')}`;
    limits.push({ because: 'policy', why, commands: denied.map(({ path }) => path) });
  }
  return limits;
}

type Node = Awaited<ReturnType<typeof outlineTree>>[number]['node'];

/**
 * Whether a command needs a higher role in the organization. Rights in a space may be higher than the role, so its
 * commands, and those written by hand, which may do with less, are left out.
 */
function isAbove(role: OwnRole, node: Node): boolean {
  if (!isOfOperations(node) || node.operations.length === 0) return false;
  return node.operations.every(({ id, path }) => {
    const needs = operations.find((one) => one.id === id)?.needs;
    return path.startsWith('/v1/orgs/') && needs !== undefined && rank(needs) < rank(role);
  });
}

/** 0 is the highest. */
function rank(role: OwnRole): number {
  return role === 'guest' ? roles.length : roles.indexOf(role);
}
