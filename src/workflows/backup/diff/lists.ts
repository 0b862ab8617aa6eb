import { createHash } from 'node:crypto';
import { DocsError } from '../../../errors.js';
import type { Folder } from '../folder/folder.js';
import { linesOf } from '../folder/json-files.js';

/** Compares two lists, item by item. Of the earlier one only ids and hashes are held. */

/** An item as it is compared. */
export interface Listed {
  id: string;
  title?: string;
  /** What is compared. */
  value: unknown;
}

export interface ListDifference {
  change: 'added' | 'removed' | 'changed';
  id: string;
  title?: string;
}

/**
 * What was added, removed and changed.
 * @param before, after paths of the lists; undefined if there is none
 * @throws DocsError configuration `bad_list` if a line is not JSON
 */
export async function* compareLists(
  a: Folder,
  before: string | undefined,
  b: Folder,
  after: string | undefined,
  item: (value: unknown) => Listed,
): AsyncGenerator<ListDifference> {
  const old = new Map<string, { hash: string; title: string | undefined }>();
  for await (const { id, title, value } of itemsOf(a, before, item))
    old.set(id, { hash: hashOf(value), title });
  for await (const { id, title, value } of itemsOf(b, after, item)) {
    const known = old.get(id);
    old.delete(id);
    const change = known === undefined ? 'added' : known.hash === hashOf(value) ? undefined : 'changed';
    if (change !== undefined) yield { change, id, ...(title !== undefined && { title }) };
  }
  for (const [id, { title }] of old) yield { change: 'removed', id, ...(title !== undefined && { title }) };
}

async function* itemsOf(
  folder: Folder,
  path: string | undefined,
  item: (value: unknown) => Listed,
): AsyncGenerator<Listed> {
  const bytes = path === undefined ? undefined : await folder.read(path);
  if (bytes === undefined) return;
  try {
    for await (const line of linesOf(bytes)) yield item(line);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new DocsError('configuration', 'bad_list', `${folder.root}/${path} is damaged: not valid JSON`, {
      outcome: 'not-sent',
    });
  }
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
