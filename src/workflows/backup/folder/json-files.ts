import { parseJson } from '../../../api/transport/json-text.js';
import { stringify, stringifyEach } from '../../../output/json.js';

/** JSON as a backup has it: readable, lists with an item a line, and stable. */

export function jsonText(value: unknown): string {
  return `${stringify(value, 2)}\n`;
}

/** Items written at once. */
const batch = 200;

/** A list, written as it arrives: an array with an item a line. Holds only a few items at once. */
export async function* jsonLines(items: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let before = '[\n';
  let waiting: unknown[] = [];
  for await (const item of items) {
    waiting.push(item);
    if (waiting.length < batch) continue;
    yield encoder.encode(before + stringifyEach(waiting, ',\n'));
    before = ',\n';
    waiting = [];
  }
  if (waiting.length > 0) yield encoder.encode(before + stringifyEach(waiting, ',\n'));
  else if (before === '[\n') yield encoder.encode(before);
  yield encoder.encode('\n]\n');
}

/** An object with its lists an item a line, so that two manifests can be compared as text. */
export function jsonObject(head: object, lists: Readonly<Record<string, readonly unknown[]>>): string {
  const members = Object.entries(head)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${stringify(key)}: ${stringify(value)}`);
  const arrays = Object.entries(lists).map(([key, items]) => {
    const text = items.length === 0 ? '[]' : `[\n${stringifyEach(items, ',\n')}\n]`;
    return `${stringify(key)}: ${text}`;
  });
  return `{\n${[...members, ...arrays].join(',\n')}\n}\n`;
}

/** Reads a list that `jsonLines` wrote, a line at a time. @throws SyntaxError if a line is not JSON */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (!/^(|\[|\])$/.test(line)) yield jsonOf(line.replace(/,$/, ''));
  }
}

/** The value of a JSON text, with all digits of its numbers. @throws SyntaxError */
export function jsonOf(text: string): unknown {
  const parsed = parseJson(Buffer.from(text));
  if (!parsed.ok) throw new SyntaxError('not JSON, or nested too deep');
  return parsed.value;
}
