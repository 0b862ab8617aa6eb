import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { JsonLines } from '../../../src/agents/mcp/stdio.js';
import { describeCommand, tools } from '../../../src/agents/mcp/tools.js';
import type { Option } from '../../../src/cli/declare/command.js';
import { visibleOptions } from '../../../src/cli/declare/global-flags.js';
import { commandTree } from '../../../src/cli/declare/outline.js';
import { groups } from '../../../src/commands/index.js';

const entries = await commandTree(groups);

describe('the tools', () => {
  it('are seven, with a title, both schemas and all four hints', () => {
    expect(tools.map(({ name, annotations }) => [name, ...Object.values(annotations)])).toEqual([
      ['docs_find', true, false, true, false],
      ['docs_describe', true, false, true, false],
      ['docs_read', true, false, true, true],
      ['docs_plan', true, false, false, true],
      ['docs_apply', false, true, true, true],
      ['docs_change', false, false, false, true],
      ['docs_job', true, false, true, true],
    ]);
    for (const { title, inputSchema, outputSchema, annotations } of tools) {
      expect(title).toBeTruthy();
      expect(inputSchema.type).toBe('object');
      expect(outputSchema.type).toBe('object');
      expect(Object.keys(annotations)).toHaveLength(4);
    }
  });

  it('are at most 6,000 characters together', () => {
    expect(JSON.stringify({ tools }).length).toBeLessThanOrEqual(6000);
  });
});

describe('docs_describe', () => {
  it.each(entries.map((entry) => [entry.path, entry] as const))(
    'tells of %s in at most 2,400 characters',
    (path, entry) => {
      const told = describeCommand(entry);
      expect(JSON.stringify(told).length).toBeLessThanOrEqual(2400);
      expect(told.command).toBe(path);
      expect(told.usage).toContain(`docs ${path}`);
      // Every positional, and every flag but those that a caller does not need.
      expect(told.arguments).toHaveLength(entry.command.args.length);
      const hidden = ['save-plan', 'show', 'encoding'];
      const flags = visibleOptions<Option>(entry.command).filter(({ name }) => !hidden.includes(name));
      expect(told.flags).toHaveLength(flags.length);
      const changes = entry.command.operations.some(({ method }) => method !== 'GET');
      if (changes) expect(told.undo).toMatch(/^(exact|best-effort|none|depends)/);
    },
  );
});

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
