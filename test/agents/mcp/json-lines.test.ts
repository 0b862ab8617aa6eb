import { once } from 'node:events';
import { expect, it } from 'vitest';
import { JsonLines } from '../../../src/agents/mcp/stdio.js';

/** Passes chunks through. @returns the lines that came out, and how many were refused */
async function through(chunks: readonly (string | Buffer)[], most = 1000) {
  let refused = 0;
  const lines = new JsonLines(most, () => {
    refused += 1;
  });
  const out: Buffer[] = [];
  lines.on('data', (part: Buffer) => out.push(part));
  const ended = once(lines, 'end');
  for (const chunk of chunks) lines.write(chunk);
  lines.end();
  await ended;
  return { text: Buffer.concat(out).toString(), refused };
}

it('passes on JSON byte for byte, wherever chunks end', async () => {
  const text = '{"a":"ä€🙂"}\r\n[1]\n"x"\n';
  const bytes = Buffer.from(text);
  expect(await through([...bytes].map((byte) => Buffer.from([byte])))).toEqual({ text, refused: 0 });
  expect(await through([bytes])).toEqual({ text, refused: 0 });
  expect(await through([text.slice(0, 5), text.slice(5)])).toEqual({ text, refused: 0 });
});

it('refuses each line that is not JSON, and drops empty ones and a last one without an end', async () => {
  const chunks = ['{"a":1}\nno', 'pe\n\n  \r\n{"b":\n', '{"c":1}\n{"d"'];
  expect(await through(chunks)).toEqual({ text: '{"a":1}\n{"c":1}\n', refused: 2 });
});

it('fails on a line that is too long', async () => {
  await expect(through(['x'.repeat(600), 'x'.repeat(600)])).rejects.toThrow('longer than 1000 bytes');
});
