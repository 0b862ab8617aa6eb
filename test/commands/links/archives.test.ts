import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/api/client.js';
import type { ContentPage } from '../../../src/api/resources/content.js';
import { Contents, newAddress, type SpaceContent } from '../../../src/backup/link-content.js';
import { defined } from '../../../src/base/values.js';
import { lossOf } from '../../../src/commands/links/find-links.js';
import { linksOfSubject } from '../../../src/commands/links/fix-apply.js';
import { spaceFixes } from '../../../src/commands/links/fix-run.js';
import { namedBy } from '../../../src/files/markdown-links.js';
import { zipContents } from '../../../src/sandbox/content/import/import.js';
import type { ImportedPage } from '../../../src/sandbox/content/import/pages.js';
import { type GeneratedSpace, generatedSpace } from '../../backup/generated-space.js';
import { textAt } from '../../backup/versions/small-run.js';
import { runs } from '../../runs.js';

/** An import of corrected pages finds each page again and changes its text alone; other pages are left. */

async function contentOf(
  pages: readonly ContentPage[],
  files: readonly object[] = [],
): Promise<SpaceContent> {
  const answer = {
    id: 'r1',
    pages,
    files: files.map((file) => ({ downloadURL: 'https://f.example/f', ...file })),
  };
  const client = { call: async () => answer } as unknown as Client;
  const { signal } = new AbortController();
  const contents = new Contents({ client, organizationId: 'o1', concurrency: 1, signal });
  const content = await contents.of({ id: 's1', title: 'Any' });
  if (content === undefined) throw new Error('no content');
  return content;
}

async function generated(space: GeneratedSpace): Promise<SpaceContent> {
  const { pages, files } = JSON.parse(await textAt(space.reader, 'spaces/Any/content.json')) as {
    pages: ContentPage[];
    files: object[];
  };
  return contentOf(pages, files);
}

/** The pages that an import writes, by path. */
function written(pages: readonly ImportedPage[], above = ''): [string, ImportedPage][] {
  return pages.flatMap((page) => [
    ...(page.markdown === undefined ? [] : [[above + page.slug, page] as [string, ImportedPage]]),
    ...written(page.pages, `${above}${page.slug}/`),
  ]);
}

describe('any space', () => {
  it('gets back the pages that were packed, at their paths, and no other', async () => {
    let packed = 0;
    await fc.assert(
      fc.asyncProperty(generatedSpace, fc.nat(), async (space, seed) => {
        const content = await generated(space);
        const chosen = space.pages.flatMap(({ page, markdown }, at) => {
          const text = `# ${page.title}\n\n${markdown}`.trimEnd();
          const taken = (at + seed) % 3 !== 0 && lossOf(content, page.id, text) === undefined;
          return taken
            ? [{ content, pageId: page.id, markdown: text, corrected: `${text} [a](b.md)`, links: [] }]
            : [];
        });
        if (chosen.length === 0) return;
        packed += chosen.length;
        const [fix] = await spaceFixes(chosen);
        const { pages, files } = await zipContents(fix?.bytes ?? new Uint8Array());
        expect(files).toEqual([]);
        const expected = chosen.map(({ pageId, corrected }) => {
          const { path = '', page } = content.byId.get(pageId) ?? {};
          return [path, page?.title, page?.hidden, corrected];
        });
        const got = written(pages).map(([path, { title, markdown, attributes }]) => [
          ...[path, title, attributes.hidden, `# ${title}\n\n${markdown}`],
        ]);
        expect(got.sort()).toEqual(expected.sort());
      }),
      { numRuns: runs(20), seed: 20261127 },
    );
    expect(packed).toBeGreaterThan(5);
  });
});

const page = (more: Partial<ContentPage> & { title: string; id: string }): ContentPage =>
  ({ type: 'document', ...more }) as ContentPage;

