import type { Client } from '../../api/client.js';
import { listMembers, type Member } from '../../api/resources/members.js';

/**
 * The administrators of an organization, disabled ones included; one request for each page of them.
 * @throws DocsError as `Client.call`
 */
export async function* readAdmins(client: Client, organizationId: string): AsyncGenerator<Member> {
  const input = { path: { organizationId }, query: { role: 'admin' as const } };
  // The platform may ignore the filter.
  for await (const member of client.call(listMembers, input)) if (member.role === 'admin') yield member;
}
