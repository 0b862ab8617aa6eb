import type { Client } from '../../api/client.js';
import type { Changes } from './guard.js';
import type { Session } from './session.js';

/** A plan of a command that is about to be applied. */
export interface Application {
  session: Session;
  client: Client;
  /** Its requests, in order. */
  calls: Changes['calls'];
  /** Requests under way at once. */
  concurrency: number;
  /** Absolute path of the evidence that it completes. */
  evidence?: string;
}

/** What happens beside its requests. */
export interface Applying {
  /** Called with the name of the job before the first request is sent. */
  begin?(job: string): Promise<void>;
  /**
   * Called once nothing more is sent.
   * @param isDone whether all requests succeeded
   * @throws DocsError where the effect of requests that all succeeded does not show
   */
  end?(job: string, isDone: boolean): Promise<void>;
}

/**
 * Looks again before a plan of a command is applied: it may have been made long ago, with another token.
 * @throws DocsError why it is refused: nothing was sent
 */
export interface Applies {
  (application: Application): Promise<Applying>;
  /** Whether resuming a job of the command takes the same. */
  resumes?: true;
}
