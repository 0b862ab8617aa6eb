import type { Client } from '../../api/client.js';
import type { Session } from './session.js';

/** A deletion that waits for its confirmation. */
export interface Deletion {
  session: Session;
  client: Client;
  id: string;
  /** The resource as it is now. */
  resource: Readonly<Record<string, unknown>>;
}

/** One thing that goes with a deletion. */
export interface Consequence {
  /** What of an impact it tells, which then is not told again (access/impact): a kind of dependents. */
  tells?: 'site-space' | 'change-request' | 'moved' | 'irreversible';
  /** Looks it up: a sentence, or undefined if there is nothing to say. */
  look(deletion: Deletion): Promise<string | undefined>;
}
