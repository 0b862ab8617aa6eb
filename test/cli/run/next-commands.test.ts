import { describe, expect, it } from 'vitest';
import { DocsError, type Failure } from '../../../src/base/errors.js';
import { type ExitName, exitCodes } from '../../../src/base/exit-codes.js';
import { shellWords } from '../../../src/base/shell-word.js';
import { atPlace } from '../../../src/cli/declare/global-flags.js';
import { commandTree } from '../../../src/cli/declare/outline.js';
import { walk } from '../../../src/cli/parse/walk.js';
import { withNextCommand } from '../../../src/cli/run/next-command.js';
import { withNextCommands, withTry } from '../../../src/cli/run/next-commands.js';
import { groups } from '../../../src/commands/index.js';
import { fakeIo } from '../../fake-io.js';

/** The command to run next, as it has to be typed after the one that failed. */

async function next(hint: string | undefined, ...argv: string[]): Promise<string | undefined> {
  const error = new DocsError('refused', 'refused', 'No.', hint === undefined ? {} : { hint });
  return (await withNextCommand(error, { argv, groups, platform: 'linux' })).failure.hint;
}

it.each([
  ['docs jobs resume J', '--sandbox members update u1', 'docs jobs resume J --sandbox'],
  ['docs jobs resume J', 'members update u1 --profile work', 'docs jobs resume J --profile work'],
  ['docs jobs resume J', 'members update u1 --base-url=http://x', 'docs jobs resume J --base-url http://x'],
  ['docs undo J --profile work', 'undo J --sandbox', 'docs undo J --profile work'],
  ['docs undo J --sandbox', 'undo J --profile work', 'docs undo J --sandbox'],
  ['docs spaces --help', 'spaces nope --sandbox', 'docs spaces --help'],
  ['docs spaces --help', 'spaces nope --help', 'docs spaces --help'],
  ['docs --help', 'nope --help', 'docs --help'],
  ['docs spaces --help', 'spaces --help --nope', 'docs spaces list'],
  ['docs help exit-codes', 'spaces list --sandbox', 'docs help exit-codes'],
  ['docs sandbox start', 'spaces list --profile work', 'docs sandbox start'],
  ['docs config set timeout 5m', 'spaces list --sandbox', 'docs config set timeout 5m'],
  [
    'docs config set timeout 5m',
    'spaces list --timeout 5s --sandbox',
    'docs spaces list --timeout 5m --sandbox',
  ],
  ['docs config set timeout 9m', 'spaces list --timeout=5s', 'docs spaces list --timeout=9m'],
  ['docs config set timeout 5m', 'members update u1 --timeout 5s', 'docs config set timeout 5m'],
  ['docs config set org o1', 'spaces list --profile work', 'docs config set org o1 --profile work'],
  ['df -h /tmp', 'spaces list --profile work', 'df -h /tmp'],
  ['docs comments list', 'comments get c1 --space s1 --org o1', 'docs comments list --space s1'],
  ['docs comments list --space s2', 'comments get c1 --space s1', 'docs comments list --space s2'],
  ['docs sites list', 'sections list --site s1 --org o1', 'docs sites list --org o1'],
  ['docs open … --print', 'open space s1 --sandbox', 'docs open space s1 --print --sandbox'],
  ['docs teams list', 'teams list --org o1', 'docs orgs list'],
  ['docs teams list', 'teams list --json', 'docs orgs list'],
  ['docs teams get t1', 'teams get t1', 'docs teams list'],
  ["docs teams get 'a b'", 'teams get a\u00a0b', "docs teams get 'a b'"],
  ['docs teams get t1 --by-title', 'teams get t1', 'docs teams get t1 --by-title'],
  ['docs teams get t1', 'teams get t1 --by-title', 'docs teams list'],
  ['docs change-requests list --space s1', 'change-requests list --space s1', 'docs spaces list'],
  ['docs jobs resume J', 'jobs resume J', 'docs jobs show J'],
  ['docs orgs list', 'orgs list', 'docs auth status'],
  ['docs auth status', 'auth status', 'docs auth list'],
  ['docs doctor', 'doctor', 'docs auth status'],
  ['docs api GET /v1/orgs', 'api GET /v1/orgs', 'docs auth status'],
])('%s after docs %s: %s', async (hint, line, expected) => {
  expect(await next(hint, ...line.split(' '))).toBe(expected);
});

