import type { CallOptions, Client, LooseInput, Page } from '../../api/client.js';

/** How declarations say what is read. */

/**
 * How a value names a text that is read: it is the path itself, or `-`; `@file` or `-` in place of the value;
 * `name=@file`; or a path, unless it is a URL.
 */
export type ReadsText = 'path' | 'at' | 'pair' | 'unless-url';

/** Reads the pages of a list. */
export type ReadPages = (
  client: Client,
  input: LooseInput,
  options: CallOptions,
) => AsyncIterable<Page<unknown>>;
