import { type Client, callOne } from '../../api/client.js';
import { pathParameters } from '../../api/operation-facts.js';
import { DocsError } from '../../base/errors.js';
import { type Change, isShownReference, showReferences } from '../../jobs/change.js';
import { isRefusal } from '../../jobs/reads.js';
import { ruleOf } from '../../jobs/undo-rules.js';
import { knownAmong } from '../../model/operations.js';
import {
  idsInBody,
  type Resource,
  type ResourceName,
  resourceOfField,
  resources,
} from '../../model/resources.js';
import type { Draft } from '../../plans/plan.js';
import { itemsOf, knownOf, type Parents } from '../resolve/find-by-title.js';

/** What people call the items of a plan: somebody approves it by eye, and ids say nothing to them. */

/** Up to this many items of a kind are read one by one, more of them by their list. */
const mostSingle = 20;

/** Something that a request names. */
interface Named {
  kind: Resource;
  id: string;
  /** The path of the request. */
  path: Parents;
}

/**
 * Drafts with keys by which people know their items: emails, titles; of members of teams `<team>/<email>`. What
 * cannot be read keeps its id.
 * @param client sends each read once
 * @param titles what is known already, by id
 * @throws DocsError where the platform is out of reach
 */
export async function namedDrafts(
  client: Client,
  drafts: readonly Draft[],
  titles: Readonly<Record<string, string>>,
): Promise<Draft[]> {
  const named = drafts.map(namedBy);
  const names: Names = new Map(Object.entries(titles).map(([id, title]) => [id, [title]]));
  await readNames(client, named.flat(), names);
  return drafts.map((draft, at) => {
    const parts = named[at] ?? [];
    if (draft.key !== undefined || !parts.some(({ id }) => names.has(id))) return draft;
    return { ...draft, key: parts.map(({ id }) => names.get(id)?.[0] ?? id).join('/') };
  });
}

/** What people call something, by its id: never nothing, what they use first. */
type Names = Map<string, readonly string[]>;

/**
 * Reads what requests name, unless it is known. What cannot be read, or is not there, stays unknown.
 * @throws DocsError where the platform is out of reach
 */
async function readNames(client: Client, named: readonly Named[], names: Names): Promise<void> {
  for (const all of groupsOf(named)) {
    const unknown = all.filter(({ id }) => !names.has(id));
    try {
      await readGroup(client, unknown, (item, { kind, id }) => {
        const own = namesIn(item, kind);
        if (own.length > 0) names.set(id, own);
      });
    } catch (cause) {
      const isUnnamed = isRefusal(cause) || (cause instanceof DocsError && cause.kind === 'not-found');
      if (!isUnnamed) throw cause;
    }
  }
}

/** The names of an item. People go by their email; of other kinds `also` only tells two of one title apart. */
function namesIn(item: unknown, kind: Resource): string[] {
  const { title, also } = knownOf(item, kind);
  const isEmail = kind.name === 'member' && also.includes('@');
  return (isEmail ? [also, title] : [title]).filter((name) => name !== '');
}

/** What a request is about: the last parameter of its path; of a member of a team the team before it. */
export function namedBy({ change }: Draft): Named[] {
  if (change === undefined || ruleOf(change.op).creates) return [];
  const path = showReferences(change.input.path ?? {});
  const own = pathParameters(change.op.path).at(-1) ?? '';
  const names = own === 'userId' && path.teamId !== undefined ? ['teamId', own] : [own];
  return names.flatMap((name) => {
    const kind = resourceOfField(name);
    const id = path[name];
    // Ids that people choose are what they know; what an earlier request makes has none yet.
    const isId = typeof id === 'string' && kind !== undefined && resources[kind].selfNamed === undefined;
    return isId ? [{ kind: resources[kind], id, path }] : [];
  });
}

/** Things of one kind in one place, each once. */
function groupsOf(all: readonly Named[]): Named[][] {
  const groups = new Map<string, Map<string, Named>>();
  for (const one of all) {
    const above = { ...one.path, [one.kind.parameter]: undefined };
    const key = JSON.stringify([one.kind.name, one.kind.name === 'member' ? undefined : above]);
    const group = groups.get(key) ?? new Map<string, Named>();
    groups.set(key, group.set(one.id, one));
  }
  return [...groups.values()].map((group) => [...group.values()]);
}

/** Reads things of one kind in one place: a few one by one, more of them by their list. */
async function readGroup(
  client: Client,
  wanted: readonly Named[],
  keep: (item: unknown, one: Named) => void,
): Promise<void> {
  const [first] = wanted;
  if (first === undefined) return;
  const { kind, path } = first;
  if (wanted.length <= mostSingle && kind.gets.length > 0) {
    await Promise.all(wanted.map(async (one) => keep(await readOne(client, one), one)));
  } else if (kind.parents.every((name) => name in path)) {
    const byId = new Map(wanted.map((one) => [one.id, one]));
    for await (const item of itemsOf(client, kind, path)) {
      const one = byId.get(knownOf(item, kind).id);
      if (one !== undefined) keep(item, one);
    }
  }
}

/** @returns undefined where a request does not say all that its read needs */
async function readOne(client: Client, { kind, path }: Named): Promise<unknown> {
  const op = knownAmong(kind.gets, path);
  if (op === undefined) return undefined;
  // Only the parameters that it takes, so that equal reads are recognized.
  const own = Object.fromEntries(pathParameters(op.path).map((name) => [name, path[name] ?? '']));
  return callOne(client, { op, input: { path: own, query: {} } });
}

/** The names of all ids that requests hold, in paths and bodies, as the platform shows them now. */

/** What an id stands for. */
export interface NamedId {
  id: string;
  kind: ResourceName;
  /** What people call it: title, email; none where it cannot be read. */
  names: readonly string[];
}

/**
 * @param organizationId where requests do not name one
 * @throws DocsError where the platform is out of reach
 */
export async function namesOf(
  client: Client,
  requests: readonly Change[],
  organizationId: string | undefined,
): Promise<Map<string, NamedId>> {
  const around: Record<string, string> = organizationId === undefined ? {} : { organizationId };
  const named = requests.flatMap((request) => namedIn(request, around));
  const names: Names = new Map();
  await readNames(client, named, names);
  return new Map(
    named.map(({ id, kind }) => [id, { id, kind: kind.name as ResourceName, names: names.get(id) ?? [] }]),
  );
}

function namedIn(request: Change, around: Readonly<Record<string, string>>): Named[] {
  const input = showReferences(request.input);
  const path = { ...around, ...input.path };
  const own = Object.entries(input.path ?? {}).flatMap(([field, id]) => of(resourceOfField(field), id, path));
  const others = [...idsInBody(input.body)].flatMap(({ resource, id }) => of(resource, id, path));
  return [...own, ...others];
}

function of(name: ResourceName | undefined, id: string, path: Readonly<Record<string, string>>): Named[] {
  if (name === undefined || resources[name].selfNamed || isShownReference(id)) return [];
  const kind = resources[name];
  return [{ kind, id, path: { ...path, [kind.parameter]: id } }];
}
