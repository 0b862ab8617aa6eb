import { describe, expect, it } from 'vitest';
import { groupBy } from '../../src/base/values.js';
import type { Command, Option } from '../../src/cli/declare/command.js';
import { standingOptions } from '../../src/cli/declare/flags.js';
import { visibleOptions } from '../../src/cli/declare/global-flags.js';
import { commandTree } from '../../src/cli/declare/outline.js';
import { groups } from '../../src/commands/index.js';

/** One vocabulary of flags: the same name takes the same, and what is the same has one name. */

const tree = await commandTree(groups);
const flags = tree.flatMap(({ path, command }) =>
  visibleOptions<Option>(command as Command).map((option) => ({ path, option })),
);
const byName = groupBy(flags, ({ option }) => option.name);

/** Flags that take another kind of value in some commands, and what they mean in all. */
const oneMeaning: Readonly<Record<string, string>> = {
  'change-request': 'a change request: in a backup by its number alone, which its files have',
  only: 'only what is named: parts, aspects, or the one page of a PDF',
  status: 'a status: of what is listed, or of an answer of the sandbox',
  editor: 'write in your editor: a text, or a file of the organization',
  published: 'what is published: of lists a condition, of docs open the address',
};

const kindOf = ({ value, boolean, number }: Option) =>
  [value === undefined ? `switch ${typeof boolean}` : 'value', number].join(' ');

it('docs help flags explains each flag that help folds, and no other', () => {
  const folded = new Set(flags.flatMap(({ option }) => (option.standing ? [option.name] : [])));
  expect(
    standingOptions()
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...folded].sort());
});

describe('a flag', () => {
  it.each([...byName].filter(([name, all]) => all.length > 1 && oneMeaning[name] === undefined))(
    '--%s takes the same wherever it is',
    (_, all) => {
      const kinds = groupBy(all, ({ option }) => kindOf(option));
      expect([...kinds].map(([kind, some]) => [kind, some.map(({ path }) => path)])).toHaveLength(1);
    },
  );

  it('has one name for one meaning', () => {
    const byText = groupBy(flags, ({ option }) => `${option.description} ${option.value ?? ''}`);
    const several = [...byText].flatMap(([text, some]) => {
      const names = [...new Set(some.map(({ option }) => option.name))];
      return names.length > 1 ? [{ text, names }] : [];
    });
    expect(several).toEqual([]);
  });

  it('has one letter, and a letter has one flag, wherever both are', () => {
    const letters = flags.flatMap(({ option: { short, name } }) =>
      short === undefined ? [] : [{ short, name }],
    );
    const named = groupBy(letters, ({ short }) => short);
    const several = [...named].filter(([, all]) => new Set(all.map(({ name }) => name)).size > 1);
    expect(several.map(([short]) => short)).toEqual([]);
    for (const { short, name } of letters)
      for (const { option, path } of byName.get(name) ?? [])
        expect([path, name, option.short]).toEqual([path, name, short]);
  });

  it('other than -o chooses no format', () => {
    // Pages have --format, which is that of their text.
    const media = ['sarif', 'junit', 'mermaid', 'dot'];
    const chosen = flags.filter(({ option }) => option.choices?.some((choice) => media.includes(choice)));
    expect(chosen.map(({ path, option }) => `${path} --${option.name}`)).toEqual([]);
  });

  it('is nowhere where it is not available', () => {
    expect(flags.filter(({ option }) => /not available/i.test(option.description))).toEqual([]);
  });

  it('that makes a command exit 17 is called --fail-on, or is an age', () => {
    const exits = flags.filter(({ option }) => /exit 17/i.test(option.description));
    expect(new Set(exits.map(({ option }) => option.name))).toEqual(new Set(['fail-on', 'older-than']));
  });
});
