import { afterEach, describe, expect, it } from 'vitest';
import { freshHome, type Home } from './program.js';
import { type StubPlatform, stubPlatform } from './stub-platform.js';
import { keys, type OnTerminal, onTerminal } from './terminal.js';

/** `docs auth login` on a terminal: which organization is the default, and what holds where it is left. */

let home: Home;
let platform: StubPlatform;
afterEach(async () => {
  home.remove();
  await platform.close();
});

async function platformOf(titles: readonly string[]): Promise<void> {
  const items = titles.map((title, at) => ({ object: 'organization', id: `o${at + 1}`, title }));
  platform = await stubPlatform((_, { pathname }) =>
    pathname === '/v1/orgs' ? { body: { items } } : undefined,
  );
  home = freshHome();
}

async function signIn(titles?: readonly string[]): Promise<OnTerminal> {
  if (titles !== undefined) await platformOf(titles);
  const env = { ...home.env, DOCS_BASE_URL: '', DOCS_TOKEN: '', DOCS_ORG: '' };
  const terminal = onTerminal(['auth', 'login', '--base-url', platform.url], { cwd: home.path, env });
  await terminal.answer('Token:', 'secret-token');
  return terminal;
}

const settingOf = async (key: string) =>
  (await home.run(['config', 'get', key], { env: { DOCS_ORG: '', DOCS_BASE_URL: '' } })).stdout.trim();
const profiles = () => home.json<unknown[]>(['auth', 'list']);

describe('a token', () => {
  it('of one organization makes it the default without a question', async () => {
    const terminal = await signIn(['Acme']);
    expect((await terminal.ended).code).toBe(0);
    expect(terminal.words).toContain('Default organization: Acme (o1).');
    expect(await settingOf('org')).toBe('o1');
    expect(terminal.bytes).not.toContain('secret-token');
  });

  it('of none signs in without a default', async () => {
    const terminal = await signIn([]);
    expect((await terminal.ended).code).toBe(0);
    expect(terminal.words).toContain('Signed in to');
    expect(await settingOf('org')).toBe('');
  });

  it('of several asks which; Enter alone sets none', async () => {
    const terminal = await signIn(['Acme', 'Beta']);
    await terminal.shows('❯ No default');
    expect(terminal.words).toContain('Acme o1');
    terminal.type(keys.enter);
    expect((await terminal.ended).code).toBe(0);
    expect(terminal.words).toContain('You belong to several organizations');
    expect(await settingOf('org')).toBe('');
  });

  it('of several makes the chosen one the default, and the next sign-in marks it', async () => {
    const terminal = await signIn(['Acme', 'Beta']);
    await terminal.answer('❯ No default', keys.down.repeat(2));
    expect((await terminal.ended).code).toBe(0);
    expect(await settingOf('org')).toBe('o2');
    const again = await signIn();
    await again.answer('❯ Beta');
    expect((await again.ended).code).toBe(0);
    expect(await settingOf('org')).toBe('o2');
  });

  it.each([
    ['Ctrl-C', keys.interrupt],
    ['Esc', '\x1b'],
  ])('of several is not stored where %s leaves the question, which says so', async (_, typed) => {
    const terminal = await signIn(['Acme', 'Beta']);
    await terminal.shows('❯ No default');
    terminal.type(typed);
    expect(await terminal.ended).toMatchObject({ signal: 2 });
    expect(terminal.words).toContain('interrupted; the token was not stored');
    expect(await profiles()).toEqual([]);
  });
});
