import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { partOf, writtenTo } from '../reports/written.js';
import { sandboxHome } from './sandbox-home.js';

/** `--html`: the page of a check, a plan, a comparison and an impact, beside what is printed as ever. */

const { home } = await sandboxHome();
let welcome: string;
const at = (name: string): string => join(home.path, name);
const docs = (...words: string[]) => home.run(words);

beforeAll(async () => {
  const spaces = await home.json<{ id: string; title: string }[]>(['spaces', 'list']);
  welcome = spaces.find(({ title }) => title === 'Welcome')?.id ?? '';
  await home.ok(['backup', 'run', '--out', 'before']);
  cpSync(at('before'), at('after'), { recursive: true });
  await home.ok(['spaces', 'update', welcome, '--edit-mode', 'locked']);
  await home.ok(['backup', 'run', '--out', 'after']);
  await home.ok(['pull']);
  const teams = readFileSync(at('org/teams.yaml'), 'utf8');
  writeFileSync(at('org/teams.yaml'), teams.replace('title: Writers', 'title: "<b>Authors</b>"'));
  await home.ok(['plan', '--save-plan', 'saved.json']);
  writeFileSync(at('policy.yaml'), 'version: 1\ndeny: ["spaces delete"]\n');
});

/** Every command that has it, with an exit code that findings give. */
const lines = (): [string, string[], number][] => [
  ['links check', ['links', 'check', '--fail-on', 'broken'], 17],
  ['plan', ['plan', '--exit-code'], 17],
  ['plan show', ['plan', 'show', 'saved.json'], 0],
  ['backup diff', ['backup', 'diff', 'before', 'after', '--exit-code'], 17],
  ['impact', ['impact', 'delete', 'space', welcome, '--fail-on', 'urls'], 17],
  // These have rows and no page of their own.
  ['access who', ['access', 'who', welcome], 0],
  ['jobs list', ['jobs', 'list'], 0],
  ['backup log', ['backup', 'log', 'after'], 0],
  ['sso readiness', ['sso', 'readiness'], 17],
  ['policy explain', ['policy', 'explain', 'policy.yaml'], 0],
  // These show what was or would be changed.
  ['jobs show', ['jobs', 'show', 'last'], 0],
  ['plan drift', ['plan', 'drift'], 0],
];

/** Plans have a new id and time each. */
const settled = (text: string) => text.replaceAll(/p-[0-9a-f]{16}|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, '…');

test('stdout, the exit code and all else on stderr are as without it', async () => {
  for (const [name, words, code] of lines()) {
    const [plain, page] = [await docs(...words), await docs(...words, '--html', 'page.html')];
    expect({ name, code: page.code }).toEqual({ name, code });
    expect(plain.code).toBe(code);
    expect(settled(page.stdout)).toBe(settled(plain.stdout));
    expect(plain.stdout).not.toBe('');
    const notes = page.stderr.replace(/^Wrote page\.html \([\d.]+ kB\)\.\n/m, '');
    expect(notes).not.toBe(page.stderr);
    expect(notes).toBe(plain.stderr);
    expect(statSync(at('page.html')).mode & 0o777).toBe(0o600);
  }
});

test('a file that is no report is refused before anything is read, and a missing folder, too', async () => {
  writeFileSync(at('notes.html'), 'mine');
  // Nothing answers there, so whatever is read fails otherwise.
  const env = { DOCS_BASE_URL: 'http://127.0.0.1:9', DOCS_TOKEN: 't', DOCS_ORG: 'o1' };
  for (const [name, words] of lines()) {
    const run = (file: string) => home.run([...words, '--html', file], { env });
    const refused = await run('notes.html');
    expect({ name, code: refused.code, stdout: refused.stdout }).toEqual({ name, code: 2, stdout: '' });
    expect(refused.stderr).toContain('notes.html already exists and is not a report of docs');
    expect((await run('none/page.html')).code).toBe(13);
    expect((await run('-')).code).toBe(2);
  }
  expect(readFileSync(at('notes.html'), 'utf8')).toBe('mine');
});

test.each([
  ['--save-plan', ['plan', '--save-plan', 'same.html']],
  ['--report-file', ['links', 'check', '--report', 'markdown', '--report-file', './same.html']],
  ['--baseline', ['links', 'check', '--baseline', 'same.html', '--update-baseline']],
])('it names another file than %s', async (flag, words) => {
  const { code, stdout, stderr } = await docs(...words, '--html', 'same.html');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(`--html and ${flag} name the same file`);
  expect(existsSync(at('same.html'))).toBe(false);
});

