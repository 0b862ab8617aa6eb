import { type DocsError, usageError } from '../../base/errors.js';
import { nearest } from '../../base/nearest.js';
import { defined } from '../../base/values.js';
import { globalOptions } from '../declare/global-flags.js';
import type { OptionOutline } from '../declare/outline.js';
import { spellings } from './walk.js';

/** Flags of earlier versions, by the word after `docs`, and what replaced them. */
const replaced: Readonly<Record<string, string>> = {
  'impact --report-file': 'write a page with --html <file>, or redirect the output of -o markdown to a file',
};

/**
 * The error for a flag that its command does not know.
 * @param place the path of the command that it belongs to, if it was typed in front of that
 */
export function unknownFlag(
  { path, options }: { path: readonly string[]; options: readonly OptionOutline[] },
  flag: string,
  place?: readonly string[],
): DocsError {
  const instead = replaced[`${path[0]} ${flag}`];
  if (instead !== undefined) {
    const hint = ['docs', ...path, '--help'].join(' ');
    return usageError('replaced_flag', `${flag} was removed from docs ${path[0]}; ${instead}.`, { hint });
  }
  const meant = nearest(flag, [...options, ...globalOptions].flatMap(spellings));
  const near = meant === undefined ? '' : ` Did you mean ${meant}?`;
  const suggestion = place ? ` It belongs after the command: docs ${place.join(' ')} ${flag}.` : near;
  const message = `unknown flag ${JSON.stringify(flag)} for "${['docs', ...path].join(' ')}".${suggestion}`;
  const hint = ['docs', ...(place ?? path), '--help'].join(' ');
  const details = meant === undefined ? undefined : { nearest: meant };
  return usageError('unknown_flag', message, defined({ hint, details }));
}
