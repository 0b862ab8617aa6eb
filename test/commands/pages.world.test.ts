import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { run } from '../../src/main.js';
import { type ImpactWorld, openImpactWorld } from '../access/impact/world.js';
import { startRecordingPlatform } from '../cli/run/recording-platform.js';
import { fakeIo } from '../fake-io.js';
import { opened } from '../opened.js';
import { seedId } from '../sandbox/client.js';

/** What becomes of a page where the reader of the output leaves: `docs … --html page.html | head`. */

let world: ImpactWorld;
let home: string;
beforeAll(async () => {
  world = await openImpactWorld();
  home = mkdtempSync(join(tmpdir(), 'docs-left-'));
  await docs(['backup', 'run', '--out', 'backup']);
  await docs(['backup', 'run', '--out', 'without', '--no-access']);
  await docs(['teams', 'create', '--title', 'New']);
  await docs(['backup', 'run', '--out', 'backup']);
  await docs(['pull']);
  await docs(['plan', '--save-plan', 'plan.json']);
});
beforeEach(() => rmSync(join(home, 'page.html'), { force: true }));
afterAll(async () => {
  await world.close();
  rmSync(home, { recursive: true, force: true });
});

async function docs(words: readonly string[], { leaves = false } = {}) {
  const { url, tokens, organizationId } = world.sandbox;
  const DOCS_TOKEN = tokens.find(({ name }) => name === 'admin')?.token ?? '';
  const env = { HOME: home, DOCS_BASE_URL: url, DOCS_TOKEN, DOCS_ORG: organizationId };
  const io = fakeIo({ env, cwd: home, now: new Date().toISOString() });
  if (leaves) io.stdout.failWith = 'EPIPE';
  const code = await run(words, io);
  return { code, stderr: io.stderr.text };
}

test.each([
  ['links check', ['links', 'check', '--status', 'ok']],
  ['backup diff', ['backup', 'diff', 'without', 'backup']],
])('%s, which prints as it reads: there is none, and it says so', async (_name, words) => {
  const { code, stderr } = await docs([...words, '--html', 'page.html'], { leaves: true });
  expect(code).toBe(0);
  expect(stderr).toContain('Did not write page.html: not all of it was read.\n');
  expect(existsSync(join(home, 'page.html'))).toBe(false);
});

test.each([
  ['impact', ['impact', 'delete', 'space', seedId('space guide')]],
  ['plan', ['plan']],
  ['plan show', ['plan', 'show', 'plan.json']],
])('%s, which reads all before it prints: it is written', async (_name, words) => {
  const { code, stderr } = await docs([...words, '--html', 'page.html'], { leaves: true });
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^Wrote page\.html \([\d.]+ kB\)\.\n$/),
  });
  expect(existsSync(join(home, 'page.html'))).toBe(true);
});

/** `docs content pages`: a tree for people and JSON, lines for programs; a page's text as it is. */

const platform = opened(startRecordingPlatform);

const tree = {
  pages: [
    {
      id: 'p1',
      title: 'Guides',
      path: 'guides',
      type: 'document',
      pages: [
        { id: 'p2', title: 'Setup', path: 'guides/setup', type: 'document', pages: [] },
        {
          id: 'p3',
          title: 'Use',
          path: 'guides/use',
          type: 'document',
          pages: [{ id: 'p4', title: 'Daily', path: 'guides/use/daily', type: 'document' }],
        },
      ],
    },
    { id: 'p5', title: 'API', path: 'api', type: 'document' },
  ],
};

const list = (...flags: string[]) =>
  platform.run(['content', 'pages', 'list', '--space', 's1', ...flags], { status: 200, body: tree });

