import { type SpaceSource, sourceLists, spacesIn, withoutPermissions } from '../api/organization-spaces.js';
import type { Space } from '../api/resources/spaces.js';
import { DocsError } from '../errors.js';
import { isObject } from '../is-object.js';
import { type Reading, type Unread, unreadOf } from './reading.js';
import { hidden } from './spaces.js';
import type { Tasks } from './tasks.js';

/** The spaces of the organization, each handed over as soon as a list has it, while other lists are read. */

/** What has been read of a list: the ids of its spaces, and what could not be read. */
interface ListSoFar {
  spaces: string[];
  unread: Unread[];
}

/** The lists in their order, whenever each of them is answered. */
export class SpaceWalk {
  readonly #reading: Reading;
  readonly #tasks: Tasks;
  readonly #visit: (space: Space) => void;
  /** By kind of list: what the list of lists gave, and each of its lists. */
  readonly #kinds: { unread: Unread[]; lists: ListSoFar[] }[] = [];

  /** @param visit called with each space of each list, so several times with some */
  constructor(reading: Reading, tasks: Tasks, visit: (space: Space) => void) {
    this.#reading = reading;
    this.#tasks = tasks;
    this.#visit = visit;
  }

  /** Adds the reads of all lists to the tasks. */
  begin(): void {
    const { client, organizationId, signal } = this.#reading;
    for (const [kind, sourcesOf] of Object.entries(sourceLists)) {
      const own = { unread: [] as Unread[], lists: [] as ListSoFar[] };
      this.#kinds.push(own);
      this.#tasks.add(async () => {
        try {
          for await (const source of sourcesOf(client, organizationId)) {
            const list: ListSoFar = { spaces: [], unread: [] };
            own.lists.push(list);
            this.#tasks.add(() => this.#readList(source, list), true);
          }
        } catch (cause) {
          own.unread.push(unreadOf(cause, signal, { kind, id: organizationId }));
        }
      }, true);
    }
  }

  /** Ids of the spaces, each once, in the order of the lists. */
  get order(): string[] {
    return [...new Set(this.#kinds.flatMap(({ lists }) => lists.flatMap(({ spaces }) => spaces)))];
  }

  get unread(): Unread[] {
    return this.#kinds.flatMap(({ unread, lists }) => [...unread, ...lists.flatMap((list) => list.unread)]);
  }

  async #readList(source: SpaceSource, list: ListSoFar): Promise<void> {
    const { client, organizationId, signal } = this.#reading;
    try {
      for await (const page of spacesIn(client, organizationId, source)) {
        for (const space of page.items) {
          if (!hasId(space)) throw itemWithoutId('space');
          list.spaces.push(space.id);
          this.#visit(source.kind === 'member' ? withoutPermissions(space) : space);
        }
        list.unread.push(...(page.hidden ?? []).map((one) => hidden(one, source)));
      }
    } catch (cause) {
      list.unread.push(unreadOf(cause, signal, source));
    }
  }
}

/** Whether an answer can be told from others of its kind; whatever else it lacks. */
export function hasId(value: unknown): value is { id: string } {
  return isObject(value) && typeof value.id === 'string' && value.id !== '';
}

export function itemWithoutId(noun: string): DocsError {
  const message = `The platform listed a ${noun} without an id.`;
  return new DocsError('bad-response', 'wrong_shape', message, { outcome: 'done', hint: 'docs doctor' });
}
