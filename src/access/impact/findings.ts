import { callOne } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import { pathParameters } from '../../api/operation-facts.js';
import { type ChangeRequest, listChangeRequests } from '../../api/resources/change-requests.js';
import type { ContentPage } from '../../api/resources/content.js';
import { DocsError } from '../../base/errors.js';
import { readAll } from '../../jobs/sequence.js';
import { ruleOf } from '../../jobs/undo-rules.js';
import { operationsOf } from '../../model/operations.js';
import { type Resource, resourceOfObject } from '../../model/resources.js';
import { valueAt } from '../../output/fields.js';
import { type OrganizationSnapshot, organization } from '../../snapshot/organization.js';
import { allItems, type Reading, type Unread, unreadOf } from '../../snapshot/unread.js';
import type { InboundOptions } from '../links/inbound.js';
import type {
  Affected,
  DeadUrl,
  Dependent,
  Impact,
  ImpactAspect,
  ImpactLink,
  ImpactQuestion,
  Redirect,
  RoleChange,
} from './shapes.js';

/** Reads a thing by the operation that reads one of its kind. @throws DocsError if it cannot be read */
export function readThing({ client, organizationId }: Reading, thing: Affected): Promise<unknown> {
  const { gets, name } = resourceFor(thing);
  const op = operationsOf(gets).at(-1);
  if (op === undefined) throw new Error(`No request reads one ${name}.`);
  const own = pathParameters(op.path).at(-1) ?? '';
  return callOne(client, { op, input: { path: { organizationId, ...thing.within, [own]: thing.id } } });
}

/** @throws Error if no resource has this name */
export function resourceFor({ object }: Pick<Affected, 'object'>): Resource {
  const resource = resourceOfObject(object);
  if (resource === undefined) throw new Error(`${object} is not a resource.`);
  return resource;
}

/** A text at a dotted path. */
export function textAt(value: unknown, path: string): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : undefined;
}

/** A thing that something can be said of. */
type Titled = Pick<Dependent, 'id' | 'title'>;

/** What one look at an impact found so far. */
export class Findings {
  readonly things: Impact['things'] = [];
  target: Impact['target'];
  readonly links: ImpactLink[] = [];
  readonly urls: DeadUrl[] = [];
  readonly redirects: Redirect[] = [];
  readonly dependents: Dependent[] = [];
  readonly people: RoleChange[] = [];
  readonly unknown: Unread[] = [];
  readonly irreversible: string[] = [];
  /** The organization of the reading: what several questions need is read once. */
  readonly organization: OrganizationSnapshot;

  /**
   * @param aspects what to look for
   * @param onSpace called after the links of each space were read, with the number read and of all
   */
  constructor(
    readonly reading: Reading,
    private readonly aspects: ReadonlySet<ImpactAspect>,
    readonly onSpace?: InboundOptions['onSpace'],
  ) {
    this.organization = organization(reading);
  }

  /** Whether any of these is looked for. */
  wants(...aspects: ImpactAspect[]): boolean {
    return aspects.some((aspect) => this.aspects.has(aspect));
  }

  thing(affected: Affected, title: string): void {
    this.things.push({ ...affected, title });
  }

  /**
   * Reads the things themselves, and names them.
   * @param called what one is called, where that is not its title
   * @throws DocsError if one of them cannot be read
   */
  async read<T extends object>(things: readonly Affected[], called?: (one: T) => string): Promise<T[]> {
    const all = await readAll(this.reading, things, (thing) => readThing(this.reading, thing));
    for (const [at, one] of all.entries()) {
      const thing = things[at] as Affected;
      const { id, titles } = resourceFor(thing);
      const own = textAt(one, id) ?? thing.id;
      this.things.push({ ...thing, id: own, title: called?.(one as T) ?? textAt(one, titles[0]) ?? own });
    }
    return all as T[];
  }

  /** The same of things that are deleted: says what undo cannot bring back, too. */
  async deleted<T extends object>(things: readonly Affected[]): Promise<T[]> {
    const all = await this.read<T>(things);
    const [first] = things;
    const [deletion] = operationsOf((first && resourceFor(first).operations.delete) ?? []);
    if (deletion !== undefined) this.limitedUndo(deletion);
    return all;
  }

