import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shellWords } from '../../../src/base/shell-word.js';
import { stands } from '../../../src/cli/declare/define.js';
import { commandTree, type TreeEntry } from '../../../src/cli/declare/outline.js';
import { previews } from '../../../src/cli/help/previews.js';
import { parseCommand } from '../../../src/cli/parse/parser.js';
import { walk } from '../../../src/cli/parse/walk.js';
import { groups } from '../../../src/commands/index.js';
import { firstOfEach } from '../../some-of.js';
import { exceptions, type Need, needOf } from './needs.js';
import type { RanLine } from './run-line.js';
import { openWorld, type World } from './world.js';

/** The last line of each preview names the other ones, and each of them is accepted. */

let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

interface Example extends Pick<TreeEntry, 'path' | 'command'> {
  run: string;
}

const examples: readonly Example[] = (await commandTree(groups)).flatMap(({ path, command }) =>
  command.examples.map(({ run }) => ({ path, command, run })),
);

function isUsable({ run }: Example): boolean {
  const { meanwhile, again, code = 0 } = needOf(run);
  return !(run in exceptions) && meanwhile === undefined && again !== true && code === 0;
}

const typedId = (word: string): string => stands[word] ?? word;
const edited =
  (name: string, edit: (text: string) => string) =>
  ({ cwd }: { cwd: string }): void => {
    const file = join(cwd, name);
    writeFileSync(file, edit(readFileSync(file, 'utf8')));
  };

/** What finds nothing to change in the seed, and what gives it something. */
const idle: Readonly<Record<string, readonly [run: string, before: NonNullable<Need['before']>]>> = {
  apply: ['apply', ['docs pull', `docs teams update ${typedId('t1')} --title Authors`]],
  'backup restore': [
    'backup restore backup --only teams',
    ['docs backup run --out backup', `docs teams delete ${typedId('t1')} --yes`],
  ],
  'change-requests stale': ['change-requests stale --older-than 1d', []],
  'members review': [
    'members review --apply reviewed.csv',
    [
      'docs members review -o csv > reviewed.csv',
      edited('reviewed.csv', (text) => text.replace(/^(Farah.*),,(\w+)$/m, '$1,role=comment,$2')),
    ],
  ],
  'sites arrange': [
    `sites arrange ${typedId('w1')} @tree.txt`,
    [
      `docs sites tree ${typedId('w1')} > tree.txt`,
      edited('tree.txt', (text) => text.replace('/guides ', '/manual ')),
    ],
  ],
};

/** Their examples only read, wait for an answer, or move what has no siblings. */
const without = ['links fix', 'plan approve', 'site-spaces move'];

/** Some commands only read, unless a flag or another method is typed. */
function isChange({ path, command: { changesWith }, run }: Example): boolean {
  if (path === 'api') return / (?:POST|PUT|PATCH|DELETE) /.test(run);
  return changesWith === undefined || changesWith.some((name) => run.includes(`--${name}`));
}

const changing = examples.filter(
  (one) =>
    isUsable(one) &&
    one.command.danger !== 'read' &&
    isChange(one) &&
    !(one.path in idle) &&
    one.command.effect !== 'local' &&
    // They print something else, or wait.
    !/ --(?:save-plan|if-|list\b|preview|as-change-request|out\b|resume|dry-run)| [|>] /.test(one.run),
);

/** What a line of other previews names: flags or commands, each with its purpose. */
function namedIn(line: string): string[] {
  const briefs = [...previews.map(({ brief }) => brief), 'who gains or loses access'];
  const ends = new RegExp(` \\((?:${briefs.join('|')})\\)(?:, |$)`);
  return line
    .replace(/^Other previews: /, '')
    .split(ends)
    .filter((part) => part !== '');
}

function lastLine({ stderr }: RanLine): string {
  return stderr.trimEnd().split('\n').at(-1) ?? '';
}

async function parses(line: string): Promise<void> {
  const words = shellWords(line).slice(1);
  const walked = await walk(words, groups);
  expect([walked.unknown, walked.stray], line).toEqual([undefined, undefined]);
  const { command } = walked;
  if (command === undefined) throw new Error(`No command: ${line}`);
  parseCommand(words, { ...walked, command });
}

/** Each is a command that its parser takes; a rehearsal is that of the command behind `--`, too. */
async function holdNamed(typed: string, line: string): Promise<string[]> {
  const named = namedIn(line);
  const whole = named.map((one) => (one.startsWith('--') ? `${typed} ${one}` : one));
  for (const one of whole) {
    await parses(one);
    const [, inner] = / -- (.*)$/.exec(one) ?? [];
    if (one.startsWith('docs rehearse') && inner !== undefined) await parses(`docs ${inner}`);
  }
  return whole;
}

const cases: readonly (readonly [string, Need])[] = [
  ...firstOfEach(changing, ({ path }) => path).map(({ run }) => [run, needOf(run)] as const),
  ...Object.values(idle).map(([run, before]) => [run, { line: run, before }] as const),
];

it.each(cases)('docs %s --dry-run', async (run, need) => {
  const typed = `docs ${run.replace(/ --yes\b/, '')}`;
  const shown = await world.run(`${typed} --dry-run`, need);
  expect(shown.code, shown.stderr).toBe(0);
  expect(lastLine(shown)).toMatch(/^Other previews: /);
  const named = await holdNamed(typed, lastLine(shown));
  expect(named.some((one) => one.startsWith('docs rehearse'))).toBe(true);
  for (const one of named.filter((line) => !line.startsWith('docs rehearse'))) {
    const ran = await world.run(one, need.fills ? need : { line: run });
    expect([0, 3], `${one}\n${ran.stderr}`).toContain(ran.code);
  }
  await world.renew({ isPlatformKept: need.before === undefined });
});

it.each(
  firstOfEach(
    examples.filter((one) => isUsable(one) && one.path.startsWith('impact ')),
    ({ path }) => path,
  ),
)('docs $run', async ({ run }) => {
  const shown = await world.run(`docs ${run}`);
  expect(lastLine(shown)).toMatch(/^Other previews: /);
  const named = await holdNamed(`docs ${run}`, lastLine(shown));
  expect(named.map((one) => one.replace(/.*( --dry-run| -- | --save-plan).*/, '$1').trim())).toEqual(
    expect.arrayContaining(['--dry-run', '--', '--save-plan']),
  );
});

it('each command that finds something to change is tried', () => {
  const tried = new Set([...changing.map(({ path }) => path), ...Object.keys(idle), ...without]);
  const all = examples.filter((one) => one.command.danger !== 'read' && one.command.effect !== 'local');
  expect([...new Set(all.map(({ path }) => path))].filter((path) => !tried.has(path))).toEqual([]);
});
