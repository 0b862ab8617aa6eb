import { afterAll } from 'vitest';
import { type Client, createClient } from '../../../src/api/client.js';
import type { AnyOperation, Input } from '../../../src/api/operation.js';
import { type Operated, operationAt } from '../../../src/api/resources/index.js';
import type { TransportRequest } from '../../../src/api/transport.js';
import { DocsError } from '../../../src/base/errors.js';
import type { Handler } from '../../../src/sandbox/handle.js';
import { handlers } from '../../../src/sandbox/handlers/index.js';
import { Responder, readQuery } from '../../../src/sandbox/server/respond.js';
import { authenticate } from '../../../src/sandbox/server/tokens.js';
import { ContentSource } from '../../../src/sandbox/sources.js';
import { importState } from '../../../src/sandbox/store/export.js';
import { openStore, refill, type Store } from '../../../src/sandbox/store/store.js';
import type { Tables } from '../../organization/generated/rows.js';
import { mostPeople, orgId, personId } from './state.js';

/**
 * The sandbox without its sockets: what stands behind them answers requests of any member, by their token. A
 * hundred thousand requests take a few seconds.
 */

const byOperation = new Map<AnyOperation, Handler>(handlers.map((one) => [one.operation, one]));

/** Fails reads that it matches, as a platform with a fault does. */
export type Fault = (request: TransportRequest) => boolean;

export class Platform {
  readonly #store: Store;
  readonly #responder: Responder;
  /** How many requests were sent through clients. */
  requests = 0;

  private constructor(store: Store) {
    this.#store = store;
    this.#responder = new Responder({
      ...store,
      source: new ContentSource({ folder: undefined, fetchPublic: undefined, now: Date.now }),
      origin: () => 'http://127.0.0.1',
    });
  }

  static async open(): Promise<Platform> {
    const store = await openStore(':memory:', { now: Date.now });
    store.db.write(() => {
      const sql = 'INSERT INTO local_tokens (name, token, user_id, org_id) VALUES (?, ?, ?, ?)';
      for (let index = 0; index < mostPeople; index += 1)
        store.db.run(sql, `person ${index}`, tokenOf(personId(index)), personId(index), orgId);
    });
    return new Platform(store);
  }

  /** Replaces everything. */
  load(tables: Tables): void {
    const { db } = this.#store;
    const fill = () => importState(db, { format: 'docs-sandbox/1', tables });
    refill(db, { source: 'generated', nowMs: Date.now(), fill });
  }

  /** The status of a request with a person's token. */
  async status<Op extends AnyOperation>(
    userId: string,
    op: Op,
    input: Omit<Input<Op>, 'body'> & { body?: unknown },
  ): Promise<number> {
    const { path, body } = input as { path: Record<string, string>; body?: unknown };
    try {
      return (await this.#answer(userId, op, path, '', body)).status;
    } catch (error) {
      const status = error instanceof DocsError ? error.failure.status : undefined;
      if (status === undefined) throw error;
      return status;
    }
  }

  /** A client of the program that acts as this person. */
  client(userId: string, fault: Fault = () => false): Client {
    const send = async (request: TransportRequest) => {
      this.requests += 1;
      if (fault(request)) throw new DocsError('server-error', 'http_500', 'The platform answered 500.');
      const { op, input } = calledBy(request);
      const [, search = ''] = request.path.split('?');
      const { status, body } = await this.#answer(userId, op, input.path ?? {}, search, request.body);
      return { status, headers: {}, body: body && JSON.parse(String(body)), attempts: 1 };
    };
    const download = () => Promise.reject(new Error('There are no downloads here.'));
    return createClient({ send, download, platformNowMs: undefined, close: async () => {} });
  }

  #answer(
    userId: string,
    op: AnyOperation,
    path: Readonly<Record<string, string>>,
    search: string,
    body: unknown,
  ) {
    const handler = byOperation.get(op);
    if (handler === undefined) throw new Error(`No handler for ${op.id}.`);
    const user = authenticate(this.#store.db, `Bearer ${tokenOf(userId)}`);
    const url = `${op.id} ${JSON.stringify(path)} ${search}`;
    return this.#responder.respond(handler, { user, path, query: readQuery(op, search), body, url });
  }

  close(): void {
    this.#store.db.close();
  }
}

/** One for a file, which closes it. */
export async function platformOfFile(): Promise<Platform> {
  const platform = await Platform.open();
  afterAll(() => platform.close());
  return platform;
}

const called = new Map<string, Pick<Operated, 'op' | 'input'>>();

/** The operation of a request. Ids are the same in all organizations, so paths come again. */
function calledBy(request: TransportRequest): Pick<Operated, 'op' | 'input'> {
  const key = `${request.method} ${request.path}`;
  const found = called.get(key) ?? operationAt(request);
  if (found === undefined) throw new Error(`No operation for ${key}.`);
  called.set(key, found);
  return found;
}

function tokenOf(userId: string): string {
  return `sbx_${userId}`;
}
