import type { Client } from '../../../api/client.js';
import type { Database } from '../../../sandbox/store/database.js';

/** What is read as one: its kind, and the ids that say which. */
export type Part = readonly [kind: string, ...ids: string[]];

/** What the reading of a part works with. */
export interface Loading {
  /** Only reads. */
  client: Client;
  /** Acts in the copy. */
  callerId: string;
  /** Writes what the platform told. */
  put(work: (db: Database) => void): void;
  /** Reads other parts first, each once. @throws DocsError what the platform refuses */
  need(...parts: readonly Part[]): Promise<void>;
  /** As `need`, without what is hidden from the token. */
  want(...parts: readonly Part[]): Promise<void>;
  /** A row of what is held of the platform. */
  row<Row>(sql: string, ...values: string[]): Row | undefined;
  /** Notes what the copy cannot take over, as a sentence; each once. */
  gap(sentence: string): void;
}

/** Reads a part and writes it. @throws DocsError as the client */
export type Loader = (loading: Loading, ...ids: string[]) => Promise<void>;
export type Loaders = Readonly<Record<string, Loader>>;
