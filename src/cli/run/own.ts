import type { Client } from '../../api/client.js';
import type { Shard } from '../../shards/shard.js';
import type { ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';

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
