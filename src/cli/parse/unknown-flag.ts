import { defined } from '../../defined.js';
import { type DocsError, usageError } from '../../errors.js';
import { nearest } from '../../nearest.js';
import { globalOptions } from '../declare/global-flags.js';
import type { OptionOutline } from '../declare/outline.js';
import { spellings } from './walk.js';

/**
 * The error for a flag that its command does not know.
 * @param place the path of the command that it belongs to, if it was typed in front of that
 */
export function unknownFlag(
  { path, options }: { path: readonly string[]; options: readonly OptionOutline[] },
  flag: string,
  place?: readonly string[],
): DocsError {
  const meant = nearest(flag, [...options, ...globalOptions].flatMap(spellings));
  const near = meant === undefined ? '' : ` Did you mean ${meant}?`;
  const suggestion = place ? ` It belongs after the command: docs ${place.join(' ')} ${flag}.` : near;
  const message = `unknown flag ${JSON.stringify(flag)} for "${['docs', ...path].join(' ')}".${suggestion}`;
  const hint = ['docs', ...(place ?? path), '--help'].join(' ');
  const details = meant === undefined ? undefined : { nearest: meant };
  return usageError('unknown_flag', message, defined({ hint, details }));
}
