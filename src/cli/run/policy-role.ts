import { getOrg } from '../../api/resources/orgs.js';
import { type Role, roles } from '../../api/shapes.js';
import { DocsError } from '../../base/errors.js';
import { highestRole } from '../../policy/decide.js';
import type { GroupEntry } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { commandTable } from './command-table.js';

/** What `docs doctor` says of the policies in force. */

export interface PolicyFinding {
  state: 'ok' | 'warning';
  detail: string;
}

/** Compares the role of the token with what the policies can allow, where both can be told. */
export async function policyRole(
  session: Session,
  groups: readonly GroupEntry[],
): Promise<PolicyFinding | undefined> {
  const policies = session.gate?.policies ?? [];
  if (policies.length === 0) return undefined;
  const files = policies.map(({ file }) => file).join(', ');
  const needed = highestRole(policies, await commandTable(groups));
  const has = await roleOfToken(session);
  if (has === undefined || roles.indexOf(has) >= roles.indexOf(needed)) return { state: 'ok', detail: files };
  const detail =
    `${files}: nothing that it allows needs a higher role than ${needed}, and the token has at least ${has}; ` +
    `a token of a member with the role ${needed} would hold even without the policy`;
  return { state: 'warning', detail };
}

/** The least role that the token must have for what it may do; undefined where the platform does not tell. */
async function roleOfToken(session: Session): Promise<Role | undefined> {
  const organizationId = session.settings.org?.value;
  if (organizationId === undefined || session.signedOut !== undefined) return undefined;
  try {
    const client = await session.client();
    const { permissions } = await client.call(getOrg, { path: { organizationId } });
    if (permissions?.admin === true) return 'admin';
    return permissions?.createContent === true ? 'create' : undefined;
  } catch (cause) {
    if (cause instanceof DocsError) return undefined;
    throw cause;
  }
}
