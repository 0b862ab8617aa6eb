import { usageError } from '../../base/errors.js';

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
      `${flag} must be one of ${known.join(', ')}, not ${JSON.stringify(wrong)}.`,
    );
  return known.filter((one) => words.includes(one));
}
