import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type CallOptions, type Client, callOne, type LooseInput, listOf } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import type { Referred } from '../../api/shapes.js';
import { idOf } from '../../base/ids.js';
import type { Io } from '../../base/io.js';
import { isObject } from '../../base/values.js';
import { knownAmong } from '../../model/operations.js';
import { type Resource, resourceOfContext, resources } from '../../model/resources.js';
import type { References } from '../../output/columns.js';
import { valueAt } from '../../output/fields.js';
import { safeLine } from '../../output/text.js';
import { stateFolder } from '../../settings/paths.js';
import type { Settings } from '../../settings/settings.js';
import { freshMs, readCache, shortTitle, writeCache } from '../../settings/title-cache.js';
import type { Globals } from '../declare/session.js';
import { itemsOf, knownOf, type Parents } from '../resolve/find-by-title.js';
import { cachedList, type Line } from './cached-list.js';

/** In so many parts a wait is divided. */
const slices = 20;

/**
 * Aborts once this process has waited so long. Time in which it did not run does not count but for a part: on a busy
 * machine, or with the lid closed, the answer was not late. Keeps no process alive.
 * @param reason of the signal
 */
export function patience(ms: number, reason?: unknown): AbortSignal {
  const over = new AbortController();
  let left = slices;
  const wait = (): void => {
    left -= 1;
    if (left < 0) over.abort(reason);
    else setTimeout(wait, ms / slices).unref();
  };
  wait();
  return over.signal;
}

/** Looks up the titles of what the items of a list refer to by id. What is not found stays an id. */

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

export function nothingKnown(): Known {
  return { own: new Map(), titles: new Map(), asked: new Set(), requests: 0 };
}

/** How long a person waits for titles, over all kinds. In milliseconds. */
const patienceMs = 2_000;
/** Requests in a run: titles are a comfort. */
const mostRequests = 4;
/** So many resources of a kind are read one by one, where no single request lists them all. */
const mostSingles = 2;
/** Items of a list, in one page. */
const pageSize = 1_000;
/** Titles that are kept of the answers themselves: lists may hold a million items. */
const mostOwn = 20_000;
const deepest = 3;

/** @param within path parameters that are known, such as the site whose sections are listed */
export async function findTitles(
  source: TitleSource,
  known: Known,
  items: readonly unknown[],
  refs: References,
  within: Parents = {},
): Promise<void> {
  for (const item of items) keepOwn(known, item, deepest);
  const org = source.settings.org?.value;
  const parents = { ...(org !== undefined && { organizationId: org }), ...within };
  const wanted = [...wantedIn(known, items, refs)].filter(([kind]) => !known.asked.has(kind));
  if (wanted.length === 0) return;
  const enough = AbortSignal.any([source.io.signal, patience(patienceMs)]);
  const search = { source, known, parents, signal: enough };
  await Promise.all(wanted.map(([kind, ids]) => beforeLong(lookUp(search, kind, ids), enough)));
}

/** Ends with the signal, whatever the work does. Failures of the work do not matter. */
async function beforeLong(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const over = new Promise<void>((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
  });
  await Promise.race([work.catch(() => {}), over]);
}

/** The ids without titles, by kind. */
function wantedIn(known: Known, items: readonly unknown[], refs: References): Map<Referred, Set<string>> {
  const wanted = new Map<Referred, Set<string>>();
  for (const [path, kind] of Object.entries(refs)) {
    for (const item of items) {
      for (const value of [valueAt(item, path)].flat()) {
        const id = idOf(value);
        if (id === undefined || id === '' || known.own.has(id) || known.titles.get(kind)?.has(id)) continue;
        wanted.set(kind, (wanted.get(kind) ?? new Set()).add(id));
      }
    }
  }
  return wanted;
}

/** What an answer says itself: titles of its items, and of the resources inside them. */
function keepOwn({ own }: Known, item: unknown, depth: number): void {
  if (depth === 0 || own.size >= mostOwn || typeof item !== 'object' || item === null) return;
  if (Array.isArray(item)) for (const one of item) keepOwn({ own } as Known, one, depth);
  else {
    const { id, title } = item as { id?: unknown; title?: unknown };
    if (typeof id === 'string' && typeof title === 'string' && title !== '') own.set(id, safeLine(title));
    for (const part of Object.values(item)) if (isObject(part)) keepOwn({ own } as Known, part, depth - 1);
  }
}

interface Search {
  source: TitleSource;
  known: Known;
  parents: Parents;
  signal: AbortSignal;
}

