import { expect, test } from 'vitest';
import { outlineTree } from '../../../src/cli/declare/outline.js';
import { parseCommand } from '../../../src/cli/parse/parser.js';
import { plainLine } from '../../../src/cli/parse/plain-line.js';
import { walk } from '../../../src/cli/parse/walk.js';
import { groups } from '../../../src/commands/index.js';

/** What both make of a line that names a command. */
async function bothOf(argv: readonly string[]) {
  const walked = await walk(argv, groups);
  const { path, pathAt, command } = walked;
  if (command === undefined) throw new Error(`${argv.join(' ')} names no command.`);
  const named = { ...walked, command };
  return { plain: plainLine(argv, named), parsed: () => parseCommand(argv, { path, pathAt, command }) };
}

test('A line of positionals and switches is read without the parser as with it, for every command', async () => {
  let plain = 0;
  for (const { path, command } of await outlineTree(groups)) {
    const ids = command.args.map((_, at) => `x${at}`);
    for (const line of [
      ids,
      ids.slice(0, 1),
      [],
      [...ids, '--json'],
      ['--quiet', ...ids, '--yes', '--json'],
    ]) {
      const argv = [...path.split(' '), ...line];
      const both = await bothOf(argv);
      if (both.plain === undefined) continue;
      plain += 1;
      expect(both.plain, argv.join(' ')).toEqual(both.parsed());
    }
  }
  expect(plain).toBeGreaterThan(500);
});

test('A line with values is read without the parser as with it, for every flag and each two of a command', async () => {
  let plain = 0;
  for (const { path, command } of await outlineTree(groups)) {
    const ids = command.args.map((_, at) => `x${at}`);
    const valued = command.options.filter(({ value }) => value !== undefined).map(({ name }) => `--${name}`);
    const pairs = valued.map((flag, at) => [flag, 'a b', `${valued.at(at - 1)}=`]);
    const lines = [
      ...valued.flatMap((flag) => [
        [flag, 'x'],
        [`${flag}=null`, '--yes'],
        [flag, ''],
      ]),
      ...pairs,
    ];
    for (const line of lines) {
      const argv = [...path.split(' '), ...ids, ...line];
      // A group's own command knows no flags before its positional.
      if ((await walk(argv, groups)).command === undefined) continue;
      const both = await bothOf(argv);
      if (both.plain === undefined) continue;
      plain += 1;
      expect(both.plain, argv.join(' ')).toEqual(both.parsed());
    }
  }
  expect(plain).toBeGreaterThan(200);
});

test.each([
  'spaces update s1 --title -x',
  'spaces update s1 --title x --title y',
  'spaces update s1 --titel x',
  'spaces update s1 --title',
  'spaces get s1 -q',
  'spaces get s1 --json --json',
  'spaces get -- s1',
  'spaces get s1 s2',
  'spaces get -',
  'spaces get s1 --no-color',
  'spaces get s1 --json=yes',
  'spaces get s1 --titel',
  'spaces get s1 -o json',
  'spaces get s1 --web',
  'members delete u1 u2',
])('docs %s is left to the parser', async (line) => {
  const { plain } = await bothOf(line.split(' '));
  expect(plain).toBeUndefined();
});
