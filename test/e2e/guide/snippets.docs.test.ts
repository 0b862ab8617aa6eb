import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isObject } from '../../../src/base/values.js';
import { commandTable } from '../../../src/cli/run/policy-gate.js';
import { groups } from '../../../src/commands/index.js';
import { readPolicy } from '../../../src/policy/read.js';
import { docsCommands } from './page.js';
import { problemOf } from './run-pages.js';

/** What the guide shows and no page runs: settings of MCP clients, and policies. */

const blocks = (page: string, language: string): string[] =>
  [...readFileSync(`docs/guide/${page}.md`, 'utf8').matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```$/gm)]
    .filter(([, info]) => info === language)
    .map(([, , text = '']) => text);

/** The command lines of servers, wherever they are in settings. */
function serversIn(settings: unknown): string[][] {
  if (!isObject(settings)) return [];
  const { command, args } = settings;
  if (typeof command === 'string' && Array.isArray(args)) return [[command, ...args.map(String)]];
  return Object.values(settings).flatMap(serversIn);
}

/** TOML of one table whose values are JSON, too. */
const tableOf = (toml: string): Record<string, unknown> =>
  Object.fromEntries(
    [...toml.matchAll(/^(\w+) = (.*)$/gm)].map(([, key = '', value = '']) => [key, JSON.parse(value)]),
  );

/** Every text in a value. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

describe('manifests of Kubernetes', () => {
  const manifests = blocks('at-scale', 'yaml')
    .map((text) => parse(text) as unknown)
    .filter((value) => isObject(value) && value.apiVersion !== undefined);
  const commands = manifests
    .flatMap((value) => textsIn(value).flatMap(docsCommands))
    .filter((words) => words.length > 0);

  it('run commands and flags that there are', async () => {
    expect(manifests).toHaveLength(2);
    expect(commands.map(([group, verb]) => `${group} ${verb}`)).toEqual([
      'backup run',
      'backup merge',
      'backup status',
    ]);
    for (const words of commands)
      expect(`${words.join(' ')}: ${await problemOf(words)}`).toBe(`${words.join(' ')}: none`);
  });
});

describe('settings of MCP clients', () => {
  const json = blocks('agents', 'json').map((text) => serversIn(JSON.parse(text)));
  const toml = blocks('agents', 'toml').map((text) => serversIn(tableOf(text)));
  const added = blocks('agents', 'sh').flatMap((text) =>
    [...text.matchAll(/^\w+ mcp add docs -- (.*)$/gm)].map(([, line = '']) => [line.split(' ')]),
  );

  it('each block names one server', () => {
    expect([json.length, toml.length, added.length]).toEqual([5, 1, 2]);
    for (const servers of [...json, ...toml, ...added]) expect(servers).toHaveLength(1);
  });

  it.each([...json, ...toml, ...added].flat().map((words) => words.join(' ')))(
    'is a command line: %s',
    async (line) => {
      const [command, ...words] = line.split(' ');
      expect(command).toBe('docs');
      expect(words.slice(0, 2)).toEqual(['mcp', 'serve']);
      expect(await problemOf(words)).toBe('none');
    },
  );
});

describe('policies', () => {
  const isPolicy = (text: string): boolean => {
    const file: unknown = parse(text);
    return isObject(file) && file.version === 1;
  };
  const policies = blocks('approvals', 'yaml').filter(isPolicy);

  it('are shown', () => {
    expect(policies).toHaveLength(2);
  });

  it.each(policies)('is valid: %j', async (text) => {
    const policy = await readPolicy('/policy.yaml', text, await commandTable(groups));
    expect(policy.approve).toBeDefined();
  });
});
