import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { seePdf } from '../sandbox/content/pdf-text.js';
import { homeOfFile } from './backup-home.js';

/** What people do in the platform's app, and what the platform has no way for. */

const home = homeOfFile({ content: 'content' });
const docs = <T = Record<string, unknown>>(...args: string[]) => home.json<T>(args);

interface Site {
  id: string;
  published: boolean;
  visibility: string;
  urls: { published?: string };
}

describe('docs sandbox publish', () => {
  test('publishes a new site: readers and the list of published sites find it', async () => {
    const { id } = await docs<Site>('sites', 'create', '--title', 'New docs', '--new-space', 'sample');
    const hidden = await home.run(['sites', 'published', id]);
    expect(hidden.code).toBe(6);

    const url = `https://sites.sandbox.example/acme-docs/${id}/`;
    expect(await docs('sandbox', 'publish', 'new DOCS')).toEqual({
      ...{ id, status: 'published', title: 'New docs', url },
    });
    expect(await docs<Site>('sites', 'get', id)).toMatchObject({ published: true, urls: { published: url } });
    expect(await docs('sites', 'published', id)).toMatchObject({ site: { id } });
    const listed = await docs<Site[]>('sites', 'list', '--published');
    expect(listed.map((site) => site.id)).toContain(id);
    const [request] = (await docs<{ path: string }[]>('sandbox', 'requests', '--limit', '1')).slice(-1);
    expect(request?.path).toContain('/sites?');
  });

  test('keeps the visibility, and tells the secret address of a share link', async () => {
    const words = ['--title', 'Secret', '--visibility', 'share-link', '--new-space', 'empty'];
    const { id } = await docs<Site>('sites', 'create', ...words);
    const { url } = await docs<{ url: string }>('sandbox', 'publish', id);
    expect(url).toMatch(new RegExp(`/${id}/\\w{20}/$`));
    const site = await docs<Site>('sites', 'get', id);
    expect(site).toMatchObject({ published: true, visibility: 'share-link', urls: { published: url } });
  });

  test('takes a basename, and a site that is published already', async () => {
    const again = await docs('sandbox', 'publish', 'docs');
    expect(again).toMatchObject({ status: 'published', title: 'Acme Docs' });
  });

  test('with --dry-run changes nothing', async () => {
    const { id } = await docs<Site>('sites', 'create', '--title', 'Later', '--new-space', 'empty');
    await home.ok(['sandbox', 'publish', id, '--dry-run']);
    expect((await docs<Site>('sites', 'get', id)).published).toBe(false);
  });

  test('refuses a site without spaces, an unknown and an ambiguous one', async () => {
    const { id } = await docs<Site>('sites', 'create', '--title', 'Empty');
    const empty = await home.run(['sandbox', 'publish', id]);
    expect([empty.code, empty.stdout]).toEqual([7, '']);
    expect(empty.stderr).toContain('site "Empty" has no spaces, so it was not published');
    expect((await docs<Site>('sites', 'get', id)).published).toBe(false);

    const unknown = await home.run(['sandbox', 'publish', 'nothing']);
    expect([unknown.code, unknown.stderr]).toEqual([
      6,
      'error: site "nothing" not found; the sandbox has: Acme Docs, Empty (not-found, exit 6)\n  Try: docs sandbox publish --help\n',
    ]);

    const printed = await home.run(['sandbox', 'publish', 'nothing', '--json']);
    expect(JSON.parse(printed.stderr)).toMatchObject({ error: { code: 'unknown_site', exitCode: 6 } });

    const twin = await docs<Site>('sites', 'create', '--title', 'empty');
    const both = await home.run(['sandbox', 'publish', 'EMPTY']);
    expect(both.code).toBe(2);
    for (const known of [id, twin.id]) expect(both.stderr).toContain(known);
  });
});

test('values of custom fields are cleared where the platform has a way', async () => {
  const [space = ''] = (await home.ok(['spaces', 'list', '-o', 'id'])).split('\n');
  const set = (...pairs: string[]) => home.run(['spaces', 'fields', 'set', space, ...pairs]);
  const values = async () => {
    const entries = await docs<{ customField: { name: string }; value?: unknown }[]>(
      'spaces',
      'fields',
      'list',
      space,
    );
    return Object.fromEntries(entries.map(({ customField, value }) => [customField.name, value]));
  };
  expect((await set('owner-team=Docs', 'topics:=["api"]', 'review-by=2026-03-01')).code).toBe(0);
  expect((await set('owner-team=', 'topics:=[]')).code).toBe(0);
  expect(await values()).toEqual({ audience: 'customers', 'review-by': '2026-03-01' });

  const refused = await set('review-by=');
  expect(refused.code).toBe(8);
  expect(refused.stderr).toContain('body values.review-by must be a date');
  expect((await set('review-by:=null')).stderr).toContain(
    'review-by= clears a text and review-by:=[] a list; the platform cannot clear other values',
  );
  expect(await values()).toEqual({ audience: 'customers', 'review-by': '2026-03-01' });
});

test('a website is imported, and printed; a Word document is refused', async () => {
  const put = (name: string, content: string) => {
    const file = home.at('content', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  put('help.example/docs/index.html', '<h1>Help</h1><p><a href="faq.html">Questions</a>');
  put('help.example/docs/faq.html', '<h1>Questions</h1><p><a href="https://docs.example/">Web</a>');
  const space = await home.space('Welcome');
  const into = ['--space', space, '--change-request', '3', '--jq', '.importedResources'];
  const word = ['content', 'import', 'https://x.example/notes.docx', '--source', 'docx'];
  const refused = await home.run([...word, ...into]);
  expect(refused.code).toBe(8);
  expect(refused.stderr).toContain('unsupported import source "docx"; the sandbox supports website,');
  const site = ['content', 'import', 'https://help.example/docs/', '--source', 'website'];
  expect(await home.ok([...site, ...into])).toBe('2\n');
  await home.ok(['change-requests', 'pdf', '3', '--space', space, '--download', 'out.pdf']);
  const { sheets } = seePdf(readFileSync(home.at('out.pdf')));
  expect(sheets).toContain('Questions\nWeb');
});
