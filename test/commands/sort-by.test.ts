import type { TSchema } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/cli/declare/command.js';
import { commandTree } from '../../src/cli/declare/outline.js';
import { groups } from '../../src/commands/index.js';

/** `--sort-by` is on every list, whether it is that of an operation or of a hand-written command. */

const tree = await commandTree(groups);

/** What a command prints by its declaration, whether or not that makes it one that can be sorted. */
function listed({ operations, spec, returns, danger }: Command): boolean {
  const own: readonly TSchema[] = returns === undefined ? [] : (returns.anyOf ?? [returns]);
  if (own.length > 0) return danger === 'read' && own.every(({ type }) => type === 'array');
  if (spec?.listIn !== undefined) return true;
  return operations.some(
    ({ method, returns: answer }) =>
      method === 'GET' &&
      (answer.kind === 'page' || (answer.kind === 'one' && answer.schema.type === 'array')),
  );
}

const options = ({ options }: Command) => new Map(options.map((option) => [option.name, option]));
const lists = tree.filter(({ command }) => listed(command));

it('there are as many lists as ever', () => {
  expect(lists.length).toBeGreaterThanOrEqual(60);
  const called = tree.filter(({ path }) => / (list|search|links|backlinks|log)$/.test(path));
  expect(called.filter((entry) => !lists.includes(entry)).map(({ path }) => path)).toEqual([]);
});

describe.each(lists)('docs $path', ({ command }) => {
  const own = options(command);

  it('can be sorted', () => {
    expect(own.get('sort-by')).toMatchObject({ value: '<field>', variadic: false });
  });

  it('says that --page contradicts it, and takes --limit', () => {
    expect(own.get('sort-by')?.conflicts?.includes('page') ?? false).toBe(own.has('page'));
    expect(own.get('sort-by')?.conflicts ?? []).not.toContain('limit');
  });
});

describe('what prints a single thing', () => {
  const others = tree.filter(({ command }) => options(command).has('sort-by') && !listed(command));

  it('has no such flag, but where a flag makes it a list, or its rows are a list of what it did', () => {
    expect(others.map(({ path }) => path).sort()).toEqual(
      [
        'plan adopt',
        'change-requests stale',
        'links fix',
        'members review',
        'sandbox fault',
        'mcp skill install',
      ].sort(),
    );
  });
});
