import { type Client, callOne, listOf } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import { organizationSpaces } from '../../api/organization-spaces.js';
import { isLoopback } from '../../api/transport/address.js';
import { withoutFinalSlashes } from '../../base/characters.js';
import { DocsError, notSent, usageError } from '../../base/errors.js';
import { canBeId } from '../../base/ids.js';
import { nameKey } from '../../base/name.js';
import { didYouMean, nearest } from '../../base/nearest.js';
import { knownAmong, operationsOf } from '../../model/operations.js';
import { type Resource, resources } from '../../model/resources.js';
import { valueAt } from '../../output/fields.js';
import { safeLine } from '../../output/text.js';
import { isAddress, isEmailOf } from './id-places.js';

/** A resource as a person knows it. */
export interface Known {
  id: string;
  /** Sanitised, of one line. */
  title: string;
  /** All that it may be called. */
  names: readonly string[];
  /** What tells it from another of the same title; sanitised. */
  also: string;
}

/** What is known of an item of a list. */
export function knownOf(item: unknown, { id, titles, also }: Resource): Known {
  const names = titles.map((path) => textAt(item, path)).filter((name) => name !== '');
  const firstLine = (names[0] ?? '').trim().split(/[\r\n]/, 1)[0] ?? '';
  return {
    id: textAt(item, id),
    title: safeLine(firstLine.slice(0, 200)),
    names,
    also: also === undefined ? '' : safeLine(textAt(item, also)),
  };
}

