import { refusal } from '../../access/guards.js';
import { lockOutReasons, takesAway, waysIn } from '../../access/saml-providers.js';
import type { Client } from '../../api/client.js';
import { linkMemberSso } from '../../api/resources/members.js';
import type { Reading } from '../../snapshot/unread.js';
import type { Changes, Guard } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { refuse } from './output.js';

/**
 * Refuses to link admins to SSO where that takes the way in from the last who has one, whichever command links them.
 * `docs sso link` looks at more by itself.
 * @throws DocsError forbidden: nothing was sent
 */
export const guardLinks: Guard = async ({ session, client, calls }) => {
  for (const { reading, linking } of linksOf(session, client, calls, 8)) {
    const ways = await waysIn(reading, linking, { nowMs: session.io.now });
    if (takesAway(ways)) refuse(session, refusal(lockOutReasons(ways)));
  }
  return { risks: [], needsYes: false };
};

/** The members that changes link, by organization. */
export function linksOf(
  session: Session,
  client: Client,
  calls: Changes['calls'],
  concurrency: number,
): { reading: Reading; linking: string[] }[] {
  const byOrganization = new Map<string, string[]>();
  for (const { op, input, id } of calls) {
    const { organizationId } = input.path ?? {};
    if (op.id === linkMemberSso.id && organizationId !== undefined)
      byOrganization.set(organizationId, [...(byOrganization.get(organizationId) ?? []), id]);
  }
  const around = { client, concurrency, signal: session.io.signal };
  return [...byOrganization].map(([organizationId, linking]) => ({
    reading: { ...around, organizationId },
    linking,
  }));
}
