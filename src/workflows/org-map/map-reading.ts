import type { SpaceSource } from '../../api/organization-spaces.js';
import { listPages } from '../../api/resources/content.js';
import type { Space } from '../../api/resources/spaces.js';
import { type Reading, type Unread, unreadOf } from '../../reading/reading.js';
import { Tasks } from '../../reading/tasks.js';
import { type OrganizationSnapshot, organization } from '../../snapshot/organization.js';
import { SpaceWalk } from '../../snapshot/spaces.js';
import { type Found, nothingFound } from './found.js';
import type { MapPart } from './nodes.js';

export interface MapQuestion {
  parts: ReadonlySet<MapPart>;
  /** Whether the pages of each space are counted: one request more for each. */
  pages: boolean;
  /** Whether names and emails of members are kept. */
  people: boolean;
}

/** The lists that have spaces, those that tell most of them first. */
const sourceRanks = { collection: 0, site: 1, member: 2 } as const;

/** What is under way, and what was found so far. */
export class MapReading {
  readonly reading: Reading;
  readonly organization: OrganizationSnapshot;
  readonly question: MapQuestion;
  readonly found: Found;
  readonly #tasks: Tasks;
  readonly #ranks = new Map<string, number>();

  constructor(reading: Reading, question: MapQuestion) {
    this.reading = reading;
    this.organization = organization(reading);
    this.question = question;
    this.found = nothingFound(reading.organizationId);
    this.#tasks = new Tasks(reading.concurrency);
  }

  /** @throws as `readFailure` */
  ended(): Promise<void> {
    return this.#tasks.ended();
  }

  /**
   * Adds a read whose failure is reported.
   * @param parts what lacks it then, as far as it is asked for
   */
  add(
    parts: readonly MapPart[],
    what: Omit<Unread, 'error'>,
    read: (reading: Reading) => Promise<void>,
    isUrgent = true,
  ): void {
    this.#tasks.add(async () => {
      try {
        await read(this.reading);
      } catch (cause) {
        this.missed(parts, unreadOf(cause, this.reading.signal, what));
      }
    }, isUrgent);
  }

  missed(parts: readonly MapPart[], unread: Unread, node = unread.id): void {
    const own = parts.filter((part) => this.question.parts.has(part));
    const isNode = node !== this.reading.organizationId;
    this.found.missing.push({ parts: own, ...(isNode && { node }), unread });
  }

  /** Adds the reads of all lists that have spaces. What they list is held in any case, so it is read once. */
  walk(): SpaceWalk<void> {
    const { organization: whole, reading } = this;
    const keep = (space: Space, { kind }: SpaceSource) => this.#visit(space, kind);
    return new SpaceWalk({ ...reading, client: whole.client }, this.#tasks, keep, whole).begin();
  }

  /** Keeps a space that a list has, and counts its pages where that is asked for. */
  #visit(space: Space, from: SpaceSource['kind']): void {
    const { spaces } = this.found;
    const known = this.#ranks.get(space.id);
    const rank = sourceRanks[from];
    if (known === undefined || rank < known) {
      spaces.set(space.id, space);
      this.#ranks.set(space.id, rank);
    }
    if (known === undefined && this.question.pages && this.question.parts.has('spaces')) this.#count(space);
  }

  #count({ id, title }: Space): void {
    const read = async ({ client }: Reading) => {
      const { pages } = await client.call(listPages, { path: { spaceId: id } });
      this.found.pages.set(id, countPages(pages));
    };
    this.add(['spaces'], { kind: 'pages-of-space', id, title }, read, false);
  }
}

interface Tree {
  pages?: readonly Tree[];
}

/** Pages at all depths. A stack, because a tree may be deeper than the call stack. */
function countPages(roots: readonly Tree[]): number {
  let count = 0;
  const waiting = [...roots];
  for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
    count += 1;
    for (const below of page.pages ?? []) waiting.push(below);
  }
  return count;
}
