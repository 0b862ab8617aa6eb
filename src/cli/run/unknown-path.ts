import { operations } from '../../api/resources/index.js';
import type { TransportRequest } from '../../api/transport.js';
import { DocsError } from '../../base/errors.js';
import { nearest } from '../../base/nearest.js';
import { shellWord } from '../../base/shell-word.js';
import { defined } from '../../base/values.js';

/** Prints the method and path of every operation. */
const listPaths = `docs commands --jq '[.[].operations[] | .method + " " + .path] | unique[]'`;

/**
 * A request of `docs api` that was not found because the platform has no such path, or not with this method:
 * the same failure with what it may have meant.
 */
export function withPathHint(
  cause: DocsError,
  { method, path }: Pick<TransportRequest, 'method' | 'path'>,
  platform: NodeJS.Platform,
): DocsError {
  const { kind, code, message, failure } = cause;
  if (kind !== 'not-found' && failure.status !== 405) return cause;
  const [typed = ''] = path.split('?');
  const here = operations.filter((op) => filled(op.path, typed) === typed);
  if (here.some((op) => op.method === method)) return cause;
  const methods = here.map((op) => op.method);
  const meant = here.length > 0 ? undefined : nearestPath(typed);
  const known =
    methods.length === 0 ? 'No operation has this path.' : `This path takes ${methods.join(', ')}.`;
  const suggestion = meant === undefined ? '' : ` Did you mean ${meant}?`;
  const hint = methods.includes('GET') ? `docs api GET ${shellWord(path, platform)}` : listPaths;
  const details = defined({ ...failure.details, nearest: meant });
  return new DocsError(kind, code, `${message} ${known}${suggestion}`, { ...failure, hint, details });
}

/** The path of an operation with what was typed in place of its parameters; '' where their lengths differ. */
function filled(path: string, typed: string): string {
  const [parts, words] = [path.split('/'), typed.split('/')];
  if (parts.length !== words.length) return '';
  return parts.map((part, at) => (part.startsWith('{') ? words[at] : part)).join('/');
}

function nearestPath(typed: string): string | undefined {
  const whole = typed.startsWith('/v1/') ? typed : `/v1${typed}`;
  const paths = new Map(operations.map(({ path }) => [filled(path, whole), path]));
  const found = paths.has(whole) ? whole : nearest(whole, [...paths.keys()].filter(Boolean));
  return found === undefined ? undefined : paths.get(found);
}
