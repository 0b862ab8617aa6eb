import { defined } from '../../base/values.js';
import { allSpaces } from '../../snapshot/spaces.js';
import { type Reading, type Unread, unreadOf } from '../../snapshot/unread.js';
import { inWindows, linkPages, pagesOf } from './read-links.js';
import {
  AddressBook,
  type FoundPage,
  type FoundSpace,
  type Link,
  type LinkStatus,
  type LinkTarget,
  type LinkVia,
  placesOf,
  resourceNames,
  targetOf,
} from './reference.js';

/** A link from elsewhere to something that is to change. */
export interface InboundLink {
  from: {
    space: { id: string; title: string };
    page?: { id: string; title?: string; path?: string; url?: string };
  };
  to: LinkTarget;
  via: LinkVia;
  /** As the platform tells it today: `broken` is broken already, whatever becomes of the target. */
  status: LinkStatus;
}

/** What links are looked for. */
interface InboundTargets {
  /** Links to anything in these spaces. */
  spaces?: ReadonlySet<string>;
  /** Links to addresses that begin with one of these, up to a `/`, `?`, `#` or the end. */
  addresses?: readonly string[];
  /** Addresses below one of these lead elsewhere, although they begin with one of `addresses`. */
  otherAddresses?: readonly string[];
}

/** What is kept of a space: its address in the app tells the host of the app. */
type LinkingSpace = FoundSpace & { app?: string };

interface Inbound {
  links: InboundLink[];
  /** Spaces whose links could not be read, and lists that spaces may be in. */
  unread: Unread[];
  /** Spaces whose links were read. */
  read: number;
}

export interface InboundOptions {
  /** Called after each space, with the number read and of all. */
  onSpace?: (read: number, of: number) => void;
}

/**
 * Finds the links to something from all other spaces of the organization: by reference, by addresses in the app
 * whatever their form, and by the published addresses that are wanted. Links within one of the wanted spaces are
 * left out: they go with it. The links of each space are read once.
 * @throws DocsError where the token is refused or the run is interrupted
 */
export async function readInbound(
  reading: Reading,
  wanted: InboundTargets,
  { onSpace }: InboundOptions = {},
): Promise<Inbound> {
  const all = await allSpaces(
    reading,
    ({ id, title, urls }): LinkingSpace => defined({ id, title, app: urls?.app }),
  );
  const spaces = all.spaces.filter(({ id }) => !wanted.spaces?.has(id));
  const search = searchOf(wanted, all.spaces);
  const found: Inbound = { links: [], unread: [...all.unread], read: 0 };
  const look = (space: LinkingSpace) => linksInto(reading, space, search);
  for await (const { links, unread } of inWindows(reading, spaces, look)) {
    found.links.push(...links);
    if (unread === undefined) found.read += 1;
    else found.unread.push(unread);
    onSpace?.(found.read, spaces.length);
  }
  return found;
}

interface Search {
  book: AddressBook;
  wants(to: LinkTarget, via: LinkVia | undefined): boolean;
}

function searchOf(wanted: InboundTargets, spaces: readonly LinkingSpace[]): Search {
  const book = new AddressBook();
  for (const { id, app } of spaces) book.addSpace(id, app);
  // Where a wanted space is in no list, addresses name it all the same.
  for (const id of wanted.spaces ?? []) book.addSpace(id, undefined);
  for (const address of wanted.otherAddresses ?? []) book.addPublished(address, elsewhere);
  for (const address of wanted.addresses ?? []) book.addPublished(address, { kind: 'address' });
  return {
    book,
    wants({ kind, space = '' }, via) {
      if (via === undefined) return false;
      if (via === 'published-address') return kind === 'address';
      return wanted.spaces?.has(space) === true;
    },
  };
}

/** Stands for what an address leads to that is not wanted. */
const elsewhere: LinkTarget = { kind: 'site' };

/** A space that fails half way is unread; what was found in it before is given all the same. */
async function linksInto(
  reading: Reading,
  { app: _, ...space }: LinkingSpace,
  { book, wants }: Search,
): Promise<{ links: InboundLink[]; unread?: Unread }> {
  const links: InboundLink[] = [];
  const from = { id: space.id, title: space.title ?? space.id };
  try {
    for await (const { items } of linkPages(reading, space.id)) {
      for (const link of items) {
        const { to, via } = targetOf(link, space.id, book);
        if (via === undefined || !wants(to, via)) continue;
        const { status } = link;
        for (const page of pagesOn(link))
          links.push({ from: defined({ space: from, page }), to, via, status });
      }
    }
  } catch (cause) {
    return { links, unread: unreadOf(cause, reading.signal, { kind: 'space', ...space }) };
  }
  return { links: await withPages(reading, space.id, links) };
}

/** The pages that have the link, with what their references tell. */
export function pagesOn(link: Link): (FoundPage | undefined)[] {
  return [...placesOf(link)].map(([id, place]) => {
    if (id === undefined) return undefined;
    const { title, path, url } = resourceNames(place);
    return defined({ id, title, path, url });
  });
}

/** Reads the pages of the space where references gave ids alone. */
async function withPages(reading: Reading, spaceId: string, links: InboundLink[]): Promise<InboundLink[]> {
  if (links.every(({ from: { page } }) => page === undefined || page.title !== undefined)) return links;
  const pages = await pagesOf(reading, spaceId);
  return links.map((link) => {
    const { page } = link.from;
    const known = page && pages.get(page.id);
    if (known === undefined) return link;
    const { file: _, ...told } = known;
    return { ...link, from: { ...link.from, page: told } };
  });
}
