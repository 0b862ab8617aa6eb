import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { expect } from 'vitest';
import type { AnyOperation, Input } from '../../src/api/operation.js';
import { successStatuses } from '../../src/api/operation-facts.js';
import { paging } from '../../src/api/validate.js';
import type { Answer } from '../../src/sandbox/handle.js';
import { type RunningSandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/start.js';
import { idFrom } from '../../src/sandbox/store/rows.js';
import { plantInto } from './planted.js';

/** A sandbox for tests: its own file, and an outside clock that only moves when told to. */
export interface TestSandbox extends RunningSandbox {
  file: string;
  /** What the sandbox takes for the outside world; `ms` is its clock. */
  outside: { ms: number; io: SandboxOptions['io'] };
  as(name: string): Client;
  /** The administrator of Acme. */
  admin: Client;
  /** Acme. */
  organizationId: string;
}

/** Calls operations over HTTP and holds every answer against the declared shape. */
export interface Client {
  /** The answer of a call that must succeed. */
  ok<Op extends AnyOperation>(op: Op, input: Input<Op>): Promise<Answer<Op>>;
  /** The status of a call, whatever it is. */
  status<Op extends AnyOperation>(op: Op, input: Loose<Op>): Promise<number>;
  /** Expects a call to be refused with this status. */
  refuses<Op extends AnyOperation>(status: number, op: Op, input: Loose<Op>): Promise<void>;
  /** Status and message of a call that must be refused. */
  refused<Op extends AnyOperation>(op: Op, input: Loose<Op>): Promise<{ status: number; message: string }>;
  /** All items of a list, page by page. */
  all<Op extends AnyOperation>(op: Op, input: Input<Op>): Promise<ItemsOf<Op>>;
  send: Send;
}

export type Send = (
  method: string,
  path: string,
  options?: { body?: unknown; headers?: Record<string, string> },
) => Promise<Response>;

/** An input that may be wrong. */
interface Loose<Op> {
  path?: Op extends AnyOperation ? Record<string, string> : never;
  query?: Record<string, unknown>;
  body?: unknown;
}
type ItemsOf<Op> = Answer<Op> extends { items: infer Items } ? Items : never;

/** The id of a thing of the seed `tiny` by its lasting name, such as `space welcome`. */
export function seedId(name: string): string {
  return idFrom(`tiny ${name}`);
}

/** A clock that stands still until a test moves it. */
export function outsideAt(): TestSandbox['outside'] {
  const outside = {
    ms: Date.parse('2030-06-01T00:00:00Z'),
    io: { now: () => outside.ms, sleep: async () => {} },
  };
  return outside;
}

/** Starts a sandbox on a new database; close it at the end of the test. */
export async function openSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'docs-sandbox-'));
  const file = join(folder, 'sandbox.db');
  const outside = outsideAt();
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const own = options.file === ':memory:' ? file : (options.file ?? file);
  const { io = outside.io, seed = 'tiny' } = options;
  // A clock of the test's own would start at another time than that of the copy.
  if (options.io === undefined && (seed === 'tiny' || seed === 'acme')) await plantInto(own, seed, io);
  const running = await startSandbox({ ...options, file: own, io }).catch((error: unknown) => {
    remove();
    throw error;
  });
  const as = (name: string) =>
    createClient(running.url, running.tokens.find((token) => token.name === name)?.token);
  return {
    ...running,
    ...{ file: own, outside, as, admin: as('admin') },
    organizationId: running.defaults.org,
    async close() {
      await running.close();
      remove();
    },
  };
}

export function createClient(url: string, token: string | undefined): Client {
  return clientOver((method, path, { body, headers } = {}) =>
    fetch(url + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  );
}

/** A client whose requests are sent in this way. */
export function clientOver(send: Send): Client {
  const call = (op: AnyOperation, { path, query, body }: Loose<AnyOperation>) =>
    send(op.method, urlOf(op, path ?? {}, query ?? {}), { body });
  const ok = async <Op extends AnyOperation>(op: Op, input: Input<Op>) => {
    const response = await call(op, input);
    const text = await response.text();
    if (!successStatuses(op).includes(response.status))
      throw new Error(`${op.id}: ${response.status} ${text}`);
    return checked(op, text) as Answer<Op>;
  };
  const refused: Client['refused'] = async (op, input) => {
    const response = await call(op, input);
    const { error } = (await response.json()) as { error: { code: number; message: string } };
    expect(error.code).toBe(response.status);
    return { status: response.status, message: error.message };
  };
  return {
    send,
    ok,
    refused,
    status: async (op, input) => (await call(op, input)).status,
    async refuses(status, op, input) {
      expect(await refused(op, input), op.id).toMatchObject({ status });
    },
    async all(op, input) {
      const items: unknown[] = [];
      for (let page: string | undefined, more = true; more; more = page !== undefined) {
        const { query } = input as { query?: object };
        const answer = (await ok(op, {
          ...input,
          query: { ...query, ...(page && { page }) },
        } as typeof input)) as {
          items: unknown[];
          next?: { page: string };
        };
        items.push(...answer.items);
        page = answer.next?.page;
      }
      return items as ItemsOf<typeof op>;
    },
  };
}

function urlOf(op: AnyOperation, path: Record<string, string>, query: Record<string, unknown>): string {
  const filled = op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    [value].flat().map((one): [string, string] => [key, String(one)]),
  );
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`;
}

const ajv = new Ajv({ strict: false, logger: false });
ajv.addFormat('uri', (text: string) => URL.canParse(text));
ajv.addFormat('date-time', (text: string) => new Date(text).toISOString() === text);
ajv.addKeyword({ keyword: 'x-known', validate: (known: string[], value: string) => known.includes(value) });
const compiled = new Map<AnyOperation, ValidateFunction>();

/** The answer, which must have all declared fields and no other. */
function checked(op: AnyOperation, text: string): unknown {
  if (op.returns.kind === 'none') {
    expect(text).toBe('');
    return undefined;
  }
  const validate = compiled.get(op) ?? ajv.compile(closed(answerSchema(op)));
  compiled.set(op, validate);
  const answer: unknown = JSON.parse(text);
  expect(validate(answer) ? [] : validate.errors, `${op.id} answers ${text.slice(0, 600)}`).toEqual([]);
  return answer;
}

function answerSchema(op: AnyOperation): Record<string, unknown> {
  if (op.returns.kind === 'one') return { ...op.returns.schema };
  if (op.returns.kind === 'none') return {};
  const { item, extra } = op.returns;
  const next = { type: 'object', properties: { page: paging.page }, required: ['page'] };
  return {
    type: 'object',
    properties: {
      items: { type: 'array', items: item },
      next,
      count: { type: 'number' },
      ...extra?.properties,
    },
    required: ['items', 'count', ...(extra?.required ?? [])],
  };
}

/** The schema with every object in it closed. */
function closed(schema: unknown): Record<string, unknown> {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    const parts = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, walk(part)]));
    return 'properties' in parts && !('additionalProperties' in parts)
      ? { ...parts, additionalProperties: false }
      : parts;
  };
  return walk(schema) as Record<string, unknown>;
}
