import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Command, camel, type Option } from '../../../src/cli/declare/command.js';
import { commandTree } from '../../../src/cli/declare/outline.js';
import { groups } from '../../../src/commands/index.js';
import { lineOf } from '../../policy/gate-lines.js';
import { seedId } from '../../sandbox/client.js';
import { mcpOfFile } from './mcp-world.js';

/**
 * What an agent with nothing but MCP can do under a policy that only allows to read, by any command that there is: nothing
 * but read. Its rows follow from the declarations.
 */

const mcp = await mcpOfFile({ hasPolicy: true, files: '' });
const tools = ['docs_read', 'docs_plan', 'docs_change'] as const;
const tree = await commandTree(groups);

const folder = () => join(mcp.home, 'handbook');
beforeEach(async () => {
  await mcp.begin({ hasPolicy: true, files: folder() });
  mkdirSync(folder());
  writeFileSync(join(folder(), 'mine.txt'), 'mine');
  writeFileSync(join(mcp.home, 'policy.yaml'), 'version: 1\nallow: [read]\n', { mode: 0o600 });
  mcp.io.env = { ...mcp.io.env, DOCS_POLICY: join(mcp.home, 'policy.yaml') };
});

/** The files of the agent's folder, with what they hold; what is beside it is that of the server. */
function files(): Record<string, string> {
  const names = readdirSync(folder(), { recursive: true, withFileTypes: true });
  const found = names.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(found.map((path) => [path, readFileSync(path, 'utf8')]));
}

const org = seedId('org acme');
const lines = tree.flatMap(({ path, command }) => {
  const words = lineOf(path, command)?.map((word) => (word === 'o1' ? org : word));
  return words === undefined ? [] : [{ path, command, words }];
});

describe('a command changes nothing', () => {
  it.each(lines)('docs $path', async ({ words }) => {
    const before = files();
    for (const tool of tools) await mcp.call(tool, { argv: words.filter((word) => word !== '--yes') });
    expect(mcp.writes().filter((one) => !one.endsWith('/ping'))).toEqual([]);
    expect(files()).toEqual(before);
  });
});

/** The line with a flag, before what is passed on. */
function withFlag(words: readonly string[], { name }: Pick<Option, 'name'>, value: string): string[] {
  const at = words.indexOf(`--${name}`);
  const others = at < 0 ? [...words] : words.toSpliced(at, 2);
  const end = others.indexOf('--');
  return others.toSpliced(end < 0 ? others.length : end, 0, `--${name}`, value);
}

const writing = lines.flatMap(({ path, command, words }) =>
  command.options
    .filter((one: Command['options'][number]) => one.path?.use === 'writes' && camel(one.name) !== 'savePlan')
    .map((one) => ({ path, flag: one.name, words, option: one })),
);

it('writes new files where it may, so that the rest is no accident', async () => {
  const argv = ['access', 'matrix', '--html', join(folder(), 'new.html')];
  expect((await mcp.call('docs_plan', { argv })).error.code).not.toBe('refused_file');
  expect(lines.length).toBe(tree.length);
});

describe('no flag replaces a file, or writes one outside of --files', () => {
  it.each(writing)('docs $path --$flag', async ({ words, option }) => {
    const outside = join(mcp.home, 'outside.txt');
    const before = files();
    for (const tool of tools)
      for (const file of [outside, join(folder(), 'mine.txt'), join(mcp.home, 'policy.yaml')])
        await mcp.call(tool, { argv: [...withFlag(words, option, file), '--yes'] });
    expect(existsSync(outside)).toBe(false);
    expect(files()).toMatchObject(before);
    expect(readFileSync(join(mcp.home, 'policy.yaml'), 'utf8')).toBe('version: 1\nallow: [read]\n');
  });
});
