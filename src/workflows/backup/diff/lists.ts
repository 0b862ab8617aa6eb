import { createHash } from 'node:crypto';
import { defined } from '../../../defined.js';
import { DocsError } from '../../../errors.js';
import type { Folder } from '../folder/folder.js';
import { linesOf } from '../folder/json-files.js';
import type { Difference } from '../report.js';

/** An item as it is compared. */
export interface Listed {
  id: string;
  title?: string;
  value: unknown;
}

/** Where a list is; without a path if there is none. */
interface Place {
  folder: Folder;
  path: string | undefined;
}

/**
 * Compares two lists item by item. Of the earlier one only ids and hashes are held.
 * @throws DocsError configuration `bad_list` if a line is not JSON
 */
export async function* compareLists(
  before: Place,
  after: Place,
  kind: string,
  item: (value: unknown) => Listed,
): AsyncGenerator<Difference> {
  const old = new Map<string, { hash: string; title: string | undefined }>();
  for await (const { id, title, value } of itemsOf(before, item)) old.set(id, { hash: hashOf(value), title });
  for await (const { id, title, value } of itemsOf(after, item)) {
    const known = old.get(id);
    old.delete(id);
    const change = known === undefined ? ('added' as const) : ('changed' as const);
    if (known?.hash !== hashOf(value)) yield defined({ change, kind, id, title });
  }
  for (const [id, { title }] of old) yield defined({ change: 'removed' as const, kind, id, title });
}

async function* itemsOf({ folder, path }: Place, item: (value: unknown) => Listed): AsyncGenerator<Listed> {
  const bytes = path === undefined ? undefined : await folder.read(path);
  if (bytes === undefined) return;
  try {
    for await (const line of linesOf(bytes)) yield item(line);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const message = `${folder.root}/${path} is damaged: not valid JSON`;
    throw new DocsError('configuration', 'bad_list', message, { outcome: 'not-sent' });
  }
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
