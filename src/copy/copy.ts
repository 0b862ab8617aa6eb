import type { Client } from '../api/client.js';
import type { Io } from '../base/io.js';
import type { BackupReader } from '../workflows/backup/reader.js';

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
