import { describe, expect, it } from 'vitest';
import { describeCommand } from '../../../src/agents/mcp/call-tool.js';
import { tools } from '../../../src/agents/mcp/tools.js';
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
      const flags = entry.command.options.filter(({ name }) => !hidden.includes(name));
      expect(told.flags).toHaveLength(flags.length);
      const changes = entry.command.operations.some(({ method }) => method !== 'GET');
      if (changes) expect(told.undo).toMatch(/^(exact|best-effort|none|depends)/);
    },
  );
});
