import { type SpaceSource, sourceLists, spacesIn, withoutPermissions } from '../api/organization-spaces.js';
import type { Space } from '../api/resources/spaces.js';
import { DocsError } from '../base/errors.js';
import { type OrganizationSnapshot, organization } from './organization.js';
import { Tasks } from './tasks.js';
import { hasId, itemWithoutId, type Reading, type Unread, unreadOf } from './unread.js';

/**
 * The spaces of an organization, from the lists that have some. A list that cannot be read is reported, and the
 * others are read.
 */

/** What has been read of a list: what is kept of its spaces, by id and in its order. */
interface SpaceList<T> {
  source: SpaceSource;
  spaces: Map<string, T>;
  unread: Unread[];
}

/** Lists of spaces, read at once, each space handed over as soon as a list has it. Results are in their order. */
export class SpaceWalk<T> {
  readonly #reading: Reading;
  readonly #tasks: Tasks;
  readonly #keep: (space: Space, source: SpaceSource) => T;
  readonly #organization: OrganizationSnapshot;
  /** By kind of list: what the list of lists gave, and each of its lists. */
  readonly #kinds: { unread: Unread[]; lists: SpaceList<T>[] }[] = [];

  /**
   * @param keep called with each space of each list, so several times with some; returns what is kept of it
   * @param whole what the lists of lists are read by
   */
  constructor(
    reading: Reading,
    tasks: Tasks,
    keep: (space: Space, source: SpaceSource) => T,
    whole: OrganizationSnapshot = organization(reading),
  ) {
    this.#reading = reading;
    this.#tasks = tasks;
    this.#keep = keep;
    this.#organization = whole;
  }

  /**
   * Adds the reads of what the spaces of the organization are in: collections, sites, and what some administrators
   * can access. A space in none of them cannot be found; while one of them is unread, one that was not found may exist.
   */
  begin(): this {
    const { organizationId, signal } = this.#reading;
    for (const [kind, sourcesOf] of Object.entries(sourceLists)) {
      const own = this.#newKind();
      this.#tasks.add(async () => {
        try {
          for await (const source of sourcesOf(this.#organization.client, organizationId))
            this.#add(source, own.lists);
        } catch (cause) {
          own.unread.push(unreadOf(cause, signal, { kind, id: organizationId }));
        }
      }, true);
    }
    return this;
  }

  /** Adds the reads of these lists. */
  beginWith(sources: readonly SpaceSource[]): this {
    const { lists } = this.#newKind();
    for (const source of sources) this.#add(source, lists);
    return this;
  }

  get lists(): SpaceList<T>[] {
    return this.#kinds.flatMap(({ lists }) => lists);
  }

  /** Ids of the spaces, each once, in the order of the lists. */
  get order(): string[] {
    return [...new Set(this.lists.flatMap(({ spaces }) => [...spaces.keys()]))];
  }

  get unread(): Unread[] {
    return this.#kinds.flatMap(({ unread, lists }) => [...unread, ...lists.flatMap((list) => list.unread)]);
  }

  #newKind(): { unread: Unread[]; lists: SpaceList<T>[] } {
    const kind = { unread: [], lists: [] };
    this.#kinds.push(kind);
    return kind;
  }

  #add(source: SpaceSource, lists: SpaceList<T>[]): void {
    const list: SpaceList<T> = { source, spaces: new Map(), unread: [] };
    lists.push(list);
    this.#tasks.add(() => this.#readList(list), true);
  }

  async #readList({ source, spaces, unread }: SpaceList<T>): Promise<void> {
    const { client, organizationId, signal } = this.#reading;
    try {
      for await (const page of spacesIn(client, organizationId, source)) {
        for (const space of page.items) {
          if (!hasId(space)) throw itemWithoutId('space');
          const own = source.kind === 'member' ? withoutPermissions(space) : space;
          spaces.set(space.id, this.#keep(own, source));
        }
        unread.push(...(page.hidden ?? []).map((one) => hidden(one, source)));
      }
    } catch (cause) {
      unread.push(unreadOf(cause, signal, source));
    }
  }
}

/** The platform tells no id of such a space: the site and the site space are what can be looked up. */
export function hidden({ id, title }: { id: string; title: string }, site: SpaceSource): Unread {
  const message = `site ${site.title ?? site.id} (${site.id}) lists a space that this token cannot see`;
  return { kind: 'site-space', id, title, error: new DocsError('forbidden', 'hidden_space', message) };
}

export interface Listed<T> {
  spaces: T[];
  unread: Unread[];
}

/** The spaces of a collection by id, in the order of the platform. */
export interface Order {
  collection: string;
  items: string[];
}

/**
 * Every space of the organization that can be found, once each, in the order of the lists.
 * @param keep what is kept of a space
 * @returns with the order in each collection whose list was read in full
 */
export async function allSpaces<T>(
  reading: Reading,
  keep: (space: Space) => T,
  whole?: OrganizationSnapshot,
): Promise<Listed<T> & { orders: Order[] }> {
  const tasks = new Tasks(reading.concurrency);
  const walk = new SpaceWalk(reading, tasks, keep, whole).begin();
  await tasks.ended();
  const found = new Map(walk.lists.flatMap(({ spaces }) => [...spaces]));
  const orders = walk.lists.flatMap(({ source: { kind, id: collection }, spaces, unread }): Order[] =>
    kind === 'collection' && unread.length === 0 ? [{ collection, items: [...spaces.keys()] }] : [],
  );
  // The lists of lists first: they leave most unknown.
  const unread = walk.unread.toSorted((one, other) => Number(isUnlisted(other)) - Number(isUnlisted(one)));
  return { spaces: [...found.values()], unread, orders };
}

/** The spaces that were asked for; nothing at all is the whole organization. */
export interface Scope {
  spaces: readonly string[];
  collections: readonly string[];
  sites: readonly string[];
}

export function isWhole({ spaces, collections, sites }: Scope): boolean {
  return spaces.length + collections.length + sites.length === 0;
}

/**
 * Every space of the scope once: those named, then those of collections, then those of sites.
 * @param keep what is kept of a space; of a named one that is in no list, its id
 * @throws DocsError if nothing is found where a list of lists could not be read
 */
export async function spacesOfScope<T>(
  reading: Reading,
  scope: Scope,
  keep: (space: Space) => T,
): Promise<Listed<T | { id: string }>> {
  if (isWhole(scope)) {
    const all = await allSpaces(reading, keep);
    orUnlisted(all.spaces.length, all.unread);
    return all;
  }
  const tasks = new Tasks(reading.concurrency);
  const { lists } = new SpaceWalk(reading, tasks, keep).beginWith([
    ...scope.collections.map((id) => ({ kind: 'collection' as const, id })),
    ...scope.sites.map((id) => ({ kind: 'site' as const, id })),
  ]);
  await tasks.ended();
  const found = new Map<string, T | { id: string }>(scope.spaces.map((id) => [id, { id }]));
  for (const [id, space] of lists.flatMap(({ spaces }) => [...spaces])) found.set(id, space);
  return { spaces: [...found.values()], unread: lists.flatMap(({ unread }) => unread) };
}

function isUnlisted({ kind }: Unread): boolean {
  return kind in sourceLists;
}

/** @throws DocsError why a list of lists could not be read, where no space was found */
export function orUnlisted(spaces: number, unread: readonly Unread[]): void {
  const unlisted = unread.find(isUnlisted);
  if (spaces === 0 && unlisted !== undefined) throw unlisted.error;
}
