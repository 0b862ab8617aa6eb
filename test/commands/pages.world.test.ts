import { describe, expect, it } from 'vitest';
import { startRecordingPlatform } from '../cli/run/recording-platform.js';
import { opened } from '../opened.js';

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
