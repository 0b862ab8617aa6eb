import type { AnyOperation } from '../api/operation.js';
import { pathParameters } from '../api/operation-facts.js';
import { operations } from '../api/resources/index.js';
import { DocsError } from '../base/errors.js';
import { sameName } from '../base/name.js';
import { isObject } from '../base/values.js';
import { type Change, isShownReference, requestFor } from '../jobs/change.js';
import { isRefusal, type Reads, type Resource } from '../jobs/reads.js';
import { knownAmong, operationsOf } from '../model/operations.js';
import { type Resource as Kind, resourceOfField, resources } from '../model/resources.js';
import { concernedBy, goesAlong, type Inside, partsOf } from './effects.js';
import type { NamedResource, Policy, Subject } from './policy.js';

/** What a policy asks about the place of a request, where the request itself does not tell. */
type RequestScope = Pick<Subject, 'organization' | 'resources'>;

/** Something that goes along with what is deleted; undefined where the list of it cannot be read. */
interface Along {
  inside: Inside;
  item: Resource | undefined;
}

/** More of a kind are looked up by their list. */
const mostSingle = 20;

/**
 * Finds the organization of a request and the titles of what its path names. Reads only what a policy asks for,
 * and each resource once.
 */
export class Surroundings {
  readonly #reads: () => Promise<Reads>;
  readonly #policies: readonly Policy[];
  readonly #known = new Map<string, Promise<unknown>>();

  /** @param reads asked where something is to be read; these reads must not pass through a policy again */
  constructor(policies: readonly Policy[], reads: () => Promise<Reads>) {
    this.#policies = policies;
    this.#reads = reads;
  }

  /** @throws DocsError where the platform is out of reach */
  async of(request: Change): Promise<RequestScope> {
    const organization = await this.#organization(request);
    const resources = await this.#resources(request);
    return { ...(organization !== undefined && { organization }), resources };
  }

  /** @returns undefined where none is concerned, or nobody asks; null where it cannot be told */
  async #organization({ op, input }: Change): Promise<string | null | undefined> {
    const { path = {} } = input;
    if (!this.#policies.some(({ orgs }) => orgs !== undefined)) return undefined;
    return path.organizationId ?? this.#organizationOf(op, path);
  }

