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

async function signIn(titles: readonly string[]): Promise<OnTerminal> {
  const items = titles.map((title, at) => ({ object: 'organization', id: `o${at + 1}`, title }));
  platform = await stubPlatform((_, { pathname }) =>
    pathname === '/v1/orgs' ? { body: { items } } : undefined,
  );
  home = freshHome();
  const env = { ...home.env, DOCS_BASE_URL: '', DOCS_TOKEN: '', DOCS_ORG: '' };
  const terminal = onTerminal(['auth', 'login', '--base-url', platform.url], { cwd: home.path, env });
  await terminal.shows('Token:');
  terminal.type(`secret-token${keys.enter}`);
  return terminal;
}

const shownIn = ({ screen }: OnTerminal) => screen.text().replaceAll(/\s+/g, ' ');
const settingOf = async (key: string) =>
  (await home.run(['config', 'get', key], { env: { DOCS_ORG: '', DOCS_BASE_URL: '' } })).stdout.trim();
const profiles = () => home.json<unknown[]>(['auth', 'list']);

describe('a token', () => {
  it('of one organization makes it the default without a question', async () => {
    const terminal = await signIn(['Acme']);
    expect((await terminal.ended).code).toBe(0);
    expect(shownIn(terminal)).toContain('Default organization: Acme (o1).');
    expect(await settingOf('org')).toBe('o1');
    expect(terminal.bytes).not.toContain('secret-token');
  });

  it('of none signs in without a default', async () => {
    const terminal = await signIn([]);
    expect((await terminal.ended).code).toBe(0);
    expect(shownIn(terminal)).toContain('Signed in to');
    expect(await settingOf('org')).toBe('');
  });

  it('of several asks which; Enter alone sets none', async () => {
    const terminal = await signIn(['Acme', 'Beta']);
    await terminal.shows('❯ No default');
    expect(shownIn(terminal)).toContain('Acme o1');
    terminal.type(keys.enter);
    expect((await terminal.ended).code).toBe(0);
    expect(shownIn(terminal)).toContain('You belong to several organizations');
    expect(await settingOf('org')).toBe('');
  });

  it('of several makes the chosen one the default, and the next sign-in marks it', async () => {
    const terminal = await signIn(['Acme', 'Beta']);
    await terminal.shows('❯ No default');
    terminal.type(`${keys.down}${keys.down}${keys.enter}`);
    expect((await terminal.ended).code).toBe(0);
    expect(await settingOf('org')).toBe('o2');
    const env = { ...home.env, DOCS_BASE_URL: '', DOCS_TOKEN: '', DOCS_ORG: '' };
    const again = onTerminal(['auth', 'login', '--base-url', platform.url], { cwd: home.path, env });
    await again.shows('Token:');
    again.type(`secret-token${keys.enter}`);
    await again.shows('❯ Beta');
    again.type(keys.enter);
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
    expect(shownIn(terminal)).toContain('Interrupted; the token was not stored.');
    expect(await profiles()).toEqual([]);
  });
});
