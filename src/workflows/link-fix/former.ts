import { packSource } from '../../backup/pack.js';
import { linkReader } from '../../backup/pack-links.js';
import type { BackupReader } from '../../backup/reader.js';
import { DocsError } from '../../base/errors.js';
import type { Named } from './named.js';

/** What a broken link led to when a backup was made. */
export interface Former {
  kind: 'page' | 'file' | 'space';
  id: string;
  title?: string;
}

export interface FormerTargets {
  /** @param pageId the page with the link, and its space */
  find(
    place: { spaceId: string; pageId: string },
    address: string,
    named: Named,
  ): Promise<Former | undefined>;
}

interface Kept {
  titles: ReadonlyMap<string, string>;
  read: ReturnType<typeof linkReader>;
}

/** Looks targets up in a backup; spaces that it lacks tell nothing. */
export function formerTargets(reader: BackupReader): FormerTargets {
  const spaces = new Map(reader.manifest.spaces.map((entry) => [entry.id, entry]));
  const read = new Map<string, Promise<Kept | undefined>>();
  const kept = (spaceId: string): Promise<Kept | undefined> => {
    const entry = spaces.get(spaceId);
    const known = read.get(spaceId) ?? (entry ? keptOf(reader, entry) : Promise.resolve(undefined));
    read.set(spaceId, known);
    return known;
  };
  return {
    async find({ spaceId, pageId }, address, { kind, id, space }) {
      if (kind === 'space' && id !== undefined) {
        const title = spaces.get(id)?.title;
        return { kind, id, ...(title !== undefined && { title }) };
      }
      if (kind !== undefined && id !== undefined) {
        const title = (await kept(space ?? spaceId))?.titles.get(id);
        return title === undefined ? undefined : { kind, id, title };
      }
      const own = await kept(spaceId);
      // Where the page was elsewhere or was not there, its paths led elsewhere.
      if (own === undefined || !own.titles.has(pageId)) return undefined;
      const found = own.read(pageId, '', address);
      if (found === undefined) return undefined;
      const title = own.titles.get(found.id);
      return { kind: found.kind, id: found.id, ...(title !== undefined && { title }) };
    },
  };
}

type Entry = BackupReader['manifest']['spaces'][number];

async function keptOf(reader: BackupReader, entry: Entry): Promise<Kept | undefined> {
  try {
    const source = await packSource(reader, entry, undefined);
    const titles = new Map(source.files.map(({ id, name }) => [id, name]));
    const waiting = [...source.pages];
    for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
      titles.set(page.id, page.title);
      waiting.push(...((page.pages ?? []) as typeof waiting));
    }
    return { titles, read: linkReader({ ...source, fileAt: () => undefined }) };
  } catch (cause) {
    if (cause instanceof DocsError && cause.kind === 'not-found') return undefined;
    throw cause;
  }
}
