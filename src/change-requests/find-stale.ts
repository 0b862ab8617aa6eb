import {
  type CommentReply,
  listChangeRequestCommentReplies,
  listChangeRequestComments,
} from '../api/resources/comments.js';
import { withoutFinalSlashes } from '../base/characters.js';
import { usageError } from '../base/errors.js';
import { nameKey } from '../base/name.js';
import { discussionQuery } from '../jobs/rules/discussions.js';
import { readAll } from '../jobs/sequence.js';
import type { Shard } from '../shards/shard.js';
import { type RequestStatus, requestsOf, type SpaceRequest } from '../snapshot/change-requests.js';
import { allItems, type Reading, type Unread, unreadOf } from '../snapshot/unread.js';
import { type Decision, type Discussion, decide, mayBeWarning, msOf, type Terms } from './stale.js';

/** Reads change requests and decides what becomes of each. Sends nothing but reads. */

/** By what change requests are found stale. */
interface StaleTerms extends Omit<Terms, 'nowMs' | 'warner'> {
  reading: Reading;
  exempt: Exempt;
  /** The member whose comments count as warnings; asked for where a comment carries a marker. */
  warner(authors: readonly string[]): Promise<string>;
  /** This machine's clock, for where the platform has not told its own. */
  nowMs(): number;
}

export interface StaleRequest extends StaleTerms {
  /** Ids; none for all spaces. */
  spaces: readonly string[];
  statuses: readonly RequestStatus[];
  /** Only in spaces of this part. */
  shard?: Shard | undefined;
}

export interface Stale extends Decision {
  request: SpaceRequest;
  discussion: NonNullable<Discussed['discussion']>;
}

export interface StaleSearch {
  /** From the one that has been left alone longest. */
  stale: Stale[];
  /** Change requests that were read, stale or not. */
  read: number;
  unread: Unread[];
  /** Entries of the exempt list that name none of them. */
  unmatched: Entry[];
  nowMs: number;
  /** Whose comments count as warnings, where that was asked. */
  warner?: string;
}

/** @throws DocsError as `requestsOf`; what `warner` throws */
export async function findStale(asked: StaleRequest): Promise<StaleSearch> {
  const { reading, spaces, statuses, shard } = asked;
  const found = await staleAmong(await requestsOf(reading, spaces, statuses, shard), asked);
  // They may name one of another part.
  return shard === undefined ? found : { ...found, unmatched: [] };
}

/** Which of the change requests are stale or were warned. @throws what `warner` throws */
export async function staleAmong(
  { requests, unread }: { requests: readonly SpaceRequest[]; unread: readonly Unread[] },
  asked: StaleTerms,
): Promise<StaleSearch> {
  const { reading, exempt, olderThanMs } = asked;
  const nowMs = reading.client.platformNowMs ?? asked.nowMs();
  const exemptions = new Map(requests.map((request) => [request, exempt.of(request)]));
  // A warning is an open comment unless somebody resolved it; what is younger than the limit cannot be stale.
  const isOld = (moment: string) => nowMs - msOf(moment, nowMs) >= olderThanMs;
  const mayMatter = ({ createdAt, updatedAt, comments }: SpaceRequest) =>
    isOld(createdAt) && (comments !== 0 || isOld(updatedAt));
  const discussed = await discussionsOf(reading, requests.filter(mayMatter));
  const terms: Terms = { ...asked, nowMs, warner: await warnerOf(asked, discussed) };
  const stale = discussed.flatMap(({ request, discussion }): Stale[] => {
    if (discussion === undefined) return [];
    const found = decide(request, discussion, terms, exemptions.get(request));
    return found === undefined ? [] : [{ ...found, request, discussion }];
  });
  const missed = discussed.flatMap((one) => (one.discussion === undefined ? [one.unread] : []));
  return {
    stale: stale.sort((a, b) => a.lastMs - b.lastMs),
    read: requests.length,
    unread: [...unread, ...missed],
    unmatched: exempt.unmatched,
    nowMs,
    warner: terms.warner,
  };
}

/** Whose token it is matters only where there is something that looks like a warning. */
async function warnerOf(asked: StaleTerms, discussed: readonly Discussed[]): Promise<string | undefined> {
  const comments = discussed.flatMap(({ discussion }) => discussion?.comments ?? []);
  const authors = comments.filter(mayBeWarning).map(({ postedBy }) => postedBy.id);
  return authors.length === 0 ? undefined : asked.warner([...new Set(authors)]);
}

/** A change request with its discussion; or why that could not be read. */
type Discussed = { request: SpaceRequest } & (
  | { discussion: Discussion }
  | { discussion?: undefined; unread: Unread }
);

/** The discussions, in the order of the change requests. */
function discussionsOf(reading: Reading, requests: readonly SpaceRequest[]): Promise<Discussed[]> {
  return readAll(reading, requests, async (request): Promise<Discussed> => {
    try {
      return { request, discussion: await discussionOf(reading, request) };
    } catch (cause) {
      const what = {
        kind: 'change-request',
        id: request.id,
        title: request.subject,
        space: request.space.id,
      };
      return { request, unread: unreadOf(cause, reading.signal, what) };
    }
  });
}

async function discussionOf({ client }: Reading, { id, space }: SpaceRequest): Promise<Discussion> {
  const path = { spaceId: space.id, changeRequestId: id };
  const comments = await allItems(client.call(listChangeRequestComments, { path, query: discussionQuery }));
  const replies = new Map<string, CommentReply[]>();
  for (const comment of comments.filter((one) => one.replies > 0)) {
    const at = { path: { ...path, commentId: comment.id } };
    replies.set(comment.id, await allItems(client.call(listChangeRequestCommentReplies, at)));
  }
  return { comments, replies };
}

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
    return `//${host}${withoutFinalSlashes(pathname)}`;
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
