import { usageError } from '../../base/errors.js';
import { nameKey } from '../../base/name.js';
import type { SpaceRequest } from '../../snapshot/change-requests.js';

/** Change requests that are left alone, by id, `<space>/<number>` or address. */

export interface Entry {
  text: string;
  /** Where it was read: `keep.txt:3`. */
  place?: string;
}

/** The entries of a list: one a line; `#` begins a comment at the start of a line or after a blank. */
export function entriesIn(text: string, name: string): Entry[] {
  return text.split(/\r?\n/).flatMap((line, at) => {
    const own = line.replace(/(^|\s)#.*$/, '').trim();
    return own === '' ? [] : [{ text: own, place: `${name}:${at + 1}` }];
  });
}

export class Exempt {
  readonly #entries = new Map<string, Entry>();
  readonly #matched = new Set<string>();
  readonly #authors: ReadonlyMap<string, Entry>;

  /**
   * @param authors ids or emails
   * @throws DocsError usage `bad_exempt` where an entry is a number without a space
   */
  constructor(entries: readonly Entry[], authors: readonly string[] = []) {
    this.#authors = new Map(authors.map((text) => [keyOf(text), { text, place: '--exempt-author' }]));
    for (const entry of entries) {
      if (/^#?\d{1,9}$/.test(entry.text)) throw unplaced(entry);
      this.#entries.set(keyOf(entry.text), entry);
    }
  }

  /** Why a change request is exempt; undefined where it is not. */
  of(request: SpaceRequest): string | undefined {
    const found = namesOf(request)
      .map(keyOf)
      .filter((name) => this.#entries.has(name));
    for (const name of found) this.#matched.add(name);
    if (found.length > 0) return 'named by --exempt';
    const { id, email } = request.createdBy ?? {};
    const author = [id, email]
      .map((name) => name && keyOf(name))
      .find((name) => name && this.#authors.has(name));
    if (author === undefined) return undefined;
    this.#matched.add(author);
    return 'its author is exempt';
  }

  /** Entries that name none of the change requests asked for. */
  get unmatched(): Entry[] {
    return [...this.#entries, ...this.#authors].flatMap(([name, entry]) =>
      this.#matched.has(name) ? [] : [entry],
    );
  }
}

function namesOf({ id, number, space, urls }: SpaceRequest): string[] {
  const addresses = [urls?.app, urls?.location].filter((url) => url !== undefined);
  return [id, `${space.id}/${number}`, `${space.title}/${number}`, ...addresses];
}

/** Ids keep their case; titles, emails, and hosts of addresses, do not. */
function keyOf(text: string): string {
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) {
    const { host, pathname } = new URL(text);
    return `//${host}${pathname.replace(/\/+$/, '')}`;
  }
  const [, space, number] = /^(.*)\/#?(\d+)$/s.exec(text) ?? [];
  if (space !== undefined) return `${nameKey(space)}/${number}`;
  return /[/@]/.test(text) ? nameKey(text) : text;
}

function unplaced({ text, place }: Entry) {
  const where = place === undefined ? '' : ` (${place})`;
  const message = `--exempt: ${text} is a number without its space${where}; write <space>/${text.replace('#', '')}. Nothing was changed.`;
  return usageError('bad_exempt', message, { hint: 'docs change-requests stale --help' });
}
