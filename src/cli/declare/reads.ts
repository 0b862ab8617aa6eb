import type { CallOptions, Client, LooseInput, Page } from '../../api/client.js';

/** How declarations say what is read. */

/**
 * How a value names a text that is read: it is the path itself, or `-`; `@file` or `-` in place of the value;
 * `name=@file`; a path, unless it is a URL; or a path, `@path` or `-`, unless it is a JSON object.
 */
export type ReadsText = 'path' | 'at' | 'pair' | 'unless-url' | 'unless-json';

/** Reads the pages of a list. */
export type ReadPages = (
  client: Client,
  input: LooseInput,
  options: CallOptions,
) => AsyncIterable<Page<unknown>>;
