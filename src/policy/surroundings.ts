import type { AnyOperation } from '../api/operation.js';
import { pathParameters } from '../api/operation.js';
import { operations } from '../api/resources/index.js';
import { DocsError } from '../base/errors.js';
import { isObject } from '../base/values.js';
import { isShownReference } from '../jobs/references.js';
import { isRefusal, type PlannedRequest, type Reads, type Resource, requestFor } from '../jobs/request.js';
import { type Resource as Kind, namedResources } from '../model/resources.js';
import type { NamedResource, Policy, Subject } from './policy.js';

/** What a policy asks about the place of a request, where the request itself does not tell. */
export type Place = Pick<Subject, 'organization' | 'resources'>;

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
  async of(request: PlannedRequest): Promise<Place> {
    const organization = await this.#organization(request);
    const resources = await this.#resources(request);
    return { ...(organization !== undefined && { organization }), resources };
  }

  /** @returns undefined where none is concerned, or nobody asks; null where it cannot be told */
  async #organization({ op, input }: PlannedRequest): Promise<string | null | undefined> {
    const { path = {} } = input;
    if (!this.#policies.some(({ orgs }) => orgs !== undefined)) return undefined;
    if (path.organizationId !== undefined) return path.organizationId;
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

  async #resources({ op, input }: PlannedRequest): Promise<NamedResource[]> {
    const found: NamedResource[] = [];
    for (const parameter of pathParameters(op.path)) {
      const kind = namedResources.find((one) => one.parameter === parameter);
      const id = input.path?.[parameter];
      if (kind === undefined || id === undefined) continue;
      const isAsked = this.#policies.some(({ protect }) => protect.some((one) => one.kind === nameOf(kind)));
      if (isAsked && op.method !== 'GET' && !isShownReference(id))
        found.push(await this.#named(kind, id, input.path));
      else found.push({ kind: nameOf(kind), names: [id] });
    }
    return found;
  }

  async #named(kind: Kind, id: string, path: PlannedRequest['input']['path'] = {}): Promise<NamedResource> {
    const resource = await this.#resource(kind, id, path);
    if (resource === undefined) return { kind: nameOf(kind), names: [id], untold: true };
    // Beside its titles, the address that tells two of one title apart.
    const paths = [kind.id, ...kind.titles, ...(kind.also === undefined ? [] : [kind.also])];
    const names = paths.map((one) => at(resource, one)).filter((one) => typeof one === 'string');
    return { kind: nameOf(kind), names: [...new Set([id, ...names])] };
  }

  /** The resource; null where there is none, undefined where that cannot be told. */
  async #resource(
    kind: Kind,
    id: string,
    path: Readonly<Record<string, string>>,
  ): Promise<Resource | null | undefined> {
    const get = firstKnown(kind.gets, path);
    if (get !== undefined) return (await this.#read(get, path)) as Resource | null | undefined;
    const list = firstKnown(kind.lists, path);
    if (list === undefined) return undefined;
    const items = (await this.#read(list, path)) as readonly Resource[] | null | undefined;
    return items == null ? items : (items.find((item) => at(item, kind.id) === id) ?? null);
  }

  /** A resource, or all items of a list; null where it answers 404, undefined where it is refused. */
  #read(op: AnyOperation, path: Readonly<Record<string, string>>): Promise<unknown> {
    const { input } = requestFor(op, path);
    const key = `${op.id} ${JSON.stringify(input.path)}`;
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

/** As policies name it. */
function nameOf({ printed }: Kind): string {
  return printed.argument;
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

/** The first of some operations whose path parameters are all known. */
function firstKnown(
  ids: readonly string[],
  path: Readonly<Record<string, string>>,
): AnyOperation | undefined {
  return operations.find(
    (op) => ids.includes(op.id) && pathParameters(op.path).every((name) => path[name] !== undefined),
  );
}

function at(resource: Resource | null, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), resource);
}