async function lookUp(search: Search, kindName: Referred, ids: ReadonlySet<string>): Promise<void> {
  const { source, known, parents } = search;
  const kind = resources[kindName];
  const titles = known.titles.get(kindName) ?? new Map<string, string>();
  known.titles.set(kindName, titles);
  const list = listFor(source, kind, parents);
  for (const { word, note } of cached(source, list)) if (note) titles.set(word, note);
  const missing = [...ids].filter((id) => !titles.has(id));
  if (missing.length === 0 || !source.mayAsk) return;
  known.asked.add(kindName);
  const within = { ...parents, [kind.parameter]: '' };
  const single = known.requests < mostRequests ? knownAmong(kind.gets, within) : undefined;
  const lists = listOp(kind, parents);
  if (
    single !== undefined &&
    (missing.length === 1 || (lists === undefined && missing.length <= mostSingles))
  ) {
    await Promise.all(missing.map((id) => readOne(search, kind, single, id, titles)));
  } else if (lists !== undefined && known.requests < mostRequests) {
    await readList(search, kind, lists, list, titles);
  }
}

/** The name of its list in the cache; undefined where it has none. */
function listFor(
  { io, globals, settings }: TitleSource,
  kind: Resource,
  parents: Parents,
): string | undefined {
  const flags = new Map<string, readonly string[]>();
  const add = (flag: string, value: string | undefined) => {
    if (value !== undefined) flags.set(flag, [value]);
  };
  add('profile', globals.profile);
  add('base-url', globals.baseUrl);
  add('ca-file', globals.caFile);
  add('policy', globals.policy);
  if (globals.sandbox) flags.set('sandbox', []);
  for (const name of ['org', 'space', 'site'] as const) {
    const [id, setting] = [parents[resourceOfContext(name).parameter], settings[name]];
    if (id !== setting?.value || setting?.source === 'flag') add(name, id);
  }
  const line: Line = { flags, args: [] };
  return cachedList(io, kind, line)?.name;
}

/** A recent list; none from before the last change that was made from this machine. */
function cached({ io }: TitleSource, name: string | undefined): readonly { word: string; note?: string }[] {
  const found = name === undefined ? undefined : readCache(io, name);
  if (found === undefined || io.now() - found.atMs > freshMs || found.atMs < lastChangeMs(io)) return [];
  return found.ids;
}

function lastChangeMs(io: TitleSource['io']): number {
  return statSync(join(stateFolder(io), 'jobs'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** The operation that lists all in one request, where there is one. */
function listOp({ lists, walk }: Resource, parents: Parents): AnyOperation | undefined {
  return walk === undefined || walk === 'page-tree' ? knownAmong(lists, parents) : undefined;
}

async function readOne(
  { known, parents, ...search }: Search,
  kind: Resource,
  op: AnyOperation,
  id: string,
  titles: Map<string, string>,
): Promise<void> {
  known.requests += 1;
  const input = { path: { ...parents, [kind.parameter]: id } };
  const { title } = knownOf(await callOne(await clientOf(search), { op, input }), kind);
  if (title !== '') titles.set(id, title);
}

async function readList(
  { known, parents: path, ...search }: Search,
  kind: Resource,
  op: AnyOperation,
  name: string | undefined,
  titles: Map<string, string>,
): Promise<void> {
  known.requests += 1;
  const client = await clientOf(search);
  const { io } = search.source;
  const isTree = kind.walk !== undefined;
  const items = isTree ? itemsOf(client, kind, path) : itemsOfFirst(client, op, path);
  const found: { word: string; note: string }[] = [];
  for await (const item of items) {
    const { id, title } = knownOf(item, kind);
    if (title === '') continue;
    titles.set(id, title);
    found.push({ word: id, note: shortTitle(title) });
  }
  if (name !== undefined && kind.command.id === kind.id)
    await writeCache(io, name, { atMs: io.now(), ids: found });
}

/** The client of the command, whose requests here are sent once and end with the patience. */
async function clientOf({ source, signal }: Pick<Search, 'source' | 'signal'>): Promise<Client> {
  const client = await source.client();
  const call = client.call as (op: AnyOperation, input: LooseInput, options?: CallOptions) => unknown;
  const once = (op: AnyOperation, input: LooseInput, options?: CallOptions) =>
    call(op, input, { ...options, signal, once: true });
  return Object.create(client, { call: { value: once } }) as Client;
}

async function* itemsOfFirst(client: Client, op: AnyOperation, path: Parents): AsyncGenerator<unknown> {
  for await (const { items } of listOf(client, op, { path, query: { limit: pageSize } }).pages()) {
    yield* items;
    return;
  }
}