  /** Tells something that rests on what changes. */
  depends(kind: Dependent['kind'], { id, title }: Titled, what: string, refused?: true): void {
    this.dependents.push({ kind, id, title, what, refused });
  }

  /**
   * Reads something that may be refused; a failure counts as unknown.
   * @throws what all other reads would meet, too (`readFailure`)
   */
  async attempt<T>(what: Omit<Unread, 'error'>, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (cause) {
      this.unknown.push(unreadOf(cause, this.reading.signal, what));
      return undefined;
    }
  }

  /** All items of a list, as `attempt`. */
  items<T>(what: Omit<Unread, 'error'>, list: AsyncIterable<T>): Promise<T[] | undefined> {
    return this.attempt(what, () => allItems(list));
  }

  /** All items of a list of the organization. */
  own<T>(kind: string, list: AsyncIterable<T>): Promise<T[] | undefined> {
    return this.items({ kind, id: this.reading.organizationId }, list);
  }

  /** Says what undo leaves of a deletion. */
  limitedUndo(deletion: AnyOperation): void {
    const limit = undoLimit(deletion);
    if (limit !== undefined) this.irreversible.push(limit);
  }

  /** Tells that something cannot be known, though nothing failed. */
  cannotTell(what: Omit<Unread, 'error'>, code: string, message: string): void {
    this.unknown.push({ ...what, error: new DocsError('partial', code, message) });
  }

  /** Tells that a role may change which could not be read. */
  unknownRole({ id, email }: RoleChange['person'], space: RoleChange['space']): void {
    const what = { kind: 'role', id, title: email, space: space.id };
    this.cannotTell(what, 'role_unknown', `Today's role in ${space.title} could not be read; it may change.`);
  }

  impact(question: ImpactQuestion): Impact {
    const { things, target, links, urls, redirects, people, unknown, irreversible } = this;
    // What makes the rest idle comes first.
    const dependents = this.dependents.toSorted((a, b) => Number(b.refused ?? 0) - Number(a.refused ?? 0));
    const lists = { links, urls, redirects, dependents, people, looked: [...this.aspects], unknown };
    return { question, things, target, ...lists, irreversible: [...new Set(irreversible)] };
  }
}

/** What undo leaves of a deletion, by its rule: a sentence; undefined where undo is exact. */
export function undoLimit(op: AnyOperation): string | undefined {
  const { undo, why } = ruleOf(op).forecast({}, undefined);
  if (undo === 'exact') return undefined;
  const limit = undo === 'none' ? 'It cannot be undone' : 'Undoing the deletion is best effort';
  return why === undefined ? `${limit}.` : `${limit}: ${why}.`;
}

/**
 * Change requests of a space that are open or drafts; those that it counts none of are not asked for.
 * @param contributor only those that this member contributed to
 */
export async function pendingRequests(
  found: Findings,
  { id, title, ...counts }: { id: string; title: string; open: number; draft: number },
  contributor?: string,
): Promise<ChangeRequest[]> {
  const all: ChangeRequest[] = [];
  for (const status of ['open', 'draft'] as const) {
    if (counts[status] === 0) continue;
    const query = { status, contributor };
    const list = found.reading.client.call(listChangeRequests, { path: { spaceId: id }, query });
    const what = { kind: `${status}-change-requests`, id, title };
    // The platform may ignore the filter.
    all.push(...((await found.items(what, list)) ?? []).filter((one) => one.status === status));
  }
  return all;
}

/** How many pages of spaces are made from which OpenAPI spec, by its id or slug. */
export async function specsUsed(
  found: Findings,
  spaces: readonly { id: string }[],
  pagesOf: (spaceId: string) => Promise<readonly ContentPage[] | undefined>,
): Promise<Map<string, number>> {
  const uses = new Map<string, number>();
  for (const pages of await readAll(found.reading, spaces, ({ id }) => pagesOf(id)))
    for (const { computed } of pages ?? []) {
      const spec = computed?.dependencies?.spec?.ref.spec;
      if (spec !== undefined) uses.set(spec, (uses.get(spec) ?? 0) + 1);
    }
  return uses;
}
