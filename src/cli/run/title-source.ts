import type { Client } from '../../api/client.js';
import type { Referred } from '../../api/shapes.js';
import type { Io } from '../../base/io.js';
import type { Settings } from '../../settings/settings.js';
import type { Globals } from '../declare/session.js';

/** What the lookup works with. */
export interface TitleSource {
  io: Io;
  globals: Globals;
  settings: Settings;
  /** Whether it may send requests. With a policy it may not: they would count, and could be denied. */
  mayAsk: boolean;
  /** The client that the command used. */
  client(): Promise<Client>;
}

/** What a run has found so far. */
export interface Known {
  /** Titles of the items themselves, and of what they hold, by id: no two resources share one. */
  own: Map<string, string>;
  titles: Map<Referred, Map<string, string>>;
  /** Kinds whose list was read already, or could not be: none is asked for twice. */
  asked: Set<Referred>;
  requests: number;
}
