import type { Client } from '../api/client.js';
import type { ManualInput } from '../cli/declare/command.js';
import type { Session } from '../cli/declare/session.js';
import type { Shard } from '../shards/shard.js';

/** What commands that can be split have in common. */

/** What a command says of itself. */
export interface Split {
  /** Its words. */
  command: string;
  /**
   * The flags that change what is read or found, by their keys, with what they ask for. Parts that were read with
   * others are not joined; at a merge they are those of the parts.
   */
  flags: Readonly<Record<string, unknown>>;
  /** What parts may have read that a merge does without, with the flag that needs it. */
  extras?: Readonly<Record<string, { isRead: boolean; flag: string }>>;
}

/** How a command runs: its session, flags and part. */
export interface Own {
  session: Session;
  input: ManualInput;
  /** Only ids of this part are read one by one; lists are read in full. */
  shard?: Shard;
  /** When what is joined was read, ISO 8601; undefined where it is read now. */
  readAt?: string;
  /** Whether the parts that are joined read an extra. */
  has(extra: string): boolean;
  /** What the parts noted under a name. */
  facts(name: string): readonly string[];
  /** Notes something in the part that no read tells. */
  note(name: string, fact: string): void;
  /** The platform itself, whose answers are not kept. */
  direct(): Promise<Client>;
}

/** How a command runs on all. */
export function plainOwn(session: Session, input: ManualInput): Own {
  const nothing = { has: () => false, facts: () => [], note: () => {} };
  return { session, input, ...nothing, direct: () => session.client() };
}
