import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partOf, wholeOf } from '../../../src/sandbox/server/answer-parts.js';

const bytes = (text: string) => Buffer.from(text);

test('a part and the other answer make the answer again, whatever both are', () => {
  const few = fc.array(fc.constantFrom('a', 'b', '👋'), { maxLength: 40 }).map((letters) => letters.join(''));
  const pair = fc.tuple(few, few, few, few).map(([start, middle, other, end]) => ({
    answer: bytes(start + middle + end),
    of: bytes(start + other + end),
  }));
  fc.assert(
    fc.property(pair, ({ answer, of }) => {
      const part = partOf(answer, of);
      if (part !== undefined) expect(wholeOf(part, of).toString()).toBe(answer.toString());
    }),
  );
});

test.each([
  ['{"title":"A","at":1,"more":"abcdef"}', '{"title":"B","at":2,"more":"abcdef"}', 'A","at":1'.length],
  ['{"title":"A"}', '{"title":"A"}', 0],
  ['aaaa', 'aaa', 1],
  ['aaa', 'aaaa', 0],
])('of %s beside %s it has %i bytes after its lengths', (answer, of, length) => {
  const part = partOf(bytes(answer), bytes(of));
  expect(part?.length).toBe(length + 4);
});

test('there is none of an answer that is mostly its own, or longer than 64 KB', () => {
  expect(partOf(bytes('abcd'), bytes('ab'))).toBeDefined();
  expect(partOf(bytes('abcde'), bytes('ab'))).toBeUndefined();
  const long = bytes('x'.repeat(0x10000));
  expect(partOf(long, long)).toBeUndefined();
  expect(partOf(long.subarray(1), long.subarray(1))).toBeDefined();
});
