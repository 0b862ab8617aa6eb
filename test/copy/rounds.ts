import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '../../src/api/client.js';
import { createTransport } from '../../src/api/transport.js';
import { openReader } from '../../src/backup/reader.js';
import { runBackup } from '../../src/backup/run.js';
import { type Filled, fillFromBackup } from '../../src/copy/fill.js';
import { createServer, type SandboxServer } from '../../src/sandbox/server/server.js';
import { adminToken, findDefaults } from '../../src/sandbox/server/tokens.js';
import { ContentSource } from '../../src/sandbox/sources.js';
import type { Database } from '../../src/sandbox/store/database.js';
import { openStore, type Store } from '../../src/sandbox/store/store.js';
import { fakeIo } from '../fake-io.js';

/** A sandbox, the backup of it, the copy made of that, and the backup of the copy: all in this process. */

/** A sandbox that backs itself up. */
export class Side {
  readonly store: Store;
  readonly #server: SandboxServer;
  readonly #url: string;

  private constructor(store: Store, server: SandboxServer, url: string) {
    this.store = store;
    this.#server = server;
    this.#url = url;
  }

  static async open(): Promise<Side> {
    const io = { now: Date.now, sleep: async () => {} };
    const store = await openStore(':memory:', io);
    const source = new ContentSource({ folder: undefined, fetchPublic: undefined, now: io.now });
    const server = createServer({ ...store, instance: 1, sleep: io.sleep, source });
    return new Side(store, server, await server.listen(0));
  }

  get db(): Database {
    return this.store.db;
  }

  get organizationId(): string {
    return findDefaults(this.db).org;
  }

  client(token = adminToken(this.db)): Client {
    const credential = { token, origin: this.#url };
    const io = { ...fakeIo(), now: Date.now };
    return createClient(createTransport({ baseUrl: this.#url, credential, io, userAgent: 'test' }));
  }

  /** Backs up into a folder; the address of the platform is the same for all. */
  async backUp(
    path: string,
    {
      token,
      full = true,
      now = Date.now,
    }: { token?: string | undefined; full?: boolean; now?: () => number } = {},
  ): Promise<void> {
    const client = this.client(token);
    try {
      await runBackup({
        ...{ client, organization: this.organizationId, platform: 'http://platform.example', path },
        ...{ full, access: true, concurrency: 4, signal: new AbortController().signal, now },
      });
    } finally {
      await client.close();
    }
  }

  /** Becomes a copy of a backup. */
  async copy(path: string): Promise<Filled> {
    const reader = await openReader(path);
    return fillFromBackup(this.db, reader, { now: Date.now, signal: new AbortController().signal });
  }

  async close(): Promise<void> {
    await this.#server.close();
    this.db.close();
  }
}

/** Two sandboxes, and a folder for backups. */
export interface Rounds {
  first: Side;
  second: Side;
  /** Path in the folder. */
  at(name: string): string;
  /** A new folder for the next round. */
  clear(): void;
  close(): Promise<void>;
}

export async function openRounds(): Promise<Rounds> {
  const [first, second] = [await Side.open(), await Side.open()];
  let folder = mkdtempSync(join(tmpdir(), 'docs-rounds-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return {
    ...{ first, second },
    at: (name) => join(folder, name),
    clear() {
      remove();
      folder = mkdtempSync(join(tmpdir(), 'docs-rounds-'));
    },
    async close() {
      await Promise.all([first.close(), second.close()]);
      remove();
    },
  };
}
