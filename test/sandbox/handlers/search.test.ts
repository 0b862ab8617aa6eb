import { describe, expect, test } from 'vitest';
import { mergeChangeRequest } from '../../../src/api/resources/change-requests.js';
import { searchOrg } from '../../../src/api/resources/orgs.js';
import { deleteSpace, restoreSpace, searchSpace } from '../../../src/api/resources/spaces.js';
import { seedId } from '../client.js';
import { importMarkdown, openContentPlatform } from '../content/content-folder.js';
import { eachTest } from '../each-test.js';

const sandbox = eachTest(openContentPlatform);
const path = { spaceId: seedId('space welcome') };

const find = async (query: string) =>
  (await sandbox.admin.all(searchSpace, { path, query: { query } })).map((page) => page.path);
const findIn = async (name: string, query: string) => {
  const organizationId = sandbox.tokens.find((token) => token.name === name)?.org ?? '';
  const items = await sandbox.as(name).all(searchOrg, { path: { organizationId }, query: { query } });
  return items.map(({ title, pages }) => [title, ...pages.map((page) => page.path)]);
};

describe('a search in a space', () => {
  test('finds pages with the sections that match', async () => {
    const { items, count } = await sandbox.admin.ok(searchSpace, {
      path,
      query: { query: 'search engines' },
    });
    expect(count).toBe(1);
    const app = `https://app.sandbox.example/o/${sandbox.defaults.org}/s/${sandbox.spaceId}/guides/publishing`;
    expect(items).toEqual([
      {
        ...{ id: expect.any(String), title: 'Publishing', path: 'guides/publishing', urls: { app } },
        sections: [
          {
            id: `${items[0]?.id}-visibility`,
            ...{
              title: 'Visibility',
              path: 'guides/publishing#visibility',
              urls: { app: `${app}#visibility` },
            },
            body: 'Public sites are indexed by search engines; unlisted ones are not.',
          },
        ],
      },
    ]);
  });

  test('matches prefixes of all words, in any case, with or without accents', async () => {
    expect(await find('QUICK')).toEqual(['getting-started/quickstart', 'getting-started', 'welcome']);
    expect(await find('quick published')).toEqual(['getting-started']);
    expect(await find('quick nowhere')).toEqual([]);
    expect(await find('uickstart')).toEqual([]);
    await importMarkdown(sandbox, '# Übersicht\n\nCafé crème.');
    expect(await find('ubersicht')).toEqual(['ubersicht']);
    expect(await find('CAFÉ cremE')).toEqual(['ubersicht']);
  });

  test('finds titles first', async () => {
    await importMarkdown(sandbox, '# Zebra');
    await importMarkdown(sandbox, '# About\n\nA zebra.');
    expect(await find('zebra')).toEqual(['zebra', 'about']);
  });

  test.each([
    '"',
    'a"b',
    'faq" OR "x',
    'NEAR(a b)',
    'title:faq',
    '*',
    '-faq',
    '(',
    "'; DROP TABLE spaces",
    '^faq',
    '😀',
    '',
  ])('takes %j as nothing but text', async (query) => {
    expect(Array.isArray(await find(query))).toBe(true);
    expect(await find('faq')).toContain('faq');
  });

  test('without a word finds nothing', async () => {
    expect(await find('"*" — !')).toEqual([]);
    expect(await find(`${'a '.repeat(255)}a`)).toBeInstanceOf(Array);
  });

  test('follows the current revision: imports, merges, removals; not what is only in change requests', async () => {
    expect(await find('SAML')).toEqual(['getting-started/invite-your-team']);
    await importMarkdown(sandbox, '# Only proposed', { changeRequestId: '2' });
    expect(await find('proposed')).toEqual([]);
    await sandbox.admin.ok(mergeChangeRequest, { path: { ...path, changeRequestId: '3' } });
    expect(await find('SAML')).toEqual(['getting-started/invite-your-team', 'single-sign-on']);
    expect(await find('undo')).toEqual([]);
    await importMarkdown(sandbox, '# Single sign-on\n\nOther words.');
    expect(await find('SAML')).toEqual(['getting-started/invite-your-team']);
    expect(await find('words')).toContain('single-sign-on');
  });

  test('shows an excerpt of a long text around the first match', async () => {
    await importMarkdown(sandbox, `# Long\n\n${'lorem ipsum '.repeat(100)}needle${' dolor sit'.repeat(100)}`);
    const { items } = await sandbox.admin.ok(searchSpace, { path, query: { query: 'needle' } });
    const body = items[0]?.sections[0]?.body ?? '';
    expect(body).toMatch(/^….*needle.*…$/);
    expect([...body].length).toBe(302);
  });
});

describe('a search in an organization', () => {
  test('finds pages in every space that the caller sees', async () => {
    expect(await findIn('admin', 'the')).toHaveLength(5);
    expect(await findIn('admin', 'budget')).toEqual([['Board Notes', 'minutes']]);
    expect(await findIn('review', 'budget')).toEqual([['Board Notes', 'minutes']]);
    expect(await findIn('read', 'budget')).toEqual([]);
    expect(await findIn('guest', 'workspace')).toEqual([
      ['Product Guide', 'concepts/workspaces', 'concepts/projects', 'overview'],
    ]);
    expect(await findIn('guest', 'quickstart')).toEqual([]);
  });

  test('finds spaces by title too, with or without pages', async () => {
    expect(await findIn('admin', 'Handbook')).toEqual([[expect.stringMatching(/ Handbook$/)]]);
    expect(await findIn('read', 'Board')).toEqual([]);
  });

  test('leaves deleted spaces out until they are restored', async () => {
    const before = await findIn('admin', 'quickstart');
    expect(before).toHaveLength(1);
    await sandbox.admin.ok(deleteSpace, { path });
    expect(await findIn('admin', 'quickstart')).toEqual([]);
    await sandbox.admin.refuses(404, searchSpace, { path, query: { query: 'x' } });
    await sandbox.admin.ok(restoreSpace, { path });
    expect(await findIn('admin', 'quickstart')).toEqual(before);
  });
});
