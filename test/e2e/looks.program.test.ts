import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshHome, type Home } from './program.js';
import { type Started, startSandbox } from './sandbox-server.js';
import { keys, type OnTerminal, onTerminal } from './terminal.js';

/** What the environment says of a terminal holds for everything that is printed: colours, cursor, width. */

interface Case {
  words: readonly string[];
  /** Further variables. */
  env?: Readonly<Record<string, string>>;
  /** Whether it moves the cursor, as a prompt must. */
  moves?: true;
  /** What a person does meanwhile. */
  act?(terminal: OnTerminal): Promise<void>;
}

let home: Home;
let sandbox: Started;
let cases: Readonly<Record<string, Case>>;

beforeAll(async () => {
  home = freshHome();
  sandbox = await startSandbox(home);
  const { space } = sandbox;
  home.env.PAGER = 'cat';
  await home.ok(['sandbox', 'fault', '--match', 'GET /v1/orgs/*/teams*', '--delay', '600ms']);
  const [request = ''] = (await home.ok(['cr', 'list', '--space', space, '-o', 'id'])).split('\n');
  cases = {
    list: { words: ['members', 'list'] },
    get: { words: ['spaces', 'get', space] },
    create: { words: ['teams', 'create', '--title', 'Writers'] },
    error: { words: ['spaces', 'get', 'GfFWaJNB1rBeqg3z6nr4'] },
    mistake: { words: ['spaces', 'lits'] },
    help: { words: ['change-requests', 'list', '--help'] },
    plan: { words: ['members', 'delete', 'nobody@acme.example', '--dry-run'] },
    diff: { words: ['change-requests', 'diff', request, '--space', space] },
    doctor: { words: ['doctor'] },
    pager: { words: ['commands'], env: { PAGER: 'cat -v' } },
    prompt: {
      words: ['spaces', 'get'],
      moves: true,
      async act(terminal) {
        await terminal.shows('Space');
        terminal.type(keys.interrupt);
      },
    },
    // Slow enough for a spinner.
    progress: { words: ['teams', 'list'], moves: true },
    watch: {
      words: ['cr', 'list', '--space', space, '--watch=1s'],
      moves: true,
      async act(terminal) {
        await terminal.shows('every 1s');
        terminal.type(keys.interrupt);
      },
    },
  };
});
afterAll(async () => {
  await sandbox.close();
  home.remove();
});

/** Every byte that a case writes on a terminal. */
async function bytesOf(name: string, env: Record<string, string>, columns: number, flags: string[] = []) {
  const { words, act, env: own } = cases[name] as Case;
  const terminal = onTerminal([...words, ...flags], {
    ...{ cwd: home.path, columns },
    env: { ...home.env, ...own, ...env },
  });
  await act?.(terminal);
  await terminal.ended;
  return terminal.bytes;
}

/** Three at a time. */
async function each<T>(items: readonly T[], check: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const work = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await check(item);
  };
  await Promise.all([work(), work(), work()]);
}

const names = [
  ...['list', 'get', 'create', 'error', 'mistake', 'help', 'plan', 'diff', 'doctor', 'pager', 'prompt'],
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

/** What a spinner writes, which any command shows on a machine that is busy enough. */
const spinning = /\x1b\[(?:\?2026[hl]|\?25[hl]|1?G|\d?[AK])/g;

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
    const asked = (env.NO_COLOR === undefined ? some : names).filter(
      (name) => env.CI === undefined || cases[name]?.act === undefined,
    );
    await each(asked, async (name) => {
      const bytes = await bytesOf(name, env, 80, flags);
      expect(looksIn(bytes), name).toEqual([]);
      if (cases[name]?.moves !== true) expect(bytes.replaceAll(spinning, ''), name).not.toContain('\x1b');
    });
  });

  it('nothing at all but text on a dumb terminal', async () => {
    // Nothing is asked there, and a watch prints each change below the last.
    await each(names, async (name) => {
      expect(await bytesOf(name, { TERM: 'dumb' }, 80), name).not.toContain('\x1b');
    });
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
    await each(env.TERM === undefined ? some : names, async (name) => {
      const looks = looksIn(await bytesOf(name, env, 80));
      for (const look of looks) seen.add(look);
      expect(
        looks.filter((look) => !isOfSixteen(look)),
        name,
      ).toEqual([]);
    });
    expect([...seen].some((look) => look >= 30 && look <= 97)).toBe(true);
  });
});

describe('width', () => {
  it.each([60, 80, 120, 200])('no line is wider than a window of %i columns', async (columns) => {
    await each(
      // The lines of a diff are those of the text, and those of the pager here are JSON.
      (columns === 60 ? names : some).filter((name) => !['diff', 'pager'].includes(name)),
      async (name) => {
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
      },
    );
  });
});
