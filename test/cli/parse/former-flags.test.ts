import { describe, expect, it } from 'vitest';
import type { OptionOutline } from '../../../src/cli/declare/outline.js';
import { outlineTree } from '../../../src/cli/declare/outline.js';
import { parseCommand, type WalkedCommand } from '../../../src/cli/parse/parser.js';
import { walk } from '../../../src/cli/parse/walk.js';
import { groups } from '../../../src/commands/index.js';

const parse = async (line: string) => {
  const argv = line.split(' ');
  const walked = await walk(argv, groups);
  expect([walked.unknown, walked.stray]).toEqual([undefined, undefined]);
  return parseCommand(argv, walked as WalkedCommand).options;
};

describe('a name that a flag had before', () => {
  it.each([
    ['apply p.json --max-age 12h', { olderThan: '12h' }],
    ['apply p.json --max-age=7d', { olderThan: '7d' }],
    ['backup status b --max-age 26h', { olderThan: '26h' }],
    ['backup run --out b --full', { again: true, out: 'b' }],
    ['plan --exit-code', { exitCode: true }],
  ])('docs %s means %j', async (line, options) => {
    expect(await parse(line)).toMatchObject(options);
  });

  it('is no name of another flag of its command', async () => {
    for (const { path, command } of await outlineTree(groups)) {
      const names = command.options.map(({ name }: OptionOutline) => name);
      for (const { formerly = [] } of command.options)
        expect([path, formerly.filter((name) => names.includes(name))]).toEqual([path, []]);
    }
  });
});

describe('a list', () => {
  it.each([
    ['plan --fail-on change,drift', { failOn: ['change', 'drift'] }],
    ['plan --fail-on change --fail-on drift', { failOn: ['change', 'drift'] }],
    ['access matrix --space s1,s2 --space s3', { space: ['s1', 's2', 's3'] }],
    ['members list --role admin', { role: 'admin' }],
    ['members review --role admin,guest', { role: ['admin', 'guest'] }],
  ])('of docs %s is %j', async (line, options) => {
    expect(await parse(line)).toMatchObject(options);
  });

  it('keeps a title with spaces, and texts, whole', async () => {
    const argv = ['access', 'matrix', '--space', 'Sales, EMEA'];
    const walked = (await walk(argv, groups)) as WalkedCommand;
    expect(parseCommand(argv, walked).options.space).toEqual(['Sales, EMEA']);
    const fields = [
      'custom-fields',
      'create',
      'size',
      '--type',
      'select',
      '--title',
      'Size',
      '--option',
      'S,M',
    ];
    const typed = (await walk(fields, groups)) as WalkedCommand;
    expect(parseCommand(fields, typed).options.option).toEqual(['S,M']);
  });
});

it('-V is --version', async () => {
  expect([...(await walk(['-V'], groups)).flags.keys()]).toEqual(['version']);
});
