import { DocsError } from './errors.js';

/** The system's code of a failed call (`ENOENT`, …); undefined for every other failure. */
export function systemCode(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || cause instanceof DocsError || !('code' in cause)) return undefined;
  return typeof cause.code === 'string' ? cause.code : undefined;
}