describe('content pages list', () => {
  it('shows a tree on a terminal, indented by depth', async () => {
    const { stdout } = await platform.run(
      ['content', 'pages', 'list', '--space', 's1', '--fields', 'title,id'],
      { status: 200, body: tree },
      { terminals: ['stdout', 'stderr'], env: { NO_COLOR: '1' } },
    );
    const lines = stdout.trimEnd().split('\n').slice(1);
    expect(lines.map((line) => line.trimEnd())).toEqual([
      expect.stringMatching(/^Guides +p1$/),
      expect.stringMatching(/^ {2}Setup +p2$/),
      expect.stringMatching(/^ {2}Use +p3$/),
      expect.stringMatching(/^ {4}Daily +p4$/),
      expect.stringMatching(/^API +p5$/),
    ]);
  });

  it('gives a pipe one line a page, depth first', async () => {
    const { stdout } = await list('--fields', 'depth,id,path');
    expect(stdout).toBe(
      '0\tp1\tguides\n1\tp2\tguides/setup\n1\tp3\tguides/use\n2\tp4\tguides/use/daily\n0\tp5\tapi\n',
    );
  });

  it('gives the ids of all pages, for pipes', async () => {
    expect((await list('-o', 'id')).stdout).toBe('p1\np2\np3\np4\np5\n');
  });

  it('streams pages as ndjson, each with its depth instead of its children', async () => {
    const lines = (await list('-o', 'ndjson')).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))[3]).toEqual({
      id: 'p4',
      title: 'Daily',
      path: 'guides/use/daily',
      type: 'document',
      depth: 2,
    });
  });

  it('keeps the tree of the platform as JSON', async () => {
    expect(JSON.parse((await list('--json')).stdout)).toEqual(tree);
  });

  it('runs jq over the tree', async () => {
    expect((await list('--jq', '.pages[0].pages[1].pages[0].id')).stdout.trim()).toBe('p4');
  });

  it('picks fields from the pages, in JSON too', async () => {
    const { stdout } = await list('--json', '--fields', 'id,depth');
    expect(JSON.parse(stdout).slice(0, 2)).toEqual([
      { id: 'p1', depth: 0 },
      { id: 'p2', depth: 1 },
    ]);
  });

  it('refuses an unknown field before it asks the platform', async () => {
    const { code, sent } = await list('--fields', 'id,pages.title');
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
  });

  it('holds a tree of a thousand levels', async () => {
    let pages: unknown[] = [];
    for (let level = 400; level > 0; level--)
      pages = [{ id: `p${level}`, title: 'x', type: 'document', pages }];
    const { stdout } = await platform.run(
      ['content', 'pages', 'list', '--space', 's1', '--fields', 'depth'],
      { status: 200, body: { pages } },
    );
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('399');
  });
});

describe('content pages get --format markdown', () => {
  const page = { id: 'p2', title: 'Setup', type: 'document', markdown: '# Setup\n\n\tIndented.' };
  const get = (...flags: string[]) =>
    platform.run(['content', 'pages', 'get', 'p2', '--space', 's1', '--format', 'markdown', ...flags], {
      status: 200,
      body: page,
    });

  it('prints the text itself, ended by a newline', async () => {
    const { stdout, sent } = await get();
    expect(stdout).toBe('# Setup\n\n\tIndented.\n');
    expect(sent.map(({ path, query }) => [path, query])).toEqual([
      ['/v1/spaces/s1/content/page/p2', [['format', 'markdown']]],
    ]);
  });

  it('reads it from a change request', async () => {
    const { sent } = await get('--change-request', '5');
    expect(sent.map(({ path }) => path)).toEqual(['/v1/spaces/s1/change-requests/5/content/page/p2']);
  });

  it.each([
    ['--json', JSON.stringify(page, null, 2)],
    ['--fields=id', 'p2'],
    ['--jq=.title', 'Setup'],
    ['--output=id', 'p2'],
  ])('prints what %s asks for instead', async (flag, text) => {
    expect((await get(flag)).stdout.trim()).toBe(text);
  });

  it('shows no control characters on a terminal', async () => {
    const { stdout } = await platform.run(
      ['content', 'pages', 'get', 'p2', '--space', 's1', '--format', 'markdown'],
      { status: 200, body: { ...page, markdown: 'a\u001b[31mb' } },
      { terminals: ['stdout'] },
    );
    expect(stdout).toBe('a␛[31mb\n');
  });

  it('says so where a page has no text', async () => {
    const { code, stdout, stderr } = await platform.run(
      ['content', 'pages', 'get', 'p2', '--space', 's1', '--format', 'markdown'],
      { status: 200, body: { id: 'p2', title: 'Group', type: 'group' } },
    );
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: 'This page has no Markdown.\n' });
  });

  it('prints the page as usual in another format', async () => {
    const { stdout } = await platform.run(
      ['content', 'pages', 'get', 'p2', '--space', 's1', '--format', 'document', '--fields', 'title'],
      { status: 200, body: page },
    );
    expect(stdout).toBe('Setup\n');
  });
});