test('a job has one with what failed first, and how to go on', async () => {
  await home.ok(['sandbox', 'fault', '--match', 'PATCH /v1/spaces/*', '--status', '400', '--times', '1']);
  expect((await docs('spaces', 'update', welcome, '--title', 'Hello')).code).toBe(8);
  await home.ok(['jobs', 'show', 'last', '--html', 'job.html']);
  const page = writtenTo(at('job.html'));
  expect(page.head).toContain('spaces update Welcome: 0 of 1 item is done');
  expect(partOf(page, 'table', 'Items').rows[0]?.slice(1, 4)).toEqual(['Welcome', welcome, 'failed']);
  const html = readFileSync(at('job.html'), 'utf8');
  expect(html).toMatch(/<section id="needs"[\s\S]*Welcome: [\s\S]*<code class="cmd">docs jobs resume /);
});

test('of an overview has what changed since the last backup, and its runs', async () => {
  await home.ok(['backup', 'run', '--out', 'runs']);
  await home.ok(['teams', 'create', '--title', 'Late']);
  await home.ok(['backup', 'run', '--out', 'runs']);
  await home.ok(['overview', '--html', 'overview.html']);
  const page = writtenTo(at('overview.html'));
  const runs = partOf(page, 'table', 'Backups').rows;
  expect(runs.map(([run, , state]) => [run, state])).toEqual([
    [2, 'whole'],
    [1, 'whole'],
  ]);
  await home.ok(['spaces', 'delete', welcome, '--yes']);
  await home.ok(['overview', '--html', 'overview.html']);
  const html = readFileSync(at('overview.html'), 'utf8');
  expect(html).toMatch(/spaces, \d+ published, 1 fewer than in the backup of \d{4}-\d\d-\d\d/);
  await home.ok(['spaces', 'restore', welcome]);
});

test('a page has what the terminal warns of', async () => {
  const ran = await docs('sso', 'readiness', '--html', 'sso.html');
  const html = readFileSync(at('sso.html'), 'utf8');
  const warned = ran.stderr.split('\n').filter((line) => /^(Blocks|Warning)/.test(line));
  expect(warned.length).toBeGreaterThan(0);
  const needs = /<section id="needs"[\s\S]*?<\/section>/.exec(html)?.[0] ?? '';
  for (const line of warned.slice(0, 7)) expect(needs).toContain(line.slice(0, 40).replaceAll("'", '&#39;'));
});

test('it names no path of this machine', async () => {
  await home.ok(['plan', '--html', at('absolute.html')]);
  expect(readFileSync(at('absolute.html'), 'utf8')).not.toContain(home.path);
});

test('a dry run writes none', async () => {
  const { code, stderr } = await docs('links', 'check', '--html', 'dry.html', '--dry-run');
  expect(code).toBe(0);
  expect(stderr).toContain('Dry run: did not write dry.html.');
  expect(existsSync(at('dry.html'))).toBe(false);
});

