import { Chalk } from 'chalk';
import { describe, expect, it } from 'vitest';
import { type Command, type Group, isGroup, type LazyGroup } from '../../../src/cli/declare/command.js';
import { spellings } from '../../../src/cli/declare/global-flags.js';
import { outlines } from '../../../src/cli/declare/make-outlines.js';
import { commandAt, commandTree, type Outline } from '../../../src/cli/declare/outline.js';
import { commandHelp, groupHelp } from '../../../src/cli/help/help.js';
import { helpLook } from '../../../src/cli/help/layout.js';
import { groups } from '../../../src/commands/index.js';

/** The outlines say what the declarations say, also once they were data (docs/decisions/010). */

const made = new Map(
  [...(await outlines(groups))].map(([name, outline]) => [
    name,
    JSON.parse(JSON.stringify(outline)) as Outline,
  ]),
);
const look = helpLook(100, new Chalk({ level: 1 }));
const pairs = await Promise.all(
  groups.map(async ({ name, load }) => pairsOf(name, await load(), made.get(name) as Outline)),
);

interface Pair {
  path: string;
  node: Command | Group;
  outline: Outline;
}

function pairsOf(path: string, node: Command | Group, outline: Outline): Pair[] {
  if (!isGroup(node) || !isGroup(outline)) return [{ path, node, outline }];
  return [
    { path, node, outline },
    ...node.commands.flatMap((child, at) =>
      pairsOf(`${path} ${child.name}`, child, outline.commands[at] as Outline),
    ),
  ];
}

describe('the outline', () => {
  it.each(pairs.flat())(
    'of docs $path gives the same help, flags and kinds of ids',
    ({ path, node, outline }) => {
      if (isGroup(node) || isGroup(outline)) {
        expect(isGroup(node) && isGroup(outline)).toBe(true);
        if (isGroup(node) && isGroup(outline))
          expect(groupHelp(outline, path, look)).toBe(groupHelp(node, path, look));
        return;
      }
      expect(commandHelp(outline, path, look)).toBe(commandHelp(node, path, look));
      expect(outline.options.flatMap(spellings)).toEqual(node.options.flatMap(spellings));
      expect(outline.passThrough).toBe(node.passThrough);
      const kinds = (of: Pick<Command, 'args'> & { options: typeof outline.options }) =>
        [...of.args, ...of.options].map((taker) => taker.kind);
      expect(kinds(outline)).toEqual(kinds(node));
    },
  );

  it('holds no code and no schema of a resource', () => {
    const text = JSON.stringify([...made]);
    expect(text).not.toMatch(/"(parse|spec|properties|success)":/);
  });
});

describe('the command of a path', () => {
  it('is found with its group, for each', async () => {
    for (const { path, command, group } of await commandTree(groups)) {
      const found = await commandAt(groups, path);
      const names = (one?: LazyGroup) => one && [one.name, ...one.commands.map(({ name }) => name)];
      expect({ path, command: found.command === command, group: names(found.group) }).toEqual({
        path,
        command: true,
        group: names(group),
      });
      const own = group?.own === command;
      expect([found.groupPath, !own && command.name].filter(Boolean).join(' ')).toBe(path);
    }
  });

  it('takes nothing where hints name it before it is loaded', async () => {
    const parts = await Promise.all(groups.map((entry) => (entry.loadPart ?? entry.load)()));
    const children = parts.flatMap((part) => (isGroup(part) ? part.commands : []));
    const lazies = children.filter((child) => 'load' in child);
    expect(lazies.map(({ name }) => name)).toContain('list');
    const named = await Promise.all(
      lazies.filter(({ name }) => ['get', 'list'].includes(name)).map(({ load }) => load()),
    );
    for (const node of named) expect(isGroup(node) ? node.commands : node.args).toEqual([]);
  });

  it('is a defect of docs where there is none', async () => {
    await expect(commandAt(groups, 'members')).rejects.toThrow('There is no command members.');
    await expect(commandAt(groups, 'members fly')).rejects.toThrow('There is no command members fly.');
  });
});
