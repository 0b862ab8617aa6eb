import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { sandboxHome } from './sandbox-home.js';
import type { OnTerminal } from './terminal.js';

/** What the environment says of a terminal holds for everything that is printed: colours, cursor, width. */

interface Case {
  words: readonly string[];
  /** Whether it moves the cursor, as a prompt must. */
  moves?: true;
  /** Whether a spinner comes. */
  spins?: true;
  /** What a person does meanwhile. */
  act?(terminal: OnTerminal): Promise<unknown>;
}

const { home, sandbox, docs } = await sandboxHome();
const { space } = sandbox;
sandbox.control.faults.add({ match: 'GET /v1/orgs/*/teams*', delayMs: 100 });
const [request = ''] = (await home.ok(['cr', 'list', '--space', space, '-o', 'id'])).split('\n');
const cases: Readonly<Record<string, Case>> = {
  list: { words: ['members', 'list'] },
  get: { words: ['spaces', 'get', space] },
  create: { words: ['teams', 'create', '--title', 'Writers'] },
  error: { words: ['spaces', 'get', 'GfFWaJNB1rBeqg3z6nr4'] },
  mistake: { words: ['spaces', 'lits'] },
  help: { words: ['change-requests', 'list', '--help'] },
  plan: { words: ['members', 'delete', 'nobody@acme.example', '--dry-run'] },
  diff: { words: ['change-requests', 'diff', request, '--space', space] },
  doctor: { words: ['doctor'] },
  commands: { words: ['commands'] },
  prompt: {
    words: ['spaces', 'get'],
    moves: true,
    act: (terminal) => terminal.leave('Space'),
  },
  progress: { words: ['teams', 'list'], moves: true, spins: true },
  watch: {
    words: ['cr', 'list', '--space', space, '--watch=1s'],
    moves: true,
    act: (terminal) => terminal.leave('every 1s'),
  },
};

/** Every byte that a case writes on a terminal. */
async function bytesOf(name: string, env: Record<string, string>, columns: number, flags: string[] = []) {
  const { words, act, spins = false } = cases[name] as Case;
  // A pager would wait for a key.
  const terminal = docs([...words, ...flags], { columns, env: { DOCS_PAGER: 'off', ...env }, spins });
  await act?.(terminal);
  await terminal.ended;
  return terminal.bytes;
}

const names = [
  ...['list', 'get', 'create', 'error', 'mistake', 'help', 'plan', 'diff', 'doctor', 'commands', 'prompt'],
  ...['progress', 'watch'],
];

/** The numbers of all sequences that change the look: `\x1b[1;31m` is 1 and 31. */
function looksIn(bytes: string): number[] {
  return [...bytes.matchAll(/\x1b\[([\d;]*)m/g)].flatMap(([, numbers = '']) =>
    numbers.split(';').map(Number),
  );
}

/** Weights, and the 16 colours of every terminal, which people choose to be readable. */
const plain = [0, 1, 2, 3, 4, 7, 9, 22, 23, 24, 27, 29, 39, 49];
const isOfSixteen = (look: number) =>
  plain.includes(look) ||
  (look >= 30 && look <= 37) ||
  (look >= 40 && look <= 47) ||
  (look >= 90 && look <= 107);

/** One of each kind, where another environment makes no other difference. */
const some = ['list', 'get', 'error', 'help', 'diff', 'prompt'];

describe('colours', () => {
  const without: [string, Record<string, string>, string[]][] = [
    ['NO_COLOR', { NO_COLOR: '1' }, []],
    ['--no-color', {}, ['--no-color']],
    ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, []],
    ['CI', { CI: '1' }, []],
  ];
  it.each(without)('none with %s', async (_, env, flags) => {
    const asked = env.NO_COLOR === undefined ? some : names;
    // Prompts decide once for a process: terminal.program.test.ts shows them. In CI nothing asks or watches.
    for (const name of asked.filter((one) => one !== 'prompt' && (env.CI === undefined || one !== 'watch'))) {
      const bytes = await bytesOf(name, env, 80, flags);
      expect(looksIn(bytes), name).toEqual([]);
      if (cases[name]?.moves !== true) expect(bytes, name).not.toContain('\x1b');
    }
  });

  it('nothing at all but text on a dumb terminal', async () => {
    // Nothing is asked there, and a watch prints each change below the last.
    for (const name of names) expect(await bytesOf(name, { TERM: 'dumb' }, 80), name).not.toContain('\x1b');
  });

  it.each([
    ['xterm', { TERM: 'xterm' }],
    ['COLORTERM=truecolor', { COLORTERM: 'truecolor' }],
    ['FORCE_COLOR=1', { FORCE_COLOR: '1' }],
    ['FORCE_COLOR=2', { FORCE_COLOR: '2' }],
    ['FORCE_COLOR=3', { FORCE_COLOR: '3' }],
    ['CLICOLOR_FORCE', { CLICOLOR_FORCE: '1' }],
  ] as [string, Record<string, string>][])('only the 16 with %s', async (_, env) => {
    const seen = new Set<number>();
    for (const name of env.TERM === undefined ? ['list', 'error', 'help'] : names) {
      const looks = looksIn(await bytesOf(name, env, 80));
      for (const look of looks) seen.add(look);
      expect(
        looks.filter((look) => !isOfSixteen(look)),
        name,
      ).toEqual([]);
    }
    expect([...seen].some((look) => look >= 30 && look <= 97)).toBe(true);
  });
});

describe('width', () => {
  it.each([60, 80, 200])('no line is wider than a window of %i columns', async (columns) => {
    for (const name of columns === 60 ? names : some) {
      // The lines of a diff are those of the text, and those of the commands are JSON.
      if (name === 'diff' || name === 'commands') continue;
      const bytes = await bytesOf(name, {}, columns);
      // What is drawn over begins at the left again.
      const drawn = bytes.replace(/\x1b\[\d*[AGJK]/g, '\n');
      const lines = stripVTControlCharacters(drawn).split(/[\r\n]+/);
      // Commands to copy and addresses are never broken.
      const whole = (line: string) =>
        /^ {2}(?: {2}|docs )/.test(line) || line.split(' ').some((word) => word.length + 4 > columns);
      expect(
        lines.filter((line) => stringWidth(line) > columns && !whole(line)),
        name,
      ).toEqual([]);
      expect(bytes, name).not.toMatch(/\ufffd|undefined|\[object/);
    }
  });
});
