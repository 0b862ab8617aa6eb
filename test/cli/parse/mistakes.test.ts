import { expect, it } from 'vitest';
import { DocsError } from '../../../src/base/errors.js';
import { outlineTree } from '../../../src/cli/declare/outline.js';
import { mistakeIn } from '../../../src/cli/parse/mistakes.js';
import { parseCommand } from '../../../src/cli/parse/parser.js';
import { walk } from '../../../src/cli/parse/walk.js';
import { groups } from '../../../src/commands/index.js';

/** What the parser says of a line, and what is said of it before the parser is loaded. */
async function both(argv: readonly string[]) {
  const walked = await walk(argv, groups);
  const { command } = walked;
  if (command === undefined) throw new Error(`${argv.join(' ')} names no command.`);
  return {
    before: (await mistakeIn(walked, argv, groups, 'linux'))?.toJSON(),
    parser: failureOf(() => parseCommand(argv, { ...walked, command }))?.toJSON(),
  };
}

function failureOf(parse: () => unknown): DocsError | undefined {
  try {
    parse();
  } catch (cause) {
    if (cause instanceof DocsError) return cause;
    throw cause;
  }
  return undefined;
}

it('of a flag that a command does not know, the same is said without the parser', async () => {
  const paths = (await outlineTree(groups)).map(({ path }) => path.split(' '));
  const lines = paths.flatMap((path) => [
    [...path, '--nonsense'],
    [...path, '--json', '--lmit=3'],
  ]);
  for (const line of [...lines, ['spaces', 'get', 's1', '--titel', 'x', '--json']]) {
    const { before, parser } = await both(line);
    expect({ line, said: before }).toEqual({ line, said: parser });
    expect(before).toMatchObject({ code: 'unknown_flag' });
  }
});

it.each([
  ['a value that does not fit', ['members', 'list', '--lmit', '3', '--limit', 'many'], 'not_a_number'],
  ['a flag without its value', ['members', 'list', '--lmit', '--limit'], 'flag_missing_value'],
  [
    'flags that contradict each other',
    ['members', 'list', '--lmit', '--sort-by', 'x', '--page', 'y'],
    'contradiction',
  ],
  ['a flag with a value that takes none', ['members', 'list', '--json=x', '--lmit'], 'unknown_flag'],
  ['an unknown short flag', ['members', 'list', '-Z', '--lmit'], 'unknown_flag'],
])('beside %s, it is left to the parser', async (_, line, code) => {
  const { before, parser } = await both(line);
  expect(before).toBeUndefined();
  expect(parser).toMatchObject({ code });
});

it.each([
  ['spaces destroy s1', ['docs spaces delete s1']],
  ['spaces erase s1', ['docs spaces delete s1']],
  ['teams make', ['docs teams create']],
  ['members show m1', ['docs members get m1']],
  ['sites rename w1', ['docs sites update w1']],
])('of docs %s, the verb that docs has is named', async (line, nearest) => {
  const argv = line.split(' ');
  const mistake = await mistakeIn(await walk(argv, groups), argv, groups, 'linux');
  expect(mistake?.failure.details).toEqual({ nearest });
  expect(mistake?.failure.hint).toBe(nearest[0]);
});

it.each([
  ['permissions list', 'docs access who'],
  ['settings set x', 'docs config list'],
  ['groups list', 'docs teams list'],
  ['change-requests close 3', 'docs change-requests update 3'],
  ['jobs undo last', 'docs undo last'],
  ['users', 'docs members'],
  ['publish', 'docs site-spaces create'],
  ['deploy', 'docs openapi publish'],
])('docs %s suggests %s, without words of another command', async (typed, suggested) => {
  const argv = typed.split(' ');
  const mistake = await mistakeIn(await walk(argv, groups), argv, groups, 'linux');
  expect(mistake?.failure.details?.nearest).toEqual(expect.arrayContaining([suggested]));
});

it('where several are meant, the help of their group comes next', async () => {
  const mistake = await mistakeIn(await walk(['deploy'], groups), ['deploy'], groups, 'linux');
  expect(mistake?.failure.hint).toBe('docs --help');
});