  /** The organization of what the first parameter of a path names. */
  async #organizationOf(
    op: AnyOperation,
    path: Readonly<Record<string, string>>,
  ): Promise<string | null | undefined> {
    const get = readerOfFirst(op);
    if (get === undefined) return undefined;
    const [name = ''] = pathParameters(get.path);
    // What the plan itself makes: its maker was asked about, and so is each request once it has its id.
    if (isShownReference(path[name] ?? '')) return undefined;
    const found = await this.#read(get, path);
    const organization = isObject(found) ? found.organization : undefined;
    const id = isObject(organization) ? organization.id : organization;
    return typeof id === 'string' && id !== '' ? id : null;
  }

  async #resources(request: Change): Promise<NamedResource[]> {
    const { op, input } = request;
    const found: NamedResource[] = [];
    const concerned = [...concernedBy(request)];
    for (const { kind, id } of concerned) {
      const isOneOfMany = concerned.filter((one) => one.kind === kind).length > mostSingle;
      if (this.#isProtected(kind) && op.method !== 'GET' && !isShownReference(id))
        found.push(await this.#named(kind, id, input.path, isOneOfMany));
      else found.push({ kind: nameOf(kind), names: [id] });
    }
    const lists = [...(goesAlong[request.op.id] ?? []), ...partsOf(request.op)];
    const along = await this.along(request, lists, ({ kind }) => this.#isProtected(kind));
    return [...found, ...along.map(({ inside, item }) => namedAs(inside.kind, item))];
  }

  #isProtected(kind: Kind): boolean {
    return this.#policies.some(({ protect }) => protect.some((one) => one.kind === nameOf(kind)));
  }

  /**
   * What goes along with what a request deletes or transfers.
   * @param lists where it is
   * @param wanted which of it is looked up
   * @returns an item that is undefined for a list that cannot be read
   */
  async along(
    request: Change,
    lists: readonly Inside[] = goesAlong[request.op.id] ?? [],
    wanted: (inside: Inside) => boolean = () => true,
  ): Promise<Along[]> {
    const { path = {} } = request.input;
    const [last = ''] = pathParameters(request.op.path).slice(-1);
    const id = path[last] ?? '';
    if (isShownReference(id) || !lists.some((one) => isSought(one, wanted))) return [];
    const found = path.organizationId ?? (await this.#organizationOf(request.op, path));
    const inOrg: Record<string, string> = typeof found === 'string' ? { organizationId: found } : {};
    return this.#inside(lists, { ...path, ...inOrg }, id, wanted);
  }

  async #inside(
    lists: readonly Inside[],
    path: Readonly<Record<string, string>>,
    id: string,
    wanted: (inside: Inside) => boolean,
  ): Promise<Along[]> {
    const found: Along[] = [];
    for (const inside of lists.filter((one) => isSought(one, wanted))) {
      const { field, kind, within } = inside;
      for (const items of await this.#listsOf(inside, path)) {
        if (items === undefined) found.push({ inside, item: undefined });
        const own = (items ?? []).filter((item) => field === undefined || at(item, field) === id);
        if (wanted(inside)) found.push(...own.map((item) => ({ inside, item })));
        for (const item of within === undefined ? [] : own) {
          const below = String(at(item, kind.id));
          const rows = goesAlong[within ?? ''] ?? [];
          found.push(...(await this.#inside(rows, { ...path, [kind.parameter]: below }, below, wanted)));
        }
      }
    }
    return found;
  }

  /** The list of what goes along; several where it is one of each of others. Undefined for one that cannot be read. */
  async #listsOf(
    { list, kind, of }: Inside,
    path: Readonly<Record<string, string>>,
  ): Promise<(readonly Resource[] | undefined)[]> {
    const [op] = operationsOf([list]);
    if (op === undefined) return [];
    // Of an organization that cannot be told, no list can be read.
    const needed = pathParameters(op.path).filter((name) => name !== of?.kind.parameter);
    if (needed.some((name) => path[name] === undefined)) return [undefined];
    const read = async (own: Readonly<Record<string, string>>) =>
      ((await this.#read(op, own, kind.listQuery)) ?? undefined) as readonly Resource[] | undefined;
    if (of === undefined) return [await read(path)];
    const [outer] = await this.#listsOf({ ...of, is: 'write' }, path);
    if (outer === undefined) return [undefined];
    return Promise.all(
      outer.map((item) => read({ ...path, [of.kind.parameter]: String(at(item, of.kind.id)) })),
    );
  }

  async #named(
    kind: Kind,
    id: string,
    path: Change['input']['path'],
    isOneOfMany: boolean,
  ): Promise<NamedResource> {
    const { names, ...named } = namedAs(kind, await this.#resource(kind, id, { ...path }, isOneOfMany));
    return { ...named, names: [...new Set([id, ...names])] };
  }

  /** The resource; null where there is none, undefined where that cannot be told. */
  async #resource(
    kind: Kind,
    id: string,
    path: Readonly<Record<string, string>>,
    isOneOfMany: boolean,
  ): Promise<Resource | null | undefined> {
    const own = { ...path, [kind.parameter]: id };
    const isEmail = kind === resources.member && id.includes('@');
    const get = isEmail ? undefined : knownAmong(kind.gets, own);
    const list = knownAmong(kind.lists, path);
    if (get !== undefined && !(isOneOfMany && list !== undefined))
      return (await this.#read(get, own)) as Resource | null | undefined;
    if (list === undefined) return undefined;
    const items = (await this.#read(list, path, kind.listQuery)) as readonly Resource[] | null | undefined;
    const key = isEmail ? 'user.email' : kind.id;
    return items == null ? items : (items.find((item) => sameName(String(at(item, key)), id)) ?? null);
  }

  /** A resource, or all items of a list; null where it answers 404, undefined where it is refused. */
  #read(
    op: AnyOperation,
    path: Readonly<Record<string, string>>,
    query: Kind['listQuery'] = {},
  ): Promise<unknown> {
    const input = { ...requestFor(op, path).input, query };
    const key = `${op.id} ${JSON.stringify([input.path, query])}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const reading = this.#reads().then<unknown>((reads) =>
      op.returns.kind === 'page' ? reads.all(op, input) : reads.one(op, input),
    );
    const told = reading.catch((cause: unknown) => {
      if (cause instanceof DocsError && isRefusal(cause)) return undefined;
      this.#known.delete(key);
      throw cause;
    });
    this.#known.set(key, told);
    return told;
  }
}

/** Whether something is looked up: in a list, or in what its items have. */
function isSought(inside: Inside, wanted: (inside: Inside) => boolean): boolean {
  if (wanted(inside)) return true;
  const below = inside.within === undefined ? [] : (goesAlong[inside.within] ?? []);
  return below.some((one) => wanted(one) || (one.within !== inside.within && isSought(one, wanted)));
}

/** Beside its titles, the address that tells two of one title apart; untold where it could not be read. */
function namedAs(kind: Kind, resource: Resource | null | undefined): NamedResource {
  if (resource === undefined) return { kind: nameOf(kind), names: [], untold: true };
  const paths = [kind.id, ...kind.titles, ...(kind.also === undefined ? [] : [kind.also])];
  const names = paths.map((one) => at(resource, one)).filter((one) => typeof one === 'string');
  return { kind: nameOf(kind), names: [...new Set(names)] };
}

/** As policies name it: the members of a team are members. */
function nameOf({ parameter, printed }: Kind): string {
  const named = resourceOfField(parameter);
  return (named === undefined ? printed : resources[named].printed).argument;
}

const readers = new Map<string, AnyOperation | undefined>();

/** The operation that reads what the first parameter of a path names, where that tells its organization. */
function readerOfFirst(op: AnyOperation): AnyOperation | undefined {
  const prefix = /^[^{]*\{\w+\}/.exec(op.path)?.[0];
  if (prefix === undefined) return undefined;
  if (readers.has(prefix)) return readers.get(prefix);
  const found = operations.find(
    ({ method, path, returns }) =>
      method === 'GET' &&
      path === prefix &&
      returns.kind === 'one' &&
      returns.schema.properties?.organization !== undefined,
  );
  readers.set(prefix, found);
  return found;
}

export function at(resource: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), resource);
}
