import { DocsError } from '../../base/errors.js';
import { resources } from '../../model/resources.js';
import type { ImpactRequest } from './request.js';

/**
 * The failure of a look: where something that was named is not there, with the command that lists its kind.
 * @returns anything else as it is
 */
export function withList(cause: unknown, { question: { things, to }, kind }: ImpactRequest): unknown {
  if (!(cause instanceof DocsError) || cause.kind !== 'not-found') return cause;
  const { path = '', ...failure } = cause.failure;
  const missing = decodeURIComponent(path.split('?')[0]?.split('/').at(-1) ?? '');
  const named = things.some(({ id }) => id === missing) ? kind.kind : undefined;
  const listed = missing === to?.parent ? 'collection' : named;
  if (listed === undefined) return cause;
  const { words } = resources[listed].command;
  const hint = `docs ${words}`;
  return new DocsError(cause.kind, cause.code, cause.message, { ...failure, path, hint });
}
