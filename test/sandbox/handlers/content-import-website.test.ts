import { describe, expect, test } from 'vitest';
import { importContent, listPages } from '../../../src/api/resources/content.js';
import { listSpaceLinks } from '../../../src/api/resources/spaces.js';
import { websiteContents, websiteLimits } from '../../../src/sandbox/content/import/website.js';
import { ContentSource } from '../../../src/sandbox/sources.js';
import { openContentPlatform, pageAt, pagePaths } from '../content/content-folder.js';
import { eachTest } from '../each-test.js';

/** Websites: a page with those that it links to. */

const sandbox = eachTest(openContentPlatform);

/** Writes pages, by their paths, of links to others. */
function site(pages: Record<string, string>): void {
  for (const [path, html] of Object.entries(pages)) sandbox.put(path, html);
}

const page = (title: string, ...links: string[]) =>
  `<main><h1>${title}</h1>${links.map((link) => `<p><a href="${link}">${link}</a></p>`).join('')}</main>`;

const imported = (url: string) => {
  const path = { spaceId: sandbox.spaceId };
  return sandbox.admin.ok(importContent, { path, body: { url, source: 'website' } });
};

describe('a website', () => {
  test('is imported with its linked pages, in the tree of their paths, with links between them', async () => {
    site({
      'help.example/docs/index.html': page(
        'Help',
        'guide/',
        'guide/install.html#now',
        'faq',
        '/pricing',
        'https://other.example/docs/x',
      ),
      'help.example/docs/guide/index.html': page('The guide', 'install.html', '../', 'deep/er/page.html'),
      'help.example/docs/guide/install.html': page(
        'Install',
        '../faq.html?ref=1',
        '#part',
        '/docs/file.pdf',
        'mailto:a@b.example',
      ),
      'help.example/docs/guide/deep/er/page.html': page('Deep'),
      'help.example/docs/faq.html': page('Questions', 'index.html'),
      'help.example/pricing.html': page('Pricing'),
    });
    const before = await pagePaths(sandbox);
    const result = await imported('https://help.example/docs/');
    expect(result).toMatchObject({ importedResources: 5, totalResources: 5 });
    expect((await pagePaths(sandbox)).slice(before.length)).toEqual([
      ...['help', 'guide', 'guide/install', 'guide/deep', 'guide/deep/er', 'guide/deep/er/page'],
    ]);
    // The seed has a FAQ, which takes the place of the imported one.
    expect((await pageAt(sandbox, 'help')).markdown).toBe(
      [
        '# Help',
        '[guide/](/guide.md)',
        '[guide/install.html#now](/guide/install.md#now)',
        '[faq](/faq.md)',
        '[/pricing](https://help.example/pricing)',
        '<https://other.example/docs/x>',
      ].join('\n\n'),
    );
    expect(await pageAt(sandbox, 'guide')).toMatchObject({ title: 'The guide' });
    expect(await pageAt(sandbox, 'guide/deep')).toMatchObject({ title: 'Deep' });
    expect((await pageAt(sandbox, 'guide/install')).markdown).toContain('(/faq.md)');
    expect((await pageAt(sandbox, 'faq')).markdown).toContain('[index.html](/help.md)');
  });

  test('has no broken link to a page that was imported', async () => {
    site({
      'help.example/a.html': page('A', 'b.html', 'none.html'),
      'help.example/b.html': page('B', 'a.html'),
    });
    expect(await imported('https://help.example/a.html')).toMatchObject({
      ...{ importedResources: 2, totalResources: 3 },
    });
    const path = { spaceId: sandbox.spaceId };
    const { pages } = await sandbox.admin.ok(listPages, { path });
    const [first] = pages.filter(({ title }) => title === 'A');
    const links = await sandbox.admin.all(listSpaceLinks, { path, query: { status: 'broken' } });
    expect(links.flatMap(({ locationReferences }) => locationReferences.map((at) => at.page))).not.toContain(
      first?.id,
    );
  });

  test('of one page without links stays one page', async () => {
    site({ 'help.example/docs/about.html': '<title>About us</title><p>We write.' });
    expect(await imported('https://help.example/docs/about.html')).toMatchObject({
      ...{ importedResources: 1, totalResources: 1 },
    });
    expect(await pageAt(sandbox, 'about-us')).toMatchObject({ markdown: '# About us\n\nWe write.' });
  });

  test('whose first page is missing is refused', async () => {
    const body = { url: 'https://help.example/none/', source: 'website' };
    await sandbox.admin.refuses(400, importContent, { path: { spaceId: sandbox.spaceId }, body });
  });
});

describe('the limits of a website', () => {
  /** A site without end: each page links to the next ones. */
  const endless = (
    links: (number: number) => number[],
    options: { bytes?: number; tookMs?: number } = {},
  ) => {
    const { bytes = 0, tookMs = 0 } = options;
    const asked: string[] = [];
    let nowMs = 0;
    const source = new ContentSource({
      now: () => nowMs,
      async fetchPublic(url) {
        asked.push(url);
        nowMs += tookMs;
        const number = Number(new URL(url).pathname.slice(1) || 0);
        const html = page(`Page ${number}`, ...links(number).map((next) => `/${next}`));
        return { bytes: Buffer.from(html + ' '.repeat(bytes)), contentType: 'text/html; charset=utf-8' };
      },
    });
    return { asked, result: websiteContents('https://help.example/', source) };
  };
  const wide = (number: number) => (number === 0 ? Array.from({ length: 500 }, (_, at) => at + 1) : []);

  test('are pages', async () => {
    const { asked, result } = endless(wide);
    expect((await result).missed).toBe(401);
    expect(asked).toHaveLength(websiteLimits.pages);
  });

  test('are links from the first page', async () => {
    const { asked, result } = endless((number) => [number + 1]);
    expect((await result).missed).toBe(1);
    expect(asked).toHaveLength(websiteLimits.depth + 1);
  });

  test('are bytes', async () => {
    const { asked, result } = endless(wide, { bytes: 5 * 1024 * 1024 });
    expect((await result).missed).toBe(497);
    expect(asked).toHaveLength(4);
  });

  test('are time', async () => {
    const { asked, result } = endless(wide, { tookMs: 10_000 });
    expect((await result).missed).toBe(498);
    expect(asked).toHaveLength(3);
  });

  test('are the kinds of linked pages, and of those only ones that are HTML', async () => {
    const asked: string[] = [];
    const source = new ContentSource({
      async fetchPublic(url) {
        asked.push(new URL(url).pathname);
        const html = page(
          'A',
          '/data',
          '/logo.png',
          'ftp://help.example/x',
          'http://help.example/other',
          'javascript:x()',
        );
        return {
          bytes: Buffer.from(html),
          contentType: url.endsWith('/data') ? 'application/json' : 'text/html',
        };
      },
    });
    const { pages, missed } = await websiteContents('https://help.example/', source);
    expect([pages.length, missed, asked]).toEqual([1, 0, ['/', '/data']]);
  });
});
