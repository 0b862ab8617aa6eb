import type { CallOptions } from '../../api/client.js';
import { getChangeRequestContent, getChangeRequestPage } from '../../api/resources/change-request-content.js';
import { type ChangeRequest, getChangeRequest } from '../../api/resources/change-requests.js';
import { getContent, getPage } from '../../api/resources/content.js';
import type { ContentPage } from '../../api/resources/revisions.js';
import { getSpace, type Space } from '../../api/resources/spaces.js';
import { DocsError } from '../../base/errors.js';
import { readEach } from '../../jobs/in-order.js';
import { type Reading, readFailure } from '../../reading/reading.js';
import { type ContentChange, changeOf } from './change.js';
import { compareContent, type Difference, filesWithoutHash } from './compare-content.js';
import { compareTexts } from './compare-texts.js';
import { placedPages } from './placed-pages.js';

/** Reads what a change request changes, compared with the content that its space has now. */

export type ChangeReading = Pick<Reading, 'client' | 'concurrency' | 'signal'>;

/** Where a change request is. */
export interface RequestAt {
  spaceId: string;
  changeRequestId: string;
}

/** What is known before any text is read. */
export interface Opened {
  at: RequestAt;
  request: ChangeRequest;
  space: Space;
  differences: Difference[];
  /** Files that are taken for the same because name and size are. */
  bySize: number;
  /** Pages on each side, those below others included. */
  pages: ReadonlySet<string>;
}

/** Pages whose texts are read before what comes before them is printed. */
export const mostAhead = 16;

/**
 * @param about what the change request is in errors
 * @throws DocsError where the change request, the space, or a list of pages cannot be read
 */
export async function openChanges(
  { client }: ChangeReading,
  at: RequestAt,
  about: CallOptions = {},
): Promise<Opened> {
  const { spaceId } = at;
  const [request, space, before, after] = await Promise.all([
    client.call(getChangeRequest, { path: at }, about),
    client.call(getSpace, { path: { spaceId } }, about),
    client.call(getContent, { path: { spaceId } }, about),
    client.call(getChangeRequestContent, { path: at }, about),
  ]);
  const pages = new Set([...placedPages(before.pages).keys(), ...placedPages(after.pages).keys()]);
  const [differences, bySize] = [compareContent(before, after), filesWithoutHash(before, after)];
  return { at, request, space, differences, bySize, pages };
}

/**
 * The changes in order, each as soon as its texts are read; eight pages are read at once. A page that cannot be read
 * is `unknown`. Once the caller stops, nothing more is read.
 * @throws what would stop every other read, too
 */
export async function* readChanges(
  reading: ChangeReading,
  { at }: Opened,
  differences: readonly Difference[],
): AsyncGenerator<ContentChange> {
  const { concurrency } = reading;
  const read = (difference: Difference) => readChange(reading, at, difference);
  for await (const change of readEach({ concurrency, ahead: mostAhead }, differences, read))
    if (change.changes.length > 0) yield change;
}

/** One change with its text. @throws what would stop every other read, too */
export async function readChange(
  { client, signal }: ChangeReading,
  at: RequestAt,
  { change, reads }: Difference,
): Promise<ContentChange> {
  if (reads === 'none') return change;
  const query = { format: 'markdown' } as const;
  const { id: pageId } = change;
  const { spaceId } = at;
  try {
    const [before, after] = await Promise.all([
      reads === 'after' ? '' : client.call(getPage, { path: { spaceId, pageId }, query }).then(textOf),
      reads === 'before'
        ? ''
        : client.call(getChangeRequestPage, { path: { ...at, pageId }, query }).then(textOf),
    ]);
    const found = compareTexts(before, after);
    if (found === undefined) return { ...change, words: { added: 0, removed: 0 } };
    const changes = reads === 'both' ? [...change.changes, 'edited' as const] : change.changes;
    return { ...change, change: changeOf(changes), changes, ...found };
  } catch (cause) {
    const error = readFailure(cause, signal).toJSON() as ContentChange['error'];
    const changes = [...change.changes, 'unknown' as const];
    return { ...change, change: changeOf(changes), changes, ...(error && { error }) };
  }
}

/** @throws DocsError bad-response where the answer has only the structured content */
function textOf({ markdown, document }: ContentPage): string {
  if (markdown !== undefined || document === undefined) return markdown ?? '';
  throw new DocsError(
    'bad-response',
    'no_markdown',
    'The platform answered without the Markdown of the page.',
  );
}

/** Whether the change request or the space got other content since they were opened. */
export async function changedMeanwhile(
  { client }: ChangeReading,
  { at, request, space }: Opened,
): Promise<boolean> {
  const [now, spaceNow] = await Promise.all([
    client.call(getChangeRequest, { path: at }),
    client.call(getSpace, { path: { spaceId: at.spaceId } }),
  ]);
  return now.revision !== request.revision || spaceNow.revision !== space.revision;
}
