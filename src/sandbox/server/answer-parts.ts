/**
 * Answers to changes of the same resource differ in few bytes. The log keeps one of them whole, and of those like it
 * what lies between the bytes that both begin and end with (decision 068).
 */

/** The two lengths before a part, of 16 bits each. */
const headBytes = 4;
const longest = 0xffff;

/**
 * What an answer has that another has not.
 * @returns undefined if that is more than half of it, or either is longer than 64 KB
 */
export function partOf(answer: Uint8Array, of: Uint8Array): Uint8Array | undefined {
  const { length } = answer;
  if (length > longest || of.length > longest) return undefined;
  const shorter = Math.min(length, of.length);
  let start = 0;
  while (start < shorter && answer[start] === of[start]) start += 1;
  const most = shorter - start;
  let end = 0;
  while (end < most && answer[length - end - 1] === of[of.length - end - 1]) end += 1;
  const own = length - start - end;
  if (own * 2 > length) return undefined;
  const part = Buffer.allocUnsafe(headBytes + own);
  part.writeUInt16LE(start, 0);
  part.writeUInt16LE(end, 2);
  part.set(answer.subarray(start, length - end), headBytes);
  return part;
}

/** The answer that a part was taken of. @param of the other answer */
export function wholeOf(part: Uint8Array, of: Uint8Array): Buffer {
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.length);
  const start = of.subarray(0, bytes.readUInt16LE(0));
  const end = of.subarray(of.length - bytes.readUInt16LE(2));
  return Buffer.concat([start, bytes.subarray(headBytes), end]);
}
