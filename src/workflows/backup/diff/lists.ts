import { createHash } from 'node:crypto';
import { DocsError } from '../../../base/errors.js';
import { defined } from '../../../base/values.js';
import { stringify } from '../../../output/json.js';
import { linesOf } from '../folder/json-files.js';
import type { Difference } from '../report.js';
import { fieldsOf } from './fields.js';
import { changed } from './items.js';
import type { Files } from './side.js';

/** An item as it is compared. */
export interface Listed {
  id: string;
  title?: string;
  value: unknown;
}

/** Where a list is; without a path if there is none. */
interface Place {
  folder: Files;
  path: string | undefined;
}

/**
 * Compares two lists item by item. Only ids and hashes of the earlier one are held, and what changed; its
 * items that changed are read again.
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
  const now = new Map<string, Listed>();
  for await (const listed of itemsOf(after, item)) {
    const { id, title } = listed;
    const known = old.get(id);
    old.delete(id);
    if (known === undefined) yield defined({ change: 'added' as const, kind, id, title });
    else if (known.hash !== hashOf(listed.value)) now.set(id, listed);
  }
  if (now.size > 0)
    for await (const { id, value } of itemsOf(before, item)) {
      const later = now.get(id);
      if (later !== undefined) yield* changed({ kind, id, title: later.title }, fieldsOf(value, later.value));
    }
  for (const [id, { title }] of old) yield defined({ change: 'removed' as const, kind, id, title });
}

async function* itemsOf({ folder, path }: Place, item: (value: unknown) => Listed): AsyncGenerator<Listed> {
  for await (const line of linesIn(folder, path)) yield item(line);
}

/** The lines of a list; none if there is no such file. @throws DocsError configuration `bad_list` */
export async function* linesIn(folder: Files, path: string | undefined): AsyncGenerator<unknown> {
  const bytes = path === undefined ? undefined : await folder.read(path);
  if (bytes === undefined) return;
  try {
    yield* linesOf(bytes);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const message = `${folder.root}/${path} is damaged: not valid JSON`;
    throw new DocsError('configuration', 'bad_list', message, { outcome: 'not-sent' });
  }
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(stringify(value)).digest('base64');
}
