import type { Io } from '../../base/io.js';
import { chainPlaces } from '../place.js';
import { eventsBackwards } from './chain.js';

/** How a journal stood as its job ended last. */
interface LastEnd {
  /** SHA-256 of its bytes. */
  sha256?: string;
  /** Its process was killed, and a later one recorded the journal as it found it. */
  interrupted?: boolean;
}

/**
 * How the journal of a job stood as it ended last; undefined where the chain has no end, or the job began again since.
 * @throws DocsError configuration `unsafe_path`; local-io `audit_unreadable`
 */
export function lastEnd(io: Io, job: string): LastEnd | undefined {
  const [place = ''] = chainPlaces(io);
  for (const event of eventsBackwards(place)) {
    if (event.job !== job) continue;
    if (event.event === 'job-ended') return event;
    if (event.event === 'job-begun' || event.event === 'job-resumed' || event.event === 'settled')
      return undefined;
  }
  return undefined;
}