describe('the page', () => {
  test('of a check has the broken links, and the graph of all with these apart', async () => {
    await docs('links', 'check', '--html', 'links.html');
    const page = writtenTo(at('links.html'));
    expect(page.head).toContain('1 broken link found. Looked at 5 spaces with 11 links.');
    expect(partOf(page, 'table', 'Broken links').rows.map((row) => row.slice(0, 5))).toEqual([
      ['broken', 'Welcome', 'Conflicts', '../moving-content.md', 'Nothing has this path.'],
    ]);
    const { nodes, edges } = partOf(page, 'graph', 'Links between pages');
    const ends = edges.map(({ from, to, broken }) => [nodes[from]?.label, nodes[to]?.label, broken]);
    expect(ends).toContainEqual(['Conflicts', '../moving-content.md', 1]);
    expect(ends).toContainEqual(['Getting started', 'Quickstart', 0]);
  });

  test('of a check of a change request is of its pages', async () => {
    const words = ['--space', welcome, '--change-request', '3'];
    expect((await docs('links', 'check', ...words, '--html', 'cr.html')).code).toBe(0);
    const page = writtenTo(at('cr.html'));
    expect(page.head).toContain(`space ${welcome}, change request 3`);
    expect(partOf(page, 'table', 'Broken links').rows.map((row) => row[3])).toContain('faq.md');
    const { nodes, edges } = partOf(page, 'graph', 'Links between pages');
    const broken = edges.filter((edge) => edge.broken > 0);
    expect(broken.map(({ from, to }) => [nodes[from]?.label, nodes[to]?.label])).toContainEqual([
      'Welcome',
      'faq.md',
    ]);
  });

  test('of a check says which space could not be read', async () => {
    await home.ok(['sandbox', 'fault', '--match', `GET /v1/spaces/${welcome}/links*`, '--status', '500']);
    const ran = await docs('links', 'check', '--no-retry', '--html', 'partial.html');
    await home.ok(['sandbox', 'fault', '--clear']);
    expect(ran.code).toBe(3);
    const { head } = writtenTo(at('partial.html'));
    expect(head).toContain(`This report is not complete. Not read: space Welcome (${welcome}): `);
  });

  test('of a plan, made now or saved, has each change before and after', async () => {
    await docs('plan', '--html', 'plan.html');
    await docs('plan', 'show', 'saved.json', '--html', 'saved.html');
    for (const name of ['plan.html', 'saved.html']) {
      const page = writtenTo(at(name));
      expect(page.head).toContain('Plan for Acme Docs 1 change to Acme Docs 1 to change.');
      expect(partOf(page, 'changes', 'Changes').items).toEqual([
        {
          ...{ action: 'change', as: 'team', title: 'writers', id: 'o1' },
          notes: [expect.stringMatching(/^PATCH .*"<b>Authors<\/b>"\}$/), 'File: teams.yaml'],
          fields: [{ name: 'title', before: 'Writers', after: '<b>Authors</b>' }],
        },
      ]);
    }
  });

  test('of a report of rows has its columns, and how it ends', async () => {
    const ran = await docs('access', 'who', welcome, '--html', 'who.html', '--json');
    const page = writtenTo(at('who.html'));
    const [table] = page.parts;
    if (table?.kind !== 'table') throw new Error('The part is a table.');
    expect(table.rows).toHaveLength((JSON.parse(ran.stdout) as unknown[]).length);
    expect(table.columns.map(({ label }) => label)).toContain('Role');
    expect(page.head).toMatch(/List the people with a role in a space.* \d+ roles in 1 space/);
  });

  test('of a plan never has a value of the environment', async () => {
    const [before, secret] = [readFileSync(at('org/teams.yaml'), 'utf8'), 'Team of the hidden name'];
    writeFileSync(at('org/teams.yaml'), before.replace('"<b>Authors</b>"', '!env TEAM_TITLE'));
    const settings = readFileSync(at('org/org.yaml'), 'utf8');
    writeFileSync(at('org/org.yaml'), settings.replace('guards:', 'env: [TEAM_TITLE]\nguards:'));
    const ran = await home.run(['plan', '--html', 'env.html'], { env: { TEAM_TITLE: secret } });
    writeFileSync(at('org/teams.yaml'), before);
    expect(ran.code).toBe(0);
    const page = writtenTo(at('env.html'));
    expect(JSON.stringify(page)).not.toContain(secret);
    expect(partOf(page, 'changes', 'Changes').items[0]?.fields[0]?.after).toBe('!env TEAM_TITLE');
  });

  test('of a comparison has each difference before and after', async () => {
    await docs('backup', 'diff', 'before', 'after', '--html', 'diff.html');
    const { items } = partOf(writtenTo(at('diff.html')), 'changes', 'Differences');
    expect(items).toContainEqual({
      ...{ action: 'change', as: 'space', title: 'Welcome', id: welcome },
      fields: [{ name: 'editMode', before: 'live', after: 'locked' }],
    });
  });

  test('of an impact has a table for each section, whatever is printed', async () => {
    const words = ['impact', 'delete', 'space', welcome, '--json', '--html', 'impact.html'];
    const { stdout } = await docs(...words);
    const page = writtenTo(at('impact.html'));
    expect(page.head).toContain(`Deleting space Welcome (${welcome})`);
    const urls = (JSON.parse(stdout) as { urls: { url: string }[] }).urls.map(({ url }) => url);
    expect(urls.length).toBeGreaterThan(5);
    const table = partOf(page, 'table', 'Published URLs that stop working');
    expect(table.rows.map(([url]) => url)).toEqual(urls);
  });
});
