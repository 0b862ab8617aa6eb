import fc from 'fast-check';

/**
 * Any Unicode text. `fc.string({ unit: 'binary' })` makes the same, but first a table of all 1.1 million characters:
 * a second, once in each worker.
 * @param minLength least number of characters @param maxLength highest
 */
export function anyText({ minLength = 0, maxLength = 20 } = {}): fc.Arbitrary<string> {
  return fc.array(character, { minLength, maxLength }).map((characters) => characters.join(''));
}

const surrogates = { first: 0xd800, count: 0x800 };
const character = fc
  .nat({ max: 0x10ffff - surrogates.count })
  .map((nth) => String.fromCodePoint(nth < surrogates.first ? nth : nth + surrogates.count));
