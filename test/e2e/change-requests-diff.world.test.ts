import { describe, expect, it } from 'vitest';
import { homeOfChanges, small, space } from './change-platform.js';
import { onTerminal } from './terminal.js';

/** `docs change-requests diff` in a pipe. */

const home = homeOfChanges();
const diff = (...words: string[]) => home.run(['change-requests', 'diff', '5', ...words]);

describe('diff', () => {
  it('shows pages and words, and reads only what may differ', async () => {
    await home.startPlatform(small);
    expect(await diff()).toMatchObject({
      code: 0,
      stdout:
        'page Intro (intro): edited, +1 -1 words\n@@ -1,1 +1,1 @@\nRun the [-old-]{+new+} setup.\n\n' +
        'page Fresh (fresh): added, +3 -0 words\n@@ -1,0 +1,1 @@\n{+Three new words.+}\n\n' +
        'page Same (same): moved\n  moved below another page\n\n' +
        'page Gone (gone): removed, +0 -2 words\n@@ -1,1 +1,0 @@\n[-Two words.-]\n',
      stderr: '1 page added, 1 removed, 1 edited, 1 moved; 4 words added, 3 words removed.\n',
    });
    expect(home.pageReads()).toHaveLength(4);
  });

  it('shows what is removed first on a page, and in a terminal', async () => {
    await home.startPlatform(small);
    const page = (await diff('-o', 'html')).stdout;
    expect(
      [...page.matchAll(/<h2><bdi>(\w+)|<a href="#[^"]*" dir="auto">(\w+)/g)].map(([, h, a]) => h ?? a),
    ).toEqual(['gone', 'intro', 'fresh', 'same', 'Gone', 'Intro', 'Fresh', 'Same']);
    const words = ['change-requests', 'diff', '5', '--stat'];
    const { screen } = await onTerminal(words, { cwd: home.path, env: home.env }).ended;
    expect(screen).toMatch(/^ gone [\s\S]*intro/);
  });

  it('gives JSON, rows, and one line a page', async () => {
    await home.startPlatform(small);
    const rows = JSON.parse((await diff('--json')).stdout) as { id: string; changes: string[] }[];
    expect(rows.map(({ id, changes }) => [id, ...changes])).toEqual([
      ['intro', 'edited'],
      ['fresh', 'added'],
      ['same', 'moved'],
      ['gone', 'removed'],
    ]);
    expect((await diff('-o', 'tsv')).stdout.split('\n')[0]).toBe('edited\tpage\tIntro\tintro\t1\t1\tintro');
    expect((await diff('--stat')).stdout).toContain(
      ' 4 pages changed, 4 words added(+), 3 words removed(-)\n',
    );
    expect((await diff('--stat', '--page-id', 'intro')).stdout.split('\n')).toHaveLength(3);
    expect((await diff('--page-id', 'none')).code).toBe(6);
    const unknown = await home.run(['change-requests', 'diff', '99', '--space', 's1']);
    expect(unknown).toMatchObject({ code: 6, stdout: '' });
    expect(unknown.stderr).toContain('Try: docs change-requests list --space s1\n');
    expect((await diff('--html', '--json')).code).toBe(2);
  });

  it('says that an outdated one shows later changes reversed, and how to pull them', async () => {
    await home.startPlatform({ ...small, request: { outdated: true } });
    expect((await diff('--stat', '--space', 's1')).stderr).toContain(
      'Change request 5 is behind its space: later changes of the space show up reversed. To pull them, run docs ' +
        'change-requests pull 5 --space s1.',
    );
    await home.startPlatform({ ...small, request: { status: 'merged', outdated: true } });
    expect((await diff('--stat')).stderr).toContain(
      'Change request 5 is merged; it is compared with the present content of the space',
    );
  });

  it('names a page that it could not read, shows the rest, and exits 3', async () => {
    await home.startPlatform(small, (_, url) =>
      url.pathname.endsWith('/page/fresh')
        ? { status: 403, body: { error: { code: 403, message: 'No.' } } }
        : undefined,
    );
    const ran = await diff('--json');
    expect(ran.code).toBe(3);
    expect(JSON.parse(ran.stdout)).toHaveLength(4);
    expect(JSON.parse(ran.stdout)[1]).toMatchObject({ id: 'fresh', changes: ['added', 'unknown'] });
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      code: 'not_all_read',
      details: { unread: [{ id: 'fresh' }] },
    });
    expect((await diff()).stdout).toContain('page Fresh (fresh): added, not compared\n  Not compared: ');
  });

  it('says which files it could only compare by name and size', async () => {
    const file = (oid?: string) => ({
      ...{
        id: 'f1',
        name: 'a.png',
        contentType: 'image/png',
        downloadURL: 'https://files.example/a',
        size: 1,
      },
      ...(oid !== undefined && { git: { oid, path: 'a.png' } }),
    });
    await home.startPlatform({ ...small, files: { before: [file('one')], after: [file()] } });
    const ran = await diff('--stat');
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).toContain('Compared by name and size only: 1 file.');
    expect(ran.stdout).not.toContain('a.png');
    expect((await diff('--stat', '--page-id', 'intro')).stderr).not.toContain('name and size');
    await home.startPlatform({ ...small, files: { before: [file('one')], after: [file('one')] } });
    expect((await diff('--stat')).stderr).not.toContain('name and size');
  });

  it('exits 3 where the content changed while it was read', async () => {
    let reads = 0;
    await home.startPlatform(small, (_, url) => {
      if (url.pathname !== '/v1/spaces/s1') return undefined;
      reads += 1;
      return reads === 1 ? undefined : { body: { ...space, revision: 'r9' } };
    });
    const ran = await diff('--stat');
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('changed while it was read');
  });
});
