import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { seedId } from '../sandbox/client.js';
import { sandboxHome } from './sandbox-home.js';
import type { TerminalOptions } from './terminal.js';

/** Titles in place of ids, on a terminal alone: what is shown, what is asked, and what a failure leaves. */

const { home, sandbox, docs } = await sandboxHome();
const { site, org, control } = sandbox;
const [{ id: group }] = await home.json<[{ id: string }]>(['section-groups', 'list', '--site', site]);
beforeEach(() => {
  requests();
  rmSync(join(home.path, '.cache'), { recursive: true, force: true });
});

const shown = (args: string[], options: Partial<TerminalOptions> = {}) =>
  docs(args, { columns: 200, ...options }).ended;

let told = 0;

/** What reached the platform since this was last asked, without queries. */
function requests(): string[] {
  const all = control.requests();
  const fresh = all.slice(told);
  told = all.length;
  return fresh.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`).sort();
}

const sections = () => ['sections', 'list', '--site', site];
const listOf = (what: string) => `GET /v1/orgs/${org}/sites/${site}/${what}`;

describe('a list on a terminal', () => {
  it('shows the titles of what it refers to, by one request more; the next list takes them from the cache', async () => {
    expect((await shown(sections(), { columns: 90 })).screen).toMatch(/Guides +guides +no +Developers /);
    expect(requests()).toEqual([listOf('section-groups'), listOf('sections')]);
    expect((await shown(sections(), { columns: 90 })).screen).toContain('Developers');
    expect(requests()).toEqual([listOf('sections')]);
  });

  it('shows the id behind the title where all columns are whole beside it', async () => {
    await home.ok(['collections', 'create', '--title', 'Nested', '--parent', seedId('collection product')]);
    requests();
    const wide = await shown(['collections', 'list']);
    // The answer itself tells the title.
    expect(requests()).toEqual([`GET /v1/orgs/${org}/collections`]);
    expect(wide.screen).toMatch(new RegExp(`Nested +Product \\(${seedId('collection product')}\\) `));
    const narrow = await shown(['collections', 'list'], { columns: 72 });
    expect(narrow.screen).toMatch(/Nested +Product +\w/);
  });

  it.each([
    ['--fields', ['--fields', 'title,sectionGroup']],
    ['--json', ['--json']],
    ['--jq', ['--jq', '.[].sectionGroup']],
    ['-o csv', ['-o', 'csv']],
  ])('shows ids with %s, and asks for nothing', async (_, flags) => {
    const { code, screen } = await shown([...sections(), ...flags]);
    expect({ code, id: screen.includes(group), title: screen.includes('Developers') }).toEqual({
      code: 0,
      id: true,
      title: false,
    });
    expect(requests()).toEqual([listOf('sections')]);
  });

  it.each([['CI'], ['CLAUDECODE']])('shows ids where %s is set', async (variable) => {
    expect((await shown(sections(), { env: { [variable]: '1' } })).screen).toContain(group);
    expect(requests()).toEqual([listOf('sections')]);
  });
});

describe('a pipe', () => {
  it('has ids, and nothing is asked for it', async () => {
    const text = await home.ok(sections());
    expect(text).toContain(group);
    expect(text).not.toContain('Developers');
    expect(requests()).toEqual([listOf('sections')]);
  });
});

describe('a single resource on a terminal', () => {
  it('shows titles with their ids, of what its columns do not name, too', async () => {
    const { code, screen } = await shown(['spaces', 'get', seedId('space guide')]);
    expect(code).toBe(0);
    expect(screen).toMatch(new RegExp(`^Organization +\\S.* \\(${org}\\)$`, 'm'));
    expect(screen).toMatch(new RegExp(`^Parent +Product \\(${seedId('collection product')}\\)$`, 'm'));
    expect(requests().length).toBe(3);
  });
});

describe('jobs', () => {
  it('are told by what they changed: in jobs list, jobs show, audit list and the preview of undo', async () => {
    const [{ id }] = await home.json<[{ id: string; user: { displayName: string } }]>([
      'members',
      'list',
      '--role',
      'edit',
      '--limit',
      '1',
    ]);
    const member = await home.json<{ user: { displayName: string } }>([
      'members',
      'update',
      id,
      '--role',
      'read',
    ]);
    const name = member.user.displayName;
    const { screen } = await shown(['jobs', 'list', '--limit', '1']);
    expect(screen).toContain(`members update ${name}`);
    expect((await shown(['jobs', 'show', 'last'])).screen).toMatch(new RegExp(`^0 +${name} +${id}`, 'm'));
    expect((await shown(['audit', 'list', '--limit', '1'])).screen).toContain(`members update ${name}`);
    expect((await shown(['undo', 'last', '--dry-run'])).screen).toMatch(new RegExp(`^${name} +${id} `, 'm'));
    const [newest] = (await home.ok(['__complete', 'undo', ''])).split('\n');
    expect(newest).toContain(`\tmembers update ${name}, `);
    expect(await home.ok(['__complete', '--base-url', 'http://127.0.0.1:9', 'undo', ''])).toBe('');
    expect(await home.ok(['jobs', 'list', '--limit', '1'])).toMatch(/\tmembers update\t/);
    expect(await home.ok(['jobs', 'show', 'last'])).not.toContain(name);
    expect(await home.ok(['audit', 'list', '--limit', '2'])).toMatch(/\tmembers update\t/);
  });
});

describe('a lookup that fails', () => {
  const match = `GET /v1/orgs/${org}/sites/*/section-groups*`;

  it.each([
    ['is refused', { status: 403 }],
    ['is answered by an error', { status: 500 }],
    ['must wait', { status: 429, headers: { 'retry-after': '60' } }],
    ['takes too long', { delayMs: 30_000 }],
  ])('leaves the ids when it %s, and is not repeated', async (_, fault) => {
    control.faults.add({ match, times: 1, ...fault });
    const { code, screen } = await shown(sections(), { columns: 90 });
    expect({ code, id: screen.includes(group), words: /error|waiting/i.test(screen) }).toEqual({
      code: 0,
      id: true,
      words: false,
    });
    // What the sandbox still holds back keeps its log waiting for a moment.
    const asked: string[] = [];
    await expect.poll(() => asked.push(...requests()) && asked).toContain(listOf('sections'));
    expect(asked.filter((line) => line.includes('section-groups')).length).toBeLessThanOrEqual(1);
  });
});
