import { getOrg } from '../api/resources/orgs.js';
import type { Session } from '../cli/declare/session.js';
import { originOf } from '../cli/run/job-place.js';
import { type Reading, readFailure } from '../reading/reading.js';
import type { Report } from '../reports/report.js';

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

/** @param organization with its title, or its id in place of it */
export function placeFacts(session: Session, organization: { id: string; title: string }): Report['facts'] {
  const { id, title } = organization;
  return [
    ['Organization', title === id ? id : `${title} (${id})`],
    ['Platform', originOf(session)],
  ];
}

/** What a page says first where it was made in a rehearsal. */
export function rehearsalWords({ settings }: Pick<Session, 'settings'>): string[] {
  if (settings.rehearsal === undefined) return [];
  return ['Rehearsal: this is what a copy of the organization holds, and the platform was not changed.'];
}