function textAt(item: unknown, path: string): string {
  const value = valueAt(item, path);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The id that was typed, or the resource that has the title. */
type ParentSource = { is: 'id'; id: string } | { is: 'title'; known: Known };

interface Lookup {
  text: string;
  /** The parents that are known. */
  known: Parents;
  /** All parents that the list needs. */
  parents(): Promise<Parents>;
}

/**
 * The resource that a text names: by its id, else by its title. A title fits as it is written; where none
 * does, whatever the case. One request where the text is an id, else the list.
 * @throws DocsError not-found `unknown_title`; usage `ambiguous_title`, with all that fit
 */
export async function findByTitle(
  client: Client,
  kind: Resource,
  { text, known: knownParents, parents }: Lookup,
): Promise<ParentSource> {
  if (canBeId(text) && (await isId(client, kind, knownParents, text))) return { is: 'id', id: text };
  const all: Known[] = [];
  for await (const item of itemsOf(client, kind, await parents(), text)) {
    const known = knownOf(item, kind);
    if (known.id === text) return { is: 'id', id: text };
    all.push(known);
  }
  const fitting = withTitle(all, text);
  const [only] = fitting;
  if (only === undefined) throw nothingCalled(kind, text, all);
  if (fitting.length > 1) throw severalCalled(kind, text, fitting);
  return { is: 'title', known: only };
}

/** Whether there is a resource of the kind under this id: one request, or the list where only that tells. */
export async function hasId(
  client: Client,
  kind: Resource,
  { text, known, parents }: Lookup,
): Promise<boolean> {
  if (kind.gets.length > 0) return isId(client, kind, known, text);
  for await (const item of itemsOf(client, kind, await parents(), text)) {
    if (knownOf(item, kind).id === text) return true;
  }
  return false;
}

/**
 * The resources that have these titles, by one walk along the whole list.
 * @throws DocsError not-found `unknown_title`; usage `ambiguous_title`
 */
export async function findAllByTitle(
  client: Client,
  kind: Resource,
  texts: readonly string[],
  parents: Parents,
): Promise<Map<string, Known>> {
  const all: Known[] = [];
  const named = new Map<string, Known[]>();
  for await (const item of itemsOf(client, kind, parents)) {
    const known = knownOf(item, kind);
    all.push(known);
    for (const name of known.names) named.set(nameKey(name), [...(named.get(nameKey(name)) ?? []), known]);
  }
  return new Map(
    texts.map((text) => {
      const fitting = withTitle(named.get(nameKey(text)) ?? [], text);
      const [only] = fitting;
      if (only === undefined) throw nothingCalled(kind, text, all);
      if (fitting.length > 1) throw severalCalled(kind, text, fitting);
      return [text, only];
    }),
  );
}

/**
 * The resource that readers see at an address, or above it; of several the one nearest to it.
 * @returns undefined where there is none
 */
export async function findPublished(
  client: Client,
  kind: Resource,
  address: string,
  parents: Parents,
): Promise<Known | undefined> {
  let nearest: { known: Known; length: number } | undefined;
  for await (const item of itemsOf(client, kind, parents)) {
    const published = textAt(item, kind.published ?? '');
    if (!isAbove(published, address) || published.length <= (nearest?.length ?? 0)) continue;
    nearest = { known: knownOf(item, kind), length: published.length };
  }
  return nearest?.known;
}

/** Whether an address begins as another does, segment by segment. */
function isAbove(above: string, address: string): boolean {
  if (!URL.canParse(above)) return false;
  const [one, other] = [new URL(above), new URL(address)];
  const path = one.pathname.replace(/\/*$/, '/');
  return one.origin === other.origin && `${other.pathname.replace(/\/*$/, '')}/`.startsWith(path);
}

/** Whether the platform has it under this id; where it does not say, the command itself will tell. */
async function isId(client: Client, { gets, parameter }: Resource, parents: Parents, id: string) {
  const path = { ...parents, [parameter]: id };
  const op = knownAmong(gets, path);
  if (op === undefined) return false;
  try {
    await callOne(client, { op, input: { path } });
    return true;
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    if (cause.kind === 'not-found' || cause.kind === 'refused') return false;
    if (cause.kind === 'forbidden') return true;
    throw cause;
  }
}

/** Those with exactly this title, else those with it in another case; each once. */
function withTitle(all: readonly Known[], text: string): Known[] {
  const exact = all.filter(({ names }) => names.includes(text));
  const wanted = nameKey(text);
  const found =
    exact.length > 0 ? exact : all.filter(({ names }) => names.some((name) => nameKey(name) === wanted));
  return [...new Map(found.map((known) => [known.id, known])).values()];
}

function nothingCalled(kind: Resource, text: string, all: readonly Known[]): DocsError {
  const { noun, plural, command } = kind;
  const meant = nearest(text, new Set(all.flatMap(({ names }) => names)));
  const near = all.find(({ names }) => meant !== undefined && names.includes(meant));
  const suggestion = didYouMean(near && `${near.title} (${near.id})`);
  // A search leaves out those that have another name.
  const looked = all.length === 0 && kind.search === undefined ? `; there are no ${plural}` : '';
  const what = isEmailOf(kind, text) ? 'email' : canBeId(text) ? 'id or title' : 'title';
  const message = `no ${noun} has the ${what} ${JSON.stringify(text.slice(0, 100))}${suggestion || looked}`;
  return notSent('not-found', 'unknown_title', message, {
    hint: `docs ${command.words}`,
    details: { kind: noun, text: text.slice(0, 100) },
  });
}

const mostNamed = 10;

function severalCalled({ plural, command }: Resource, text: string, fitting: readonly Known[]): DocsError {
  const named = fitting.slice(0, mostNamed).map(({ id, also }) => (also === '' ? id : `${id} (${also})`));
  const more = fitting.length > mostNamed ? [`and ${fitting.length - mostNamed} more`] : [];
  const list = [...named, ...more].join(', ');
  const what = `${fitting.length} ${plural} are called ${JSON.stringify(text.slice(0, 100))}`;
  const matches = fitting.map(({ id, title }) => ({ id, title }));
  return usageError('ambiguous_title', `${what}: ${list}. Pass the id.`, {
    details: { matches },
    hint: `docs ${command.words}`,
  });
}

/** What was typed where resources of several kinds can stand. */
interface Typed {
  text: string;
  /** As errors name it: `--before`. */
  place: string;
  /** Whether it may be a title or an address; else it is an id. */
  isName: boolean;
}

interface Ways {
  /** Whether a resource of the kind has the text as its id. */
  hasId(kind: Resource): Promise<boolean>;
  /** The id of the resource of the kind that a title or an address names. @throws DocsError where there is none */
  idOf(kind: Resource): Promise<string>;
}

/**
 * The one resource among several kinds that a text names, as `kind:id`.
 * @throws DocsError not-found `unknown_title` where no kind has it; usage `ambiguous_title` where several do
 */
export async function findAmong(
  kinds: readonly Resource[],
  { text, place, isName }: Typed,
  { hasId, idOf }: Ways,
): Promise<string> {
  for (const kind of canBeId(text) ? kinds : []) {
    if (await hasId(kind)) return `${kind.printed.argument}:${text}`;
  }
  const found: { name: string; id: string }[] = [];
  for (const kind of isName ? kinds : []) {
    const id = await idOf(kind).catch(noneOf);
    if (id !== undefined) found.push({ name: `${kind.printed.argument}:${id}`, id });
  }
  const [only] = found;
  const quoted = JSON.stringify(text.slice(0, 100));
  if (only === undefined) {
    const nouns = kinds.map(({ noun }) => noun).join(' or ');
    const what = !isName ? 'id' : isAddress(text) ? 'address' : canBeId(text) ? 'id or title' : 'title';
    throw notSent('not-found', 'unknown_title', `${place}: no ${nouns} has the ${what} ${quoted}`, {
      hint: `docs ${(kinds[0] ?? resources.space).command.words}`,
    });
  }
  if (found.length > 1) {
    const names = found.map(({ name }) => name).join(', ');
    const message = `${place}: ${names} are all called ${quoted}. Pass one of these ids.`;
    throw usageError('ambiguous_title', message, { details: { matches: found.map(({ id }) => ({ id })) } });
  }
  return only.name;
}

/** Another kind may have it. @throws every other failure */
function noneOf(cause: unknown): undefined {
  const isAbsent = cause instanceof DocsError && ['unknown_title', 'other_address'].includes(cause.code);
  if (!isAbsent) throw cause;
}

/** Addresses of resources, as people copy them from a browser or an answer: `urls.app`, `urls.location`. */

/**
 * The id in an address of the profile's own platform, and the parents it names. What an address shows below
 * a resource, such as a page of a space, is an address of the resource, too. Nothing is sent.
 * @throws DocsError usage `foreign_address`, `other_address`
 */
export function readAddress(
  address: string,
  wanted: Resource,
  baseUrl: string | undefined,
): { id: string; parents: Parents } {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || baseUrl === undefined || !isOwnHost(url.hostname, baseUrl)) {
    const message = `${address} is not an address of your platform`;
    throw usageError('foreign_address', message, { hint: 'docs status' });
  }
  const path = url.pathname.replace(withoutFinalSlashes(new URL(baseUrl).pathname), '');
  for (const template of templatesOf(wanted)) {
    const found = match(template, path.startsWith('/v1/') ? path : url.pathname);
    const { [wanted.parameter]: id, ...parents } = found ?? {};
    if (id !== undefined) return { id, parents };
  }
  throw usageError('other_address', `${address} is not an address of a ${wanted.noun}`);
}

/** Paths of the API and of the app that lead to a resource, the most specific first. */
function templatesOf({ parameter, gets, lists, app }: Resource): string[] {
  const paths = (ids: readonly string[]) => operationsOf(ids).map(({ path }) => path);
  const own = gets.length > 0 ? paths(gets) : paths(lists).map((path) => `${path}/{${parameter}}`);
  return [...own, ...app];
}

/** The values of a template's names, where the path begins as the template is. */
function match(template: string, path: string): Record<string, string> | undefined {
  const given = path.split('/');
  const found: Record<string, string> = {};
  for (const [index, segment] of template.split('/').entries()) {
    const value = given[index] ?? '';
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined ? segment !== value : !canBeId(value)) return undefined;
    if (name !== undefined) found[name] = value;
  }
  return found;
}

/** Domains under which anybody can have a name of their own, so that they tell nothing: `co.uk`. */
const publicEnding = /^(?:co|com|org|net|gov|edu|ac)\.[a-z]{2}$/;

/**
 * Whether a host belongs to the platform: its API at api.example.com has its app at example.com or
 * below it. The hosts of every sandbox are those of sandbox.example, whatever its port.
 */
export function isOwnHost(host: string, baseUrl: string): boolean {
  const base = new URL(baseUrl).hostname;
  if (isLoopback(base) && (host === 'sandbox.example' || host.endsWith('.sandbox.example'))) return true;
  const [first = '', ...rest] = base.split('.');
  const parent = rest.join('.');
  const isApi = /\bapi\b/.test(first) && rest.length > 1 && !publicEnding.test(parent);
  const domain = isApi ? parent : base;
  const isName = /[a-z]/.test(base) && !base.includes(':');
  return host === base || (isName && (host === domain || host.endsWith(`.${domain}`)));
}

/** Lists the resources of a kind, as the registry says. */

/** Ids of the parents by path parameter: `{ organizationId: 'o1' }`. */
export type Parents = Readonly<Record<string, string>>;

/** The operation that lists a kind; where nothing names all that it needs, one that says so. */
function listIn({ lists }: Resource, path: Parents): AnyOperation {
  return knownAmong(lists, path) ?? (operationsOf(lists).at(-1) as AnyOperation);
}

/**
 * All resources of a kind, as they come.
 * @param text narrows the list on the platform, where it can be searched
 */
export function itemsOf(
  client: Client,
  kind: Resource,
  path: Parents,
  text?: string,
): AsyncIterable<unknown> {
  if (kind.walk !== undefined) return walks[kind.walk](client, path, kind);
  const query = kind.search === undefined || text === undefined ? {} : { [kind.search]: text };
  return listOf(client, listIn(kind, path), { path, query });
}

type List = (client: Client, path: Parents, kind: Resource) => AsyncIterable<unknown>;

const walks: Record<NonNullable<Resource['walk']>, List> = {
  spaces: (client, { organizationId = '' }) => organizationSpaces(client, organizationId),
  'pending-change-requests': pendingChangeRequests,
  'page-tree': pagesOfTree,
};

/** What can still be merged: open ones, then drafts. Others are named by number or id. */
async function* pendingChangeRequests(
  client: Client,
  path: Parents,
  kind: Resource,
): AsyncGenerator<unknown> {
  for (const status of ['open', 'draft'])
    yield* listOf(client, listIn(kind, path), { path, query: { status } });
}

/** The pages of a tree, depth first. A stack, since there is no limit to its depth. */
async function* pagesOfTree(client: Client, path: Parents, kind: Resource): AsyncGenerator<unknown> {
  const op = listIn(kind, path);
  const { pages } = (await callOne(client, { op, input: { path } })) as { pages?: readonly unknown[] };
  const waiting = Array.isArray(pages) ? pages.toReversed() : [];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    const { pages: below } = next as { pages?: unknown };
    if (Array.isArray(below)) waiting.push(...below.toReversed());
  }
}
