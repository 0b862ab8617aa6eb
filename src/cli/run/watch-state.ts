import type { DocsError } from '../../base/errors.js';
import { valueAt } from '../../output/fields.js';
import type { Session } from '../declare/session.js';
import type { Watched } from '../declare/watched.js';
import type { Look } from './watch-look.js';

/** What of a watched command moves, and when it rests. */
export class WatchState {
  readonly #watched: Watched;
  /** State by key: of the resources, and of the rows that are printed. */
  #resources: ReadonlyMap<string, string> = new Map();
  #rows: ReadonlyMap<string, string> = new Map();
  /** Keys of what moved while it was watched. */
  readonly #moved = new Set<string>();

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  /**
   * Takes in a reading.
   * @returns the rows that are new or whose state is, whether anything is another than before, and whether all rests
   */
  take({ resources, rows, view, missed }: Look): { rows: unknown[]; changed: boolean; isFinal: boolean } {
    const keyed = keys(resources, view.id);
    const states = new Map(keyed.map(([key, item]) => [key, this.#stateOf(item)]));
    const changed = !isSame(states, this.#resources);
    for (const [key, item] of keyed) if (!this.#rests(item)) this.#moved.add(key);
    const rowStates = keys(rows, view.id).map(([key, row]) => [key, this.#stateOf(row), row] as const);
    const fresh = rowStates.filter(([key, state]) => this.#rows.get(key) !== state).map(([, , row]) => row);
    this.#resources = states;
    this.#rows = new Map(rowStates.map(([key, state]) => [key, state]));
    const isFinal = missed === undefined && this.ends && resources.every((item) => this.#rests(item));
    return { rows: fresh, changed, isFinal };
  }

  /** Whether it ends by itself. */
  get ends(): boolean {
    return this.#watched.final !== undefined;
  }

  /** The failure that the state at rest is. */
  async failure(session: Session, { resources, view }: Look): Promise<DocsError | undefined> {
    const { failure, history } = this.#watched;
    const counting = keys(resources, view.id).filter(([key]) => history !== true || this.#moved.has(key));
    return (await failure?.())?.(
      session,
      counting.map(([, item]) => item),
    );
  }

  #rests(item: unknown): boolean {
    const { field, moving, final = [], error } = this.#watched;
    const value = String(valueAt(item, field));
    if (final.includes(value)) return true;
    return error !== undefined && !moving.includes(value) && valueAt(item, error) !== undefined;
  }

  /** A row without the field, such as an item of a job, is compared as a whole. */
  #stateOf(item: unknown): string {
    const { field, error } = this.#watched;
    const value = valueAt(item, field);
    if (value === undefined) return JSON.stringify(item) ?? '';
    return JSON.stringify([value, error === undefined ? null : (valueAt(item, error) ?? null)]);
  }
}

/** Items by their id; those without one, or with that of another, by their place. */
function keys(items: readonly unknown[], id = 'id'): [key: string, item: unknown][] {
  const known = new Map<string, unknown>();
  for (const [at, item] of items.entries()) {
    const own = valueAt(item, id);
    const key = typeof own === 'string' ? `=${own}` : `#${at}`;
    known.set(known.has(key) ? `#${at}` : key, item);
  }
  return [...known];
}

function isSame(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([key, state]) => other.get(key) === state);
}
