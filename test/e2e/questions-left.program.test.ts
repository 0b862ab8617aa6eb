import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedId } from '../sandbox/client.js';
import { freshHome, type Home } from './program.js';
import { type Started, startSandbox } from './sandbox-server.js';
import { keys, type OnTerminal, onTerminal } from './terminal.js';

/** Esc, Ctrl-D and Ctrl-C leave every kind of question: nothing is sent, and the terminal is as it was. */

let home: Home;
let sandbox: Started;
beforeAll(async () => {
  home = freshHome();
  sandbox = await startSandbox(home);
});
afterAll(async () => {
  await sandbox.close();
  home.remove();
});

const changes = async () => {
  const requests = await home.json<{ method: string; path: string }[]>(['sandbox', 'requests']);
  return requests.filter(({ method, path }) => method !== 'GET' && path.startsWith('/v1'));
};

/** The shell outlives the signal that ends docs, and tells how the terminal is left. */
function docs(args: readonly string[], env: Record<string, string> = {}): OnTerminal {
  const shell = { before: 'trap : INT', after: 'echo "code $?"; stty -a' };
  return onTerminal(args, { cwd: home.path, env: { ...home.env, ...env }, ...shell });
}

const signedOut = { DOCS_BASE_URL: '', DOCS_TOKEN: '' };
const address = ['auth', 'login', '--base-url', 'http://127.0.0.1:9'];
const questions: [what: string, args: string[], shows: string, env?: Record<string, string>][] = [
  ['a text', ['teams', 'create'], 'Title:'],
  ['a choice', ['members', 'update', seedId('user grace')], '❯'],
  ['a choice of this machine', ['config', 'get'], '❯ base-url'],
  ['a list that is searched', ['teams', 'get'], '❯'],
  ['a yes or no', ['teams', 'delete', seedId('team writers')], '(y/N)'],
  ['a title to type', ['spaces', 'delete', seedId('space guide')], 'Type the title or the id'],
  ['a token', address, 'Token:', signedOut],
];
const leaving = [
  ['Esc', '\x1b', 'Cancelled; nothing was sent.'],
  ['Ctrl-D', '\x04', 'Cancelled; nothing was sent.'],
  ['Ctrl-C', keys.interrupt, 'Interrupted; nothing was sent.'],
] as const;

describe.each(questions)('%s', (_, args, shows, env) => {
  it.each(leaving)('is left by %s', async (_key, typed, message) => {
    const before = await changes();
    const terminal = docs(args, env);
    await terminal.shows(shows);
    terminal.type(typed);
    const { screen } = await terminal.ended;
    expect(screen.replaceAll(/\s+/g, ' ')).toContain(message);
    expect(screen).toContain('code 130');
    expect(screen).toMatch(/(?<!-)icanon/);
    expect(screen).toMatch(/(?<!-)echo /);
    expect(terminal.screen.cursorShown).toBe(true);
    expect(await changes()).toEqual(before);
  });
});

describe('Ctrl-D behind a text', () => {
  it('is no answer and leaves nothing: the text stays to be edited', async () => {
    const terminal = docs(['config', 'set', 'fields'], signedOut);
    await terminal.shows('New value:');
    terminal.type('id,title\x04');
    terminal.type(keys.enter);
    expect((await terminal.ended).screen).toContain('code 0');
    expect(await home.ok(['config', 'get', 'fields'])).toContain('id,title');
    await home.ok(['config', 'unset', 'fields']);
  });
});

describe('an editor that is waited for', () => {
  it('gets Esc and Ctrl-D itself; what it leaves empty is not sent', async () => {
    const before = await changes();
    const editor = join(home.path, 'edit');
    // Ctrl-D ends the input of the editor, which saves nothing.
    writeFileSync(editor, '#!/bin/sh\necho "editing"\ncat > "$1"\n', { mode: 0o700 });
    const terminal = docs(['comments', 'create', '--space', seedId('space guide')], {
      EDITOR: editor,
      PATH: process.env.PATH ?? '',
    });
    await terminal.shows('editing');
    terminal.type('\x04');
    const { screen } = await terminal.ended;
    expect(screen).toContain('The text is empty; nothing was sent.');
    expect(screen).toContain('code 2');
    expect(screen).toMatch(/(?<!-)icanon/);
    expect(await changes()).toEqual(before);
  });
});
