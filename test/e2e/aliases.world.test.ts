import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { freshHome } from './program.js';
import { spacesPlatform } from './spaces-platform.js';
import { onTerminal } from './terminal.js';

/** Aliases of the settings file: expanded where a person types, and nowhere else unless DOCS_ALIASES=on. */

const platform = await spacesPlatform();
const home = freshHome({ DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'a-token', DOCS_ORG: 'o1' });
await home.ok(['config', 'alias', 'set', 'sps', 'spaces list --fields id,title']);
const settings = (await home.ok(['config', 'path'])).trim();
afterAll(async () => {
  await platform.close();
  home.remove();
});

const aliases = {
  sps: 'spaces list --fields id,title',
  one: 'spaces get',
  rename: 'spaces update $1 --title "$2"',
  area: 'spaces',
};
const store = (stored: unknown): void =>
  writeFileSync(settings, JSON.stringify({ version: 1, aliases: stored }));
beforeEach(() => {
  store(aliases);
  platform.requests.length = 0;
});

const typed = (args: string[], env: Record<string, string> = {}) =>
  onTerminal(args, { env: { ...home.env, ...env }, cwd: home.path }).ended;
const scripted = (args: string[], env: Record<string, string> = {}) => home.run(args, { env });
const on = { DOCS_ALIASES: 'on' };

describe('on a terminal', () => {
  it('an alias runs what it stands for, with what is typed around it', async () => {
    const { code, screen } = await typed(['--no-color', 'sps', '--limit', '1']);
    expect({ code, screen }).toMatchObject({ code: 0, screen: expect.stringContaining('Guide') });
    expect(platform.requests.join()).toContain('/spaces?limit=');
    expect((await typed(['area', 'get', 's2', '-o', 'id'])).screen).toBe('s2');
  });

  it('puts arguments into their places, each as one word', async () => {
    const words = ['rename', 's2', 'New; $(touch evil) "x"', '--dry-run', '--json'];
    expect((await typed(words)).screen).toContain('"title": "New; $(touch evil) \\"x\\""');
    const few = await typed(['rename', 's2']);
    expect(few.code).toBe(2);
    expect(few.screen).toContain('alias "rename" needs 2 arguments, not 1');
    expect(platform.changes()).toEqual([]);
  });

  it('has the help of its command, and says what it stands for', async () => {
    for (const words of [
      ['one', '--help', '--no-pager'],
      ['help', 'one', '--no-pager'],
    ]) {
      const { code, screen } = await typed(words);
      expect(code).toBe(0);
      expect(screen.startsWith('"one" is an alias for "docs spaces get".\n\nGet a space.')).toBe(true);
    }
    expect((await typed(['rename', '--help', '--no-pager'])).screen).toContain('docs spaces update');
  });

  it.each([
    ['CI', { CI: 'true' }],
    ['an agent', { CLAUDECODE: '1' }],
  ])('is not expanded for %s', async (_, env) => {
    const { code, screen } = await typed(['sps'], env);
    expect(code).toBe(2);
    expect(screen).toContain('DOCS_ALIASES=on');
    expect(platform.requests).toEqual([]);
  });
});

