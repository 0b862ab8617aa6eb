import type { Io } from '../../base/io.js';
import { chainPlaces } from '../place.js';
import { eventsBackwards } from './chain.js';

/**
 * The SHA-256 of the journal of a job as it ended last; undefined where the chain has none, or the job began again since.
 * @throws DocsError configuration `unsafe_path`; local-io `audit_unreadable`
 */
export function lastDigest(io: Io, job: string): string | undefined {
  const [place = ''] = chainPlaces(io);
  for (const event of eventsBackwards(place)) {
    if (event.job !== job) continue;
    if (event.event === 'job-ended') return event.sha256;
    if (event.event === 'job-begun' || event.event === 'job-resumed' || event.event === 'settled')
      return undefined;
  }
  return undefined;
}
