import { type DocsError, usageError } from '../errors.js';

/** Characters of JSON beyond which jq cannot hold the values, in the 256 MB that it has. */
export const mostFiltered = 64 << 20;

/** A list that jq cannot hold. */
export function tooLargeToFilter(): DocsError {
  const message =
    '--jq filters the whole list at once, and this one does not fit into its memory. Nothing was printed. ' +
    'Pass --fields to read less of each item, or print the list with -o ndjson and filter that.';
  return usageError('jq_too_large', message);
}
