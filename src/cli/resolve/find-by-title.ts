import { type Client, callOne } from '../../api/client.js';
import { type AnyOperation, pathParameters } from '../../api/operation.js';
import { DocsError, notSent, usageError } from '../../base/errors.js';
import { nameKey } from '../../base/name.js';
import { nearest } from '../../base/nearest.js';
import { operationsOf } from '../../model/operations.js';
import type { Resource } from '../../model/resources.js';
import { valueAt } from '../../output/fields.js';
import { safeLine } from '../../output/text.js';
import { canBeId, isEmailOf } from './id-places.js';
import { firstKnown, itemsOf, type Parents } from './list-resources.js';

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
type Found = { is: 'id'; id: string } | { is: 'title'; known: Known };

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
): Promise<Found> {
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
  const known = operationsOf(gets).filter((op) => pathParameters(op.path).every((name) => name in path));
  if (known.length === 0) return false;
  const op: AnyOperation = firstKnown(known, path);
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
  const suggestion = near === undefined ? '' : ` Did you mean ${near.title} (${near.id})?`;
  // A search leaves out those that have another name.
  const looked = all.length === 0 && kind.search === undefined ? ` There are no ${plural}.` : '';
  const what = isEmailOf(kind, text) ? 'email' : canBeId(text) ? 'id or title' : 'title';
  const message = `No ${noun} has the ${what} ${JSON.stringify(text.slice(0, 100))}.${suggestion || looked}`;
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
