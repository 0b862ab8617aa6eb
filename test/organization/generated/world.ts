import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { run } from '../../../src/main.js';
import { addFault, clearFaults, type FaultRule } from '../../../src/sandbox/server/faults.js';
import type { Front } from '../../../src/sandbox/server/front.js';
import { Responder } from '../../../src/sandbox/server/respond.js';
import { createServer, type SandboxServer } from '../../../src/sandbox/server/server.js';
import { adminToken } from '../../../src/sandbox/server/tokens.js';
import { ContentSource } from '../../../src/sandbox/sources.js';
import { exportState, importState, parseExport } from '../../../src/sandbox/store/export.js';
import { openStore, refill, type Store } from '../../../src/sandbox/store/store.js';
import { fakeIo } from '../../fake-io.js';
import { type Client, createClient } from '../../sandbox/client.js';
import { orgId } from './rows.js';

/**
 * The platform and the program in one process: a sandbox whose whole state is replaced within milliseconds, and
 * `docs` run against it with a home and a folder of its own. Starting a process for each command would take most
 * of the time of a few hundred organizations.
 */

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Waits before another attempt are over at once; deadlines are not. */
async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  const isDeadline = ms > 100_000;
  await wait(isDeadline ? ms : 1, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
}

/** What the platform was sent: `GET /v1/orgs/…`. */
export type Sent = string;

export class World {
  readonly #store: Store;
  readonly #server: SandboxServer;
  readonly #url: string;
  readonly #requests: Sent[] = [];
  #home = '';
  #runs = 0;
  /** Called with each request before it is answered. */
  onRequest: (sent: Sent, count: number) => Promise<void> | void = () => {};

  private constructor(store: Store, server: SandboxServer, url: string) {
    this.#store = store;
    this.#server = server;
    this.#url = url;
  }

  static async open(): Promise<World> {
    const io = { now: Date.now, sleep: async () => {} };
    const store = await openStore(':memory:', io);
    const source = new ContentSource({ folder: undefined, fetchPublic: undefined, now: io.now });
    const parts = { ...store, source };
    const responder = new Responder({ ...parts, origin: () => '' });
    let world: World | undefined;
    const front: Front = {
      async respond(handler, request) {
        await world?.heard(`${handler.operation.method} ${request.url}`);
        return responder.respond(handler, request);
      },
    };
    const server = createServer({ ...parts, instance: 1, sleep: io.sleep, front });
    const url = await server.listen(0);
    world = new World(store, server, url);
    return world;
  }

  /** Replaces everything: the state of the platform, the home and the folder. */
  load(state: string): void {
    if (this.#home !== '') rmSync(this.#home, { recursive: true, force: true });
    this.#home = mkdtempSync(join(tmpdir(), 'docs-generated-'));
    this.restore(state);
  }

  /** Replaces the state of the platform alone. */
  restore(state: string): void {
    const { db } = this.#store;
    const fill = () => importState(db, parseExport(state));
    refill(db, { source: 'generated', nowMs: Date.now(), fill });
    this.clearFaults();
  }

  /** The state of the platform, as `docs sandbox export` prints it. */
  state(): string {
    return exportState(this.#store.db);
  }

  /** The folder in which commands run; the files are in `org` in it. */
  get folder(): string {
    return this.#home;
  }

  get env(): Record<string, string> {
    return {
      ...{ HOME: this.#home, DOCS_BASE_URL: this.#url, DOCS_TOKEN: adminToken(this.#store.db) },
      ...{ DOCS_ORG: orgId, DOCS_CREDENTIAL_STORE: 'file', DOCS_TIMEOUT: '10m' },
    };
  }

  /** A client of the platform that acts as the admin. */
  get client(): Client {
    return createClient(this.#url, adminToken(this.#store.db));
  }

  /** Runs `docs` with these words. */
  async docs(words: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
    this.#runs += 1;
    const io = fakeIo({ env: { ...this.env, ...env }, cwd: this.#home, seed: this.#runs });
    const code = await run(words, Object.assign(io, { now: Date.now, sleep }));
    return { code, stdout: io.stdout.text, stderr: io.stderr.text };
  }

  /** The same, where one of these exit codes is expected. @throws Error with what it printed */
  async ok(words: readonly string[], codes: readonly number[] = [0]): Promise<string> {
    const { code, stdout, stderr } = await this.docs(words);
    if (codes.includes(code)) return stdout;
    throw new Error(`docs ${words.join(' ')} exited with ${code}, not ${codes}: ${stderr}${stdout}`);
  }

  /** What was sent since the last call. */
  sent(): Sent[] {
    return this.#requests.splice(0);
  }

  heard(sent: Sent): Promise<void> | void {
    this.#requests.push(sent);
    return this.onRequest(sent, this.#requests.length);
  }

  addFault(rule: FaultRule): void {
    const { db } = this.#store;
    db.write(() => addFault(db, rule));
  }

  clearFaults(): void {
    const { db } = this.#store;
    db.write(() => clearFaults(db));
  }

  async close(): Promise<void> {
    await this.#server.close();
    this.#store.db.close();
    if (this.#home !== '') rmSync(this.#home, { recursive: true, force: true });
  }
}
