import { describe, expect, test } from 'vitest';
import { idOf } from '../../../src/base/ids.js';
import { seedId } from '../client.js';
import { importMarkdown, openContentPlatform, pageAt } from '../content/content-folder.js';
import { zipOf } from '../content/zip.js';
import { eachTest } from '../each-test.js';
import * as ops from '../operations.js';

const sandbox = eachTest(openContentPlatform);
const path = { spaceId: seedId('space welcome') };

const all = () => sandbox.admin.all(ops.listSpaceLinks, { path });
const targets = async (page: string) => {
  const { id } = await pageAt(sandbox, page);
  const links = await sandbox.admin.all(ops.listPageLinks, { path: { ...path, pageId: id } });
  return links
    .map(({ status, targetReference: { kind, url } = {} }) => [status, kind, url ?? '-'].join(' '))
    .sort();
};

/** A page as references have it, without its text. */
async function bare(at: string): Promise<ops.ContentPage> {
  const { markdown: _, ...page } = await pageAt(sandbox, at);
  return page;
}

describe('the links of a space', () => {
  test('name each target once, with every page that links to it', async () => {
    const organization = await sandbox.admin.ok(ops.getOrg, {
      path: { organizationId: sandbox.defaults.org },
    });
    const space = await sandbox.admin.ok(ops.getSpace, { path });
    const revision = await sandbox.admin.ok(ops.getContent, { path });
    const [reviews, welcome, invite] = [
      await bare('guides/reviews'),
      await bare('welcome'),
      await bare('getting-started/invite-your-team'),
    ];
    const links = await all();
    const where = { organization, space, versionContext: { type: 'revision', revision } };
    expect(links.find(({ targetReference }) => idOf(targetReference?.page) === reviews.id)).toEqual({
      status: 'ok',
      relation: 'reference',
      targetReference: { kind: 'page', page: reviews, ...where },
      locationReferences: [welcome, invite].map((page) => ({ kind: 'page', page, ...where })),
    });
    expect(links.filter(({ status }) => status === 'broken')).toMatchObject([
      { targetReference: { kind: 'url', url: '../moving-content.md' }, locationReferences: [{}] },
    ]);
    expect(links.filter(({ status }) => status === 'in-app')).toMatchObject([
      { targetReference: { kind: 'url', url: 'https://app.sandbox.example/home' } },
    ]);
  });

  test('are filtered by status, page by page; the statistics stay those of all', async () => {
    const stats = { total: 9, broken: { total: 1 } };
    const first = await sandbox.admin.ok(ops.listSpaceLinks, { path, query: { limit: 4 } });
    expect(first).toMatchObject({ count: 9, stats, next: {} });
    expect(await sandbox.admin.all(ops.listSpaceLinks, { path, query: { limit: 4 } })).toEqual(await all());
    const counts = ['ok', 'broken', 'in-app'].map(async (status) => {
      const answer = await sandbox.admin.ok(ops.listSpaceLinks, { path, query: { status: status as 'ok' } });
      expect(answer.stats).toEqual(stats);
      return answer.count;
    });
    expect(await Promise.all(counts)).toEqual([7, 1, 1]);
    await sandbox.admin.refuses(400, ops.listSpaceLinks, { path, query: { status: 'lost' } });
  });

  test('break when a page is removed, and are fixed when it returns', async () => {
    const faq = await pageAt(sandbox, 'faq');
    const ofFaq = async () =>
      (await all()).filter(
        ({ targetReference: { page, url } = {} }) => idOf(page) === faq.id || url === 'faq.md',
      );
    expect(await ofFaq()).toMatchObject([{ status: 'ok' }]);
    await sandbox.admin.ok(ops.mergeChangeRequest, { path: { ...path, changeRequestId: '3' } });
    expect(await ofFaq()).toMatchObject([{ status: 'broken' }]);
    await importMarkdown(sandbox, '# FAQ\n\nAsked again.');
    const welcome = await pageAt(sandbox, 'welcome');
    const links = await sandbox.admin.ok(ops.listPageLinks, {
      path: { ...path, pageId: welcome.id },
      query: { status: 'broken' },
    });
    expect(links.items).toEqual([]);
  });
});

describe('the links of a page', () => {
  test('count by their kind', async () => {
    const { id } = await pageAt(sandbox, 'faq');
    const { items } = await sandbox.admin.ok(ops.listSpaceLinks, { path, query: { status: 'ok' } });
    const fileId = idOf(
      items.find(({ targetReference }) => targetReference?.kind === 'file')?.targetReference?.file,
    );
    await importMarkdown(
      sandbox,
      [
        '# Links',
        `[page by id](/pages/${id}) [file by id](/files/${fileId}) [gone](/pages/none) [gone](/files/none)`,
        '[absolute](/guides/reviews.md) [with anchor](faq.md#x) [folder](guides/) [readme](guides/README.md)',
        '[from the top](../../faq) [missing](nowhere.md) [missing file](nowhere.pdf)',
        '[here](#links) [mail](mailto:a@b.example) [tel](tel:1) [other](ftp://a.example)',
        '[web](https://a.example/x) [same host](//a.example/y) [app](https://app.sandbox.example/o/x)',
        '`[code](code.md)`',
      ].join('\n\n'),
    );
    const found = await targets('links');
    expect(found.filter((link) => link === 'ok page -')).toHaveLength(3);
    expect(found.filter((link) => link !== 'ok page -').sort()).toEqual([
      'broken url /files/none',
      'broken url /pages/none',
      'broken url nowhere.md',
      'broken url nowhere.pdf',
      'in-app url https://app.sandbox.example/o/x',
      'ok file -',
      'ok url https://a.example/x',
      'ok url https://a.example/y',
    ]);
  });

  test("are relative to the page's folder", async () => {
    const archive = zipOf([
      { name: 'README.md', text: '# Manual\n\n[in](part/one.md) ![map](assets/map.png)' },
      {
        name: 'part/README.md',
        text: '# Part\n\n[below](one.md) [up](../other.md) ![map](../assets/map.png)',
      },
      {
        name: 'part/one.md',
        text: '# One\n\n[top](/other.md) [beside](two.md) [folder](../part/) [no](/one.md)',
      },
      { name: 'part/two.md', text: '# Two\n\n[lost](../two.md) ![lost](map.png)' },
      { name: 'other.md', text: '# Other' },
      { name: 'assets/map.png', text: 'png' },
    ]);
    const body = { url: sandbox.put('manual.zip', archive), source: 'zip' };
    await sandbox.admin.ok(ops.importContent, { path, body });
    expect(await targets('readme')).toEqual(['ok file -', 'ok page -']);
    expect(await targets('part')).toEqual(['ok file -', 'ok page -', 'ok page -']);
    expect(await targets('part/one')).toEqual(['broken url /one.md', 'ok page -', 'ok page -', 'ok page -']);
    expect(await targets('part/two')).toEqual(['broken url ../two.md', 'broken url map.png']);
  });

  test('have no target where a cover is gone: no address was written', async () => {
    const reviews = await pageAt(sandbox, 'guides/reviews');
    const sql = 'UPDATE revisions SET files = ? WHERE space_id = ? AND change_request_id IS NULL';
    sandbox.beside((db) => db.run(sql, '[]', path.spaceId));
    const { items } = await sandbox.admin.ok(ops.listPageLinks, { path: { ...path, pageId: reviews.id } });
    expect(items.filter((item) => !('targetReference' in item))).toMatchObject([
      { status: 'broken', locationReferences: [{ kind: 'page', page: { id: reviews.id } }] },
    ]);
  });
});