it.each(['interrupted', 'terminated', 'partial'] as const)(
  'is the same one where it goes on: %s',
  async (kind) => {
    const hint = 'docs backup run --out acme';
    const error = new DocsError(kind, kind, 'Stopped.', { hint, retryable: true });
    const argv = ['backup', 'run', '--out', 'acme', '--sandbox'];
    const { failure } = await withNextCommand(error, { argv, groups, platform: 'linux' });
    expect(failure.hint).toBe(`${hint} --sandbox`);
  },
);

it('is none where there was none', async () => {
  expect(await next(undefined, 'orgs', 'list')).toBeUndefined();
});

it('reads words as a shell does', () => {
  expect(shellWords(`docs a 'b c' 'it'\\''s' "d e" f`)).toEqual(['docs', 'a', 'b c', "it's", 'd e', 'f']);
});

it('is never one that would do for good what nobody was asked about', async () => {
  const next = ['docs spaces delete s1', 'docs spaces delete s1 --dry-run'].map((command) => ({
    ...{ command, when: 'to remove it' },
  }));
  const error = new DocsError('refused', 'refused', 'No.', { next });
  const argv = ['spaces', 'get', 's1'];
  const found = await withNextCommands(error, { argv, groups, platform: 'linux', io: fakeIo() });
  expect(found.failure.next?.map(({ command }) => command)).toEqual(['docs spaces delete s1 --dry-run']);
});

it('leaves other programs alone', () => {
  expect(atPlace('npm install docs', { profile: 'work' }, 'linux')).toBe('npm install docs');
});

const commands = (await commandTree(groups)).map(({ path, command }) => {
  const args = command.args.filter(({ required }) => required).map(({ name }) => `${name}-1`);
  return { path, line: [...path.split(' '), ...args].join(' ') };
});

describe('a command that names itself', () => {
  it.each(commands)('docs $path', async ({ path, line }) => {
    const found = await next(`docs ${line}`, ...line.split(' '), '--sandbox');
    const { command, help, path: nextPath, stray } = await walk(shellWords(found ?? '').slice(1), groups);
    expect({ known: command !== undefined || help, stray }).toEqual({ known: true, stray: undefined });
    expect(nextPath.join(' ')).not.toBe(path);
    const placeless = ['sandbox', 'help', 'schema', 'commands', 'find', 'skill', 'completion', 'config'];
    const isKept = found?.endsWith(' --sandbox') === true;
    expect(isKept).toBe(!help && !placeless.includes(nextPath[0] ?? ''));
  });
});

it('is about the token and the connection where reads failed, whatever the command does', async () => {
  const error = new DocsError('partial', 'not_all_read', 'Failed to read 1 space.');
  const argv = ['impact', 'delete', 'space', 's1'];
  const found = await withNextCommands(error, { argv, groups, platform: 'linux', io: fakeIo() });
  expect(found.failure.next?.map(({ command }) => command)).toEqual(['docs auth status', 'docs doctor']);
});

describe('an error that a person reads', () => {
  const argv = ['teams', 'update', 't1', '--title', 'a', '--org', 'o1'];
  const tried = async (kind: ExitName, code: string = kind, facts: Failure = {}, isTTY = false) => {
    const io = fakeIo();
    Object.assign(io.stdin, { isTTY });
    const error = new DocsError(kind, code, 'no', facts);
    return (await withTry(error, { argv, groups, platform: 'linux', io })).failure.hint;
  };
  const unanswered = ['ok', 'findings', 'interrupted', 'terminated'];
  const kinds = (Object.keys(exitCodes) as ExitName[]).filter((kind) => !unanswered.includes(kind));

  it.each(kinds)('has a command to try where it names none: %s', async (kind) => {
    const hint = (await tried(kind)) ?? '';
    const [program, ...words] = shellWords(hint);
    if (program !== 'docs') return expect(hint).toMatch(/^(?:ls -la|df -h) \S+$/);
    const { command, help, flags, stray } = await walk(words, groups);
    const isKnown = command !== undefined || help || flags.has('help');
    expect({ isKnown, stray }).toEqual({ isKnown: true, stray: undefined });
  });

  it('has none after findings, and where a person left a question', async () => {
    expect(await tried('findings')).toBeUndefined();
    expect(await tried('interrupted')).toBeUndefined();
    expect(await tried('usage', 'not_confirmed', {}, true)).toBeUndefined();
    expect(await tried('usage', 'not_confirmed')).toBe('docs teams update t1 --title a --org o1 --dry-run');
  });

  it('keeps the one that it names', async () => {
    expect(await tried('usage', 'wrong', { hint: 'docs orgs list' })).toBe('docs orgs list');
  });
});