describe('what an import would lose', () => {
  const text = '# Install\n\nText.';
  const loss = async (more: Partial<ContentPage>, markdown = text) =>
    lossOf(await contentOf([page({ id: 'p1', title: 'Install', slug: 'install', ...more })]), 'p1', markdown);

  it.each([
    [{}, undefined],
    [{ description: 'A', emoji: '🚀', icon: 'bolt', hidden: true, layout: { outline: false } }, undefined],
    [{ cover: { ref: { kind: 'file', file: 'f1' } }, layout: { coverSize: 'full' } }, undefined],
    [{ computed: { type: 'builtin:openapi' } }, 'generated'],
    [{ slug: 'Ünder' }, 'by its path'],
    [{ slug: 'a--b' }, 'by its path'],
    [{ path: 'elsewhere' }, 'by its path'],
    [{ title: ' Install' }, 'title'],
    [{ title: 'x'.repeat(201) }, 'title'],
    [{ description: 'A ' }, 'description'],
    [{ layout: { outline: false, coverSize: 'hero' } }, 'layout'],
  ] as [Partial<ContentPage>, string | undefined][])('%j', async (more, why) => {
    const found = await loss(more);
    if (why === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(why);
  });

  it.each([
    ['# Install\n\n    code at the start', 'spaces'],
    ['# Install\r\n\r\nText.', 'line endings'],
  ])('%j', async (markdown, why) => expect(await loss({}, markdown)).toContain(why));

  it('tells addresses of files that expire', async () => {
    const content = await contentOf(
      [page({ id: 'p1', title: 'Install', slug: 'install' })],
      [{ id: 'f1', name: 'f' }],
    );
    expect(lossOf(content, 'p1', '# Install\n\n![a](https://f.example/f?sig=1)')).toContain('expire');
  });
});

describe('how the new target is written', () => {
  const target = {
    space: { id: 's1', title: 'Any' },
    page: { id: 'p3', title: 'Setup', path: 'guides/setup' },
  };
  const [first, setup] = [
    page({ id: 'p2', title: 'First', slug: 'first' }),
    page({ id: 'p3', title: 'Setup', slug: 'setup' }),
  ];
  const tree = [
    page({ id: 'p1', title: 'Start', slug: 'start', pages: [first] }),
    page({ id: 'p4', title: 'Guides', slug: 'guides', pages: [setup] }),
  ];

  it.each([
    ['p2', 'old/setup.md#x', '../guides/setup.md'],
    ['p2', '../setup', '../guides/setup'],
    ['p1', 'setup.md', '../guides/setup.md'],
    ['p4', 'old/setup.md', 'setup.md'],
    ['p2', '/old/setup.md', '/guides/setup.md'],
    ['p2', '/pages/gone', '/pages/p3'],
    ['p2', '/spaces/s2/pages/p3', '/pages/p3'],
  ])('from %s, %s becomes %s', async (from, written, expected) => {
    const content = await contentOf(tree);
    const named = namedBy(written);
    expect(named && newAddress(content, from, named, target)).toBe(expected);
  });

  it.each(['logo.png', '../files/spec.yaml?raw'])('%s names a file, which is no page', (written) => {
    expect(namedBy(written)).toMatchObject({ kind: 'file' });
  });

  it('goes by ids into another space', async () => {
    const content = await contentOf(tree);
    const named = namedBy('old/setup.md');
    const other = { ...target, space: { id: 's2', title: 'Other' } };
    expect(named && newAddress(content, 'p2', named, other)).toBe('/spaces/s2/pages/p3');
  });
});

it.each([
  ['Fix 2 broken links (0123abcd)', 2],
  ['Fix 1 broken link (0123abcd)', 1],
  ['Fix 1,234 broken links (0123abcd)', 1234],
  ['Fix 2 broken links', undefined],
])('the subject %s', (subject, links) =>
  expect(defined({ links: linksOfSubject(subject) })).toEqual(defined({ links })),
);
