import { DocsError } from '../../../base/errors.js';
import type { FileEntry } from '../folder/manifest.js';
import { computedPages, contentKey, recomputed } from './computed.js';
import { type KnownContent, knownContent, type Owner, readPages, revisionOf } from './content.js';
import type { Gathering } from './gathering.js';

/** The content of the last run, as far as it is still what the platform has. */

export interface LastContent {
  /** What it was read by; undefined if it cannot be kept. */
  key: string | undefined;
  /** The key of what has a key of its own. */
  keyWith(own: string): string;
  isContent(entry: FileEntry): boolean;
}

export interface Keeping {
  /** Whether, of content with computed pages that changed, these alone are read. */
  readsRecomputed: boolean;
  /** Whether content of another revision is kept, too: it is only compared. */
  keepsOther: boolean;
  known: KnownContent | undefined;
}

export interface KeptContent {
  content: KnownContent | undefined;
  key: string | undefined;
  /** Whether pages were read. */
  reads: boolean;
}

/**
 * Keeps the files of content that is as it was.
 * @param revision of the content now
 * @returns undefined if all of it must be read
 */
export async function keepContent(
  gathering: Gathering,
  owner: Owner,
  revision: string,
  last: LastContent,
  keeping: Keeping,
): Promise<KeptContent | undefined> {
  const { key, isContent } = last;
  if (key === undefined && !keeping.keepsOther) return undefined;
  const content = await contentOnDisk(gathering, owner);
  const isSame = key?.split(' ')[0] === revision;
  if (content !== undefined && isSame)
    return keepSameRevision(gathering, owner, { revision, content }, last, keeping);
  if (!keeping.keepsOther) return undefined;
  await gathering.keep(isContent);
  return { content, key, reads: false };
}

/** Of the same revision only computed pages may have changed: these are read. Returns as `keepContent`. */
async function keepSameRevision(
  gathering: Gathering,
  owner: Owner,
  { revision, content }: { revision: string; content: KnownContent },
  last: LastContent,
  { readsRecomputed, keepsOther, known }: Keeping,
): Promise<KeptContent | undefined> {
  const now = content.computed.length === 0 ? undefined : await revisionOf(gathering, owner);
  const computed = computedPages(now?.pages ?? []);
  const stale = recomputed(content.computed, computed);
  const key = last.keyWith(contentKey(revision, computed));
  if (now === undefined || stale.size === 0) {
    if (key !== last.key && !keepsOther) return undefined;
    const areKept = await gathering.keep(last.isContent);
    return areKept || keepsOther ? { content, key, reads: false } : undefined;
  }
  if (!readsRecomputed) return undefined;
  const stays = (entry: FileEntry) =>
    last.isContent(entry) && entry.kind !== 'content' && !stale.has(entry.id ?? '');
  if (!(await gathering.keep(stays)) && !keepsOther) return undefined;
  await readPages(gathering, owner, known, now, ({ id }) => stale.has(id) && isHeld(gathering, owner, id));
  return { content: knownContent(now), key, reads: true };
}

/** Whether the last run has a page; a change request has only those that differ from its space. */
function isHeld(gathering: Gathering, { changeRequestId }: Owner, page: string): boolean {
  const isPage = ({ kind, id, changeRequest }: FileEntry) =>
    kind === 'page' && id === page && changeRequest === changeRequestId;
  return gathering.last(isPage) !== undefined;
}

/** From its `content.json`; undefined if that cannot be parsed. */
async function contentOnDisk({ reading, at }: Gathering, owner: Owner): Promise<KnownContent | undefined> {
  try {
    const text = await reading.folder.text(`${at}${owner.at}content.json`);
    return text === undefined ? undefined : knownContent(JSON.parse(text));
  } catch (cause) {
    if (cause instanceof DocsError) throw cause;
    return undefined;
  }
}
