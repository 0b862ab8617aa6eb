import { type DocsError, usageError } from '../../base/errors.js';

/** Values of flags for which no declaration is needed. */

/** @throws DocsError usage `not_a_number` */
export function numberValue(flag: string, typed: unknown): number {
  const value = Number(typed);
  if (typed === '' || Number.isNaN(value)) throw notANumber(flag, 'a number', typed);
  return value;
}

/** A whole number of at least 1, for `--limit` and its kin. @throws DocsError usage `not_a_number` */
export function wholeNumber(flag: string, typed: unknown): number {
  const value = numberValue(flag, typed);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw notANumber(flag, 'a whole number of at least 1', typed);
}

function notANumber(flag: string, wanted: string, typed: unknown): DocsError {
  return usageError('not_a_number', `${flag} must be ${wanted}, not "${typed}"`);
}

/**
 * The words of a flag that takes several: `--only links,urls` as well as `--only links --only urls`.
 * @returns each once, in the order of the known ones
 * @throws DocsError usage `invalid_input`
 */
export function someOf<T extends string>(flag: string, typed: unknown, known: readonly T[]): T[] {
  const words = [typed ?? []].flat().flatMap((text) => String(text).split(','));
  const wrong = words.find((word) => !known.some((one) => one === word));
  if (wrong !== undefined)
    throw usageError(
      'invalid_input',
      `${flag} must be one of ${known.join(', ')}, not ${JSON.stringify(wrong)}`,
    );
  return known.filter((one) => words.includes(one));
}
