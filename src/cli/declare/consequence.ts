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

/** Looks up one thing that goes with a deletion: a sentence, or undefined if there is nothing to say. */
export type Consequence = (deletion: Deletion) => Promise<string | undefined>;