describe('in a script', () => {
  it('is an unknown command, and the error says why and what to write', async () => {
    const { code, stdout, stderr } = await scripted(['one', 's2', '--json']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const { error } = JSON.parse(stderr) as { error: Record<string, unknown> };
    expect(error).toMatchObject({
      code: 'unknown_command',
      message: expect.stringContaining('unless DOCS_ALIASES=on is set'),
      hint: 'docs spaces get s2 --json',
      details: { alias: 'one' },
    });
    expect(platform.requests).toEqual([]);
    expect((await scripted(['nonsense'])).stderr).not.toContain('alias');
  });

  it('is expanded with DOCS_ALIASES=on, and a policy sees the command itself', async () => {
    expect((await scripted(['sps', '-o', 'id'], on)).stdout).toContain('s2\n');
    expect(platform.requests.join()).toContain('/collections/c1/spaces');
    const policy = join(home.path, 'policy.yaml');
    writeFileSync(policy, 'version: 1\ndefault: allow\ndeny: ["spaces update"]\n');
    const denied = await scripted(['rename', 's2', 'x', '--yes'], { ...on, DOCS_POLICY: policy });
    expect(denied.code).toBe(5);
    expect(denied.stderr).toContain('spaces update');
    expect(platform.changes()).toEqual([]);
  });
});

describe('the settings', () => {
  it('never give a command of docs another meaning', async () => {
    store({ spaces: 'teams list', cr: 'teams list', help: 'teams list', 'exit-codes': 'teams list' });
    expect((await scripted(['spaces', 'list', '-o', 'id'], on)).stdout).toContain('s1');
    expect((await scripted(['help', 'exit-codes'], on)).stdout).toContain('17');
    const rows = JSON.parse(await home.ok(['config', 'alias', 'list', '--json'])) as { problem: string }[];
    expect(rows.every(({ problem }) => problem.includes('already has a command'))).toBe(true);
    expect(await home.ok(['__complete', 'spa'])).toMatch(/^spaces\tSpaces[^\n]*\n$/);
  });

  it.each([
    ['an alias of an alias', { x: 'sps', sps: 'spaces list' }],
    ['an alias of itself', { x: 'x' }],
    ['no command', { x: 'nonsense $1' }],
    ['a number', { x: 5 }],
    ['nothing', { x: ' ' }],
    ['control characters', { x: 'spaces list \u001b[31m' }],
    ['an open quotation mark', { x: 'spaces list "' }],
    ['very much', { x: `spaces list ${'a'.repeat(5000)}` }],
  ])('with %s are refused where the alias is used, and listed', async (_, stored) => {
    store(stored);
    const used = await scripted(['x'], on);
    expect(used.code).toBe(14);
    expect(used.stderr).toContain('alias "x" cannot be used: ');
    expect(used.stderr).not.toContain('\u001b');
    expect(used.stderr).toContain('docs config alias delete x');
    const listed = await scripted(['config', 'alias', 'list', '--json']);
    expect(listed.code).toBe(0);
    expect(listed.stdout).toContain('"problem":"');
    await home.ok(['config', 'alias', 'delete', 'x']);
    expect(readFileSync(settings, 'utf8')).not.toContain('"x"');
  });

  it.each([
    ['aliases that are a list', '{"version":1,"aliases":["x"]}'],
    ['no JSON', '{"aliases":'],
    ['another layout', '{"version":99,"aliases":{"x":"spaces list"}}'],
  ])('with %s never crash', async (_, text) => {
    writeFileSync(settings, text);
    expect((await scripted(['x'])).code).toBe(2);
    expect((await scripted(['x'], on)).code).toBe(14);
    expect((await scripted(['__complete', 'spa'])).stdout).toContain('spaces');
    expect((await scripted(['config', 'alias', 'set', 'y', 'spaces list'])).code).toBe(14);
    expect(readFileSync(settings, 'utf8')).toBe(text);
  });

  it('of a project have no aliases', async () => {
    writeFileSync(join(home.path, '.docs.json'), '{"aliases":{"mine":"spaces list"}}');
    const unknown = await home.run(['mine'], { env: on });
    expect(unknown.stderr).toContain('unknown command "mine" for "docs"');
    expect(unknown.stderr).not.toContain('alias');
    const refused = await home.run(['sps'], { env: on });
    expect(refused.code).toBe(14);
    expect(refused.stderr).toContain('may not set "aliases"');
    writeFileSync(join(home.path, '.docs.json'), '{}');
    expect(platform.requests).toEqual([]);
  });
});

describe('docs config alias set', () => {
  it.each([
    ['spaces', 'teams list', 'already has a command or help topic'],
    ['cr', 'teams list', 'already has a command or help topic'],
    ['policy', 'teams list', 'already has a command or help topic'],
    ['output', 'teams list', 'already has a command or help topic'],
    ['help', 'teams list', 'already has a command or help topic'],
    ['Two', 'teams list', 'lowercase letters'],
    ['__complete', 'teams list', 'lowercase letters'],
    ['x', 'sps', '"sps" is an alias'],
    ['x', '!ls', 'unknown command "!ls"'],
    ['x', 'help teams', 'must start with a command'],
    ['x', 'teams $1', 'unknown command "$1" for "docs teams"'],
  ])('refuses %s for %s', async (name, expansion, why) => {
    const before = readFileSync(settings, 'utf8');
    const { code, stderr } = await scripted(['config', 'alias', 'set', name, expansion]);
    expect(code).toBe(2);
    expect(stderr).toContain(why);
    expect(readFileSync(settings, 'utf8')).toBe(before);
  });

  it('writes nothing with --dry-run, and says after a change what it did', async () => {
    const before = readFileSync(settings, 'utf8');
    await home.ok(['config', 'alias', 'set', 'tl', 'teams list', '--dry-run']);
    await home.ok(['config', 'alias', 'delete', 'sps', '--dry-run']);
    expect(readFileSync(settings, 'utf8')).toBe(before);
    const { screen } = await typed(['config', 'alias', 'set', 'tl', 'docs teams list']);
    expect(screen).toBe('✓ Set alias tl to "teams list"');
    expect((await scripted(['config', 'alias', 'rm', 'tll'])).stderr).toContain('Did you mean "tl"?');
    expect((await typed(['config', 'alias', 'rm', 'tl'])).screen).toBe('✓ Deleted alias tl');
  });
});
