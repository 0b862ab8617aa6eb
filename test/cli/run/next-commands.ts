import { describe, expect, it } from 'vitest';
import { shellWords } from '../../../src/base/shell-word.js';
import { contextFlags } from '../../../src/cli/declare/global-flags.js';
import { walk } from '../../../src/cli/parse/walk.js';
import { groups } from '../../../src/commands/index.js';
import { opened } from '../../opened.js';
import type { SomeOf } from '../../some-of.js';
import { startRecordingPlatform } from './recording-platform.js';
import { operationCases } from './request-cases.js';

interface Failed {
  error: { message: string; hint?: string; next: { command: string; when: string }[] };
}

/** The words without a flag and its value. */
function without(words: readonly string[], flag: string): string[] {
  const at = words.indexOf(`--${flag}`);
  return at < 0 ? [...words] : words.toSpliced(at, 2);
}

/** One of each kind of failure. */
const statuses = [400, 401, 403, 404, 409, 429, 500];

/**
 * Commands over an operation, failing in every way: the command to run next exists, is not the one that
 * failed, and keeps the profile and the parents that were typed.
 * @param pick which commands are tried
 * @param most how many of the failures each of them is tried with
 */
export async function holdNextCommands(pick: SomeOf, most: number = statuses.length): Promise<void> {
  const platform = opened(startRecordingPlatform);

  const cases = await operationCases();
  /** What decides which command is named. */
  const kindOf = ({ op, path, command }: (typeof cases)[number]) =>
    [command.name, command.danger, op.path.split('{').length, path.split(' ').length].join();

  const place = ['--profile', 'work', '--base-url'];

  async function failureOf(words: readonly string[], status: number): Promise<Failed['error']> {
    const answer = { status, body: { error: { code: status, message: 'No.' } } };
    const flags = [...place, platform.url, '--no-retry', '--json'];
    const { stderr } = await platform.run([...words, ...flags], answer);
    return (JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as Failed).error;
  }

  /** What came of each `next` that was run. */
  const exits = new Map<string, number>();

  /** Runs a command as it is printed. @returns its exit code */
  async function exitOf(command: string): Promise<number> {
    const known = exits.get(command);
    if (known !== undefined) return known;
    const { code } = await platform.run(shellWords(command).slice(1), { status: 404, body: {} });
    exits.set(command, code);
    return code;
  }

  /** What is wrong with a hint after a command line. */
  async function faultsOf(hint: string | undefined, words: readonly string[]): Promise<string[]> {
    if (hint === undefined) return ['no hint'];
    const typed = await walk(words, groups);
    const next = await walk(shellWords(hint).slice(1), groups);
    const faults: string[] = [];
    const isKnown = next.command !== undefined || next.help || next.flags.has('help');
    if (!isKnown || next.stray !== undefined) faults.push('unknown command');
    if (/[<…]/.test(hint)) faults.push('a gap to fill');
    // With --by-title the same words mean something else.
    const isSame = String(next.path) === String(typed.path) && String(next.args) === String(typed.args);
    if (isSame && !next.flags.has('by-title')) faults.push('the same');
    for (const flag of Object.values(contextFlags)) {
      const takes = next.command?.options.some(({ name }) => name === flag) === true;
      if (takes && String(next.flags.get(flag)) !== String(typed.flags.get(flag)))
        faults.push(`lost --${flag}`);
    }
    const isHelp = next.help || next.flags.has('help');
    if (isHelp) return faults.filter((fault) => !fault.startsWith('lost'));
    if (String(next.flags.get('profile')) !== 'work') faults.push('lost --profile');
    if (next.path[0] !== 'config' && String(next.flags.get('base-url')) !== platform.url)
      faults.push('lost --base-url');
    return faults;
  }

  describe('after a failure of the platform', () => {
    const tried = pick(cases, kindOf).map((one, at) => ({
      ...one,
      some: Array.from({ length: most }, (_, more) => statuses[(at + more) % statuses.length] ?? 404),
    }));
    it.each(tried)('$name', async ({ words, some }) => {
      const found: Record<string, string[]> = {};
      for (const status of some) {
        const { hint, next } = await failureOf(words, status);
        const faults = await faultsOf(hint, words);
        if (faults.length > 0) found[`${status}: ${hint}`] = faults;
        for (const { command } of next) {
          const wrong = await faultsOf(command, words);
          if ((await exitOf(command)) === 2) wrong.push('a usage error');
          if (wrong.length > 0) found[`${status}, next: ${command}`] = wrong;
        }
        const commands = next.map(({ command }) => command);
        if (new Set(commands).size < commands.length || commands.length > 4) found[`${status}`] = commands;
      }
      expect(found).toEqual({});
    });
  });

  describe('where a parent is missing', () => {
    const lists = {
      org: 'docs orgs list',
      space: 'docs spaces list',
      site: 'docs sites list',
      'change-request': 'docs change-requests list',
    };
    const missing = cases.flatMap(({ name, words }) =>
      Object.values(contextFlags)
        .filter((flag) => words.includes(`--${flag}`))
        .map((flag) => ({ name, flag, words: without(words, flag) })),
    );
    const flagOf = ({ flag, name }: (typeof missing)[number]) => `${flag} ${name.split(' ')[2]}`;

    it.each(pick(missing, flagOf))('$name without --$flag', async ({ flag, words }) => {
      const answer = { status: 404, body: {} };
      const { code, stderr, sent } = await platform.run([...words, '--profile', 'work', '--json'], answer);
      // Twins of an operation do without a change request.
      if (sent.length > 0 && flag === 'change-request') return;
      const { error } = JSON.parse(stderr) as Failed;
      expect({ code, sent }).toEqual({ code: 2, sent: [] });
      expect(error.hint?.startsWith(lists[flag])).toBe(true);
      const faults = await faultsOf(error.hint, words);
      expect(faults.filter((fault) => fault !== 'lost --base-url')).toEqual([]);
    });
  });
}
