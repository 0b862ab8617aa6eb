import { getOrg } from '../api/resources/orgs.js';
import type { Session } from '../cli/declare/session.js';
import { originOf } from '../cli/run/session-job.js';
import type { Document } from '../document/document.js';
import { type Reading, readFailure } from '../snapshot/unread.js';

type Facts = Document['facts'];

/** What pages of `--html` say of where they come from. */

/** The title of an organization, which is read; its id where it cannot be. @throws DocsError as `readFailure` */
export async function organizationTitle({ client, organizationId, signal }: Reading): Promise<string> {
  try {
    return (await client.call(getOrg, { path: { organizationId } })).title;
  } catch (cause) {
    readFailure(cause, signal);
    return organizationId;
  }
}

/**
 * Where a page was read: the organization and the platform.
 * @param organization with its title, or its id alone; empty where there is none
 */
export function placeFacts(session: Session, organization: string | { id: string; title: string }): Facts {
  const { id, title } = typeof organization === 'string' ? { id: organization, title: '' } : organization;
  const named = title === '' || title === id ? id : `${title} (${id})`;
  return [...(id === '' ? [] : [['Organization', named] as const]), ...platformFact(originOf(session))];
}

/** @param origin of the session or of a plan; a sandbox in a file of this machine is not named by its path */
export function platformFact(origin: string): Facts {
  return origin === '' ? [] : [['Platform', platformName(origin)]];
}

/** The platform as a page names it: its address, or `sandbox`. */
export function platformName(origin: string): string {
  return origin.startsWith('sandbox:') ? 'sandbox' : origin;
}

/** What a page says first where it was made in a rehearsal. */
export function rehearsalWords({ settings }: Pick<Session, 'settings'>): string[] {
  if (settings.rehearsal === undefined) return [];
  return ['Rehearsal: this is what a copy of the organization holds, and the platform was not changed.'];
}
