import { join } from 'node:path';
import { usageError } from '../../errors.js';
import type { JobFacts } from '../../jobs/create-job.js';
import type { Header } from '../../jobs/journal-lines.js';
import type { PlannedRequest } from '../../jobs/request.js';
import { settingsPaths } from '../../settings/paths.js';
import { shellWord } from '../../settings/shell-word.js';
import { version } from '../../version.js';
import type { Session } from '../declare/session.js';

/** Where a job belongs: platform, profile, organization; and what of it must agree later. */

/** Whether changes are journaled: unless `docs config set journal off`. */
export function keepsJournal({ settings }: Session): boolean {
  return settings.journal?.value !== false;
}

/** The platform of a session: its address, or the database of the embedded one. */
export function originOf({ io, settings }: Session): string {
  if (settings.sandbox) return `sandbox:${join(settingsPaths(io).dataDir, 'sandbox.db')}`;
  return settings.baseUrl?.value ?? '';
}

/** The facts of a job that is begun in this session. */
export function factsOf(
  session: Session,
  command: string,
  requests: readonly PlannedRequest[],
  more: Pick<JobFacts, 'source' | 'undoes' | 'evidence'> = {},
): JobFacts {
  const orgs = new Set(requests.flatMap(({ input }) => input.path?.organizationId ?? []));
  const [org] = orgs;
  return {
    command,
    origin: originOf(session),
    profile: session.settings.profile.value,
    ...(orgs.size === 1 && org !== undefined && { org }),
    version,
    ...more,
  };
}

/**
 * Holds that a job of before belongs to the platform, profile and organization of this session.
 * @param doing the words that lead here again: `docs jobs resume <job>`
 * @throws DocsError usage `job_mismatch`: nothing was sent
 */
export function refuseElsewhere(session: Session, header: Header, doing: string): void {
  const { settings, io } = session;
  const { profile, org, origin, job } = header;
  if (profile !== settings.profile.value) {
    const way = profile === 'sandbox' ? '--sandbox' : `--profile ${shellWord(profile, io.platform)}`;
    throw mismatch(job, `profile ${profile}`, settings.profile.value, `${doing} ${way}`);
  }
  if (origin !== originOf(session))
    throw mismatch(job, origin, originOf(session) || 'none', 'docs config get base-url');
  const own = settings.org?.value;
  if (org === undefined || own === undefined || org === own) return;
  throw mismatch(job, `organization ${org}`, own, `${doing} --org ${shellWord(org, io.platform)}`);
}

function mismatch(job: string, its: string, own: string, hint: string) {
  return usageError('job_mismatch', `Job ${job} belongs to ${its}, not to ${own}; nothing was sent.`, {
    hint,
  });
}
