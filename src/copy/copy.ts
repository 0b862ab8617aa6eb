import { randomBytes } from 'node:crypto';
import type { Client } from '../api/client.js';
import type { BackupReader } from '../backup/reader.js';
import { DocsError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import type { FetchLimits } from '../sandbox/fetch-public.js';
import type { Front } from '../sandbox/server/front.js';
import type { ResponderParts } from '../sandbox/server/respond.js';
import { createServer } from '../sandbox/server/server.js';
import { ContentSource } from '../sandbox/sources.js';
import type { Database } from '../sandbox/store/database.js';
import { openStore, type Store } from '../sandbox/store/store.js';

/** A copy of an organization: a sandbox on loopback, filled from a backup, or from the platform as it is asked for. */

export type CopySource =
  | { backup: BackupReader }
  /** Only read. `owner`: id of the member who owns the token, if it is known. */
  | { platform: Client; organizationId: string; owner?: string | undefined };

export interface CopyOptions {
  source: CopySource;
  /** Database of the copy: a file in a folder that the caller removes, or `:memory:`. */
  file: string;
  io: Pick<Io, 'now' | 'sleep' | 'signal'>;
}

export interface RunningCopy {
  /** Base URL without `/v1`: `http://127.0.0.1:41234`. */
  url: string;
  /** Acts as the owner of the real token where that is known, else as the first administrator. */
  token: string;
  organization: { id: string; title: string };
  /** What was asked of the copy so far, in order. */
  requests(): CopyRequest[];
  /**
   * What a GET of a path shows now, of a list all pages; undefined where it shows nothing, or nothing was asked yet.
   * It does not count among the requests.
   */
  look(path: string): Promise<unknown>;
  /** What was read of the platform to answer it. */
  reads(): { method: string; path: string; status: number }[];
  /** Parts that the copy could not take over, each a sentence. */
  gaps(): string[];
  close(): Promise<void>;
}

export interface CopyRequest {
  method: string;
  /** With its query. */
  path: string;
  status: number;
  /** Of a changing request: the resource that it changes (see `shownBy`) before and after it, where a GET shows it. */
  before?: unknown;
  after?: unknown;
  /** The list or the content that shows what it changes, as it was before the first change there. */
  beside?: { path: string; before: unknown };
}

/** Opens an empty database for a copy: its clock is the real one, and its ids are met nowhere else. */
export async function openEmpty(file: string, io: CopyOptions['io']): Promise<Store> {
  const store = await openStore(file, io);
  store.db.write(() => {
    const set = 'INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)';
    store.db.run(set, 'seed', `copy-${randomBytes(12).toString('hex')}`);
    store.db.run(set, 'ids', 0);
  });
  return store;
}

/** Makes the token that acts as a member of a copy. */
export function makeToken(db: Database, organizationId: string, userId: string): string {
  const token = `sbx_${randomBytes(16).toString('hex')}`;
  db.write(() => {
    const sql = 'INSERT OR REPLACE INTO local_tokens (name, token, user_id, org_id) VALUES (?, ?, ?, ?)';
    db.run(sql, 'copy', token, userId, organizationId);
  });
  return token;
}

/** What answers requests to a copy; what is to be imported from a URL is fetched, from public addresses alone. */
export function respondWith(
  { db, clock }: Store,
  io: CopyOptions['io'],
  origin: () => string,
): ResponderParts {
  const fetchPublic = async (url: string, limits: FetchLimits) =>
    (await import('../sandbox/fetch-public.js')).fetchPublic(url, limits);
  return {
    db,
    clock,
    origin,
    source: new ContentSource({ folder: undefined, fetchPublic, now: () => io.now() }),
  };
}

interface Served {
  url: string;
  close(): Promise<void>;
}

/** Serves a copy on a free port of 127.0.0.1. @throws DocsError `local-io` if none can be used */
export async function serve(parts: ResponderParts, front: Front, io: CopyOptions['io']): Promise<Served> {
  const server = createServer({ ...parts, instance: 1, sleep: io.sleep, front });
  try {
    const url = await server.listen(0);
    return { url, close: () => server.close() };
  } catch (cause) {
    const message = `cannot listen on 127.0.0.1: ${(cause as Error).message}`;
    throw new DocsError('local-io', 'cannot_listen', message, { cause });
  }
}

/** Noted in place of an operation: a space that was deleted before the copy began was to be restored. */
export const unrestored = 'spaces.restore refused';

interface Difference {
  /** Ids of the operations after which it is one. */
  after: RegExp;
  sentence: string;
}

/** The platform shows what each member may do in a space, and not which of it comes through a team. */
const accessThroughTeams: Difference = {
  after: /^(team-members\.(update|set|delete)|teams\.(create|delete))$/,
  sentence:
    'Access through teams stays as it was: in the copy, who leaves a team keeps it, and who joins gets none.',
};

/** What a copy that is filled from a backup differs in from the organization after some changes. */
export const backupDifferences: readonly Difference[] = [
  accessThroughTeams,
  {
    // The grants of teams are in no backup, only their number.
    after: /^(spaces|collections)\.(delete|restore|duplicate|move|transfer)$/,
    sentence: 'Counts of the spaces of teams are as before the change.',
  },
];

/** What a copy that reads as it is asked differs in from the organization after some changes. */
export const lazyDifferences: readonly Difference[] = [
  accessThroughTeams,
  {
    // They are read of the platform, which still has the space where it was.
    after: /^(spaces\.(delete|restore|transfer)|collections\.(delete|transfer))$/,
    sentence:
      'Links from other spaces to one that was deleted, restored or transferred: in the copy they are missing, or as before.',
  },
  {
    // Only members and spaces that were changed, or asked for, are held.
    after:
      /^(spaces\.(update|delete|restore|duplicate|move|transfer)|collections\.(create|update|delete|move|transfer))$/,
    sentence:
      'Searches, and counts of the spaces of teams, and of members who were not changed, are as before the change.',
  },
  {
    after: new RegExp(`^${unrestored}$`),
    sentence:
      'A space that was deleted before cannot be restored in the copy: the platform shows nothing of deleted spaces.',
  },
  { after: /^openapi\./, sentence: 'Pages that are computed from an OpenAPI spec are as before the change.' },
  {
    after: /^(change-requests\.(merge|pull)|(change-request-)?content\.import)$/,
    sentence:
      'Links, search results, PDFs and comments on pages that were merged, pulled or imported are as before.',
  },
  {
    // Links come from the platform, with the addresses that it knows.
    after: /^sites\.(create|update|delete)$|^site-spaces\.|^sections\.|^section-groups\./,
    sentence: 'Published addresses in links of pages are as before the change.',
  },
];

/** What differs after changes that a copy took. @param changes ids of their operations */
export function gapsAfter(differences: readonly Difference[], changes: Iterable<string>): string[] {
  const ids = [...changes];
  return differences.filter(({ after }) => ids.some((id) => after.test(id))).map(({ sentence }) => sentence);
}
