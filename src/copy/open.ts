import { DocsError } from '../errors.js';
import type { CopyOptions, RunningCopy } from './copy.js';
import { openLazy } from './lazy/open-lazy.js';

/**
 * Starts a copy of an organization: a server on 127.0.0.1 that ends with `close`. Of a platform only reads are
 * asked; a backup is not changed.
 * @throws DocsError if the source cannot be read, or the copy cannot be started
 */
export async function openCopy({ source, file, io }: CopyOptions): Promise<RunningCopy> {
  if ('platform' in source) return openLazy(source.platform, source.organizationId, { file, io });
  throw new DocsError('usage', 'not_yet', 'A copy of a backup cannot be opened yet.');
}
