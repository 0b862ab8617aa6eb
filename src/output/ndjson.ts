import type { ItemFormat } from './item-format.js';
import { stringify, stringifyEach } from './json.js';

/** One item a line, each a whole JSON value. */
export function ndjsonFormat(): ItemFormat {
  return {
    items: (values) => (values.length === 0 ? '' : `${stringifyEach(values, '\n')}\n`),
    one: (value) => `${stringify(value)}\n`,
  };
}
