import { type DocsError, usageError } from '../../errors.js';
import { nearest } from '../../nearest.js';
import { globalOptions } from '../declare/global-flags.js';
import type { OptionOutline } from '../declare/outline.js';
import { spellings } from './walk.js';

/**
 * A flag that is not known where it stands.
 * @param place the path of the command that it belongs to, where it stands in front of that
 */
export function unknownFlag(
  { path, options }: { path: readonly string[]; options: readonly OptionOutline[] },
  flag: string,
  place?: readonly string[],
): DocsError {
  const meant = nearest(flag, [...options, ...globalOptions].flatMap(spellings));
  const suggestion =
    place !== undefined
      ? ` It belongs after the command: docs ${place.join(' ')} ${flag}.`
      : meant === undefined
        ? ''
        : ` Did you mean ${meant}?`;
  const words = ['docs', ...path].join(' ');
  return usageError('unknown_flag', `unknown flag ${JSON.stringify(flag)} for "${words}".${suggestion}`, {
    hint: ['docs', ...(place ?? path), '--help'].join(' '),
    ...(meant !== undefined && { details: { nearest: meant } }),
  });
}
