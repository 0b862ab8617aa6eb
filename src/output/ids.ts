import { DocsError } from '../errors.js';
import { plainText } from './cells.js';
import { valueAt } from './fields.js';
import type { ItemFormat } from './item-format.js';
import { line } from './tsv.js';

/**
 * Ids alone, one a line, for pipes.
 * @param path dotted path of the id
 * @throws DocsError `no_id` (exit 15) for an item without one: a list of ids must never be silently short
 */
export function idFormat(path: string): ItemFormat {
  const id = (item: unknown) => {
    const text = plainText(valueAt(item, path));
    if (text === '')
      throw new DocsError('bad-response', 'no_id', `An item in the response has no "${path}".`);
    return line([text]);
  };
  return { items: (values) => values.map(id).join(''), one: id };
}
