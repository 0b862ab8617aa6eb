import { type DocsError, usageError } from '../../base/errors.js';

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
