import { describe, expect, test } from 'vitest';
import { idOf } from '../../../src/base/ids.js';
import { type Client, seedId } from '../client.js';
import { flatten, importMarkdown, openContentPlatform } from '../content/content-folder.js';
import { eachTest } from '../each-test.js';
import * as ops from '../operations.js';

/** Links from one space of the seed `tiny` to others. */

const sandbox = eachTest(openContentPlatform);
const [welcome, guide, handbook, board] = ['welcome', 'guide', 'handbook', 'board'].map((name) =>
  seedId(`space ${name}`),
) as [string, string, string, string];

const pageId = async (spaceId: string, path: string) => {
  const { pages } = await sandbox.admin.ok(ops.listPages, { path: { spaceId } });
  return flatten(pages).find((page) => page.path === path)?.id ?? '';
};
const fileId = async () => {
  const files = await sandbox.admin.all(ops.listFiles, { path: { spaceId: welcome } });
  return files.find(({ name }) => name === 'checklist.txt')?.id ?? '';
};

/** Writes a page in the handbook and returns its id. */
async function write(markdown: string, space = handbook): Promise<string> {
  await importMarkdown(sandbox, `# Written\n\n${markdown}`, { space });
  return pageId(space, 'written');
}

const linksOf = (page: string, as: Client = sandbox.admin, space = handbook) =>
  as.all(ops.listPageLinks, { path: { spaceId: space, pageId: page } });

/** Status, kind, and the ids or the address of the target of each link of a page. */
const targets = async (page: string, as: Client = sandbox.admin) =>
  (await linksOf(page, as))
    .map(({ status, targetReference: { kind, space, page: to, file, url } = {} }) =>
      [status, kind, idOf(space), idOf(to), idOf(file), url].filter((part) => part !== undefined).join(' '),
    )
    .sort();

describe('a link to another space', () => {
  test('refers to the space, a page or a file there, each whole and with its own revision', async () => {
    const [page, file] = [await pageId(guide, 'concepts/workspaces'), await fileId()];
    const written = await write(
      `[a](/spaces/${guide}) [b](/spaces/${guide}/pages/${page}#limits) ![c](/spaces/${welcome}/files/${file})`,
    );
    expect(await targets(written)).toEqual(
      [`ok file ${welcome} ${file}`, `ok page ${guide} ${page}`, `ok space ${guide}`].sort(),
    );
    const links = await linksOf(written);
    const space = await sandbox.admin.ok(ops.getSpace, { path: { spaceId: guide } });
    expect(links.find(({ targetReference }) => targetReference?.kind === 'page')).toMatchObject({
      targetReference: {
        space,
        page: { title: 'Workspaces', urls: { app: expect.stringContaining(guide) } },
        versionContext: { type: 'revision', revision: { id: space.revision } },
      },
      locationReferences: [{ space: { id: handbook }, page: { id: written } }],
    });
  });

  test('is one of the space itself where the address is its own', async () => {
    const page = await pageId(handbook, 'on-call');
    const written = await write(`[a](/spaces/${handbook}/pages/${page}) [b](/pages/${page})`);
    expect(await targets(written)).toEqual([`ok page ${handbook} ${page}`]);
  });

  test('is broken where nothing is: no space, another organization, no such page or file', async () => {
    const page = await pageId(welcome, 'faq');
    const paths = [
      '/spaces/none',
      `/spaces/${seedId('space globex')}`,
      `/spaces/${guide}/pages/${page}`,
      `/spaces/${guide}/files/none`,
    ];
    const written = await write(paths.map((path) => `[x](${path})`).join(' '));
    expect(await targets(written)).toEqual(paths.map((path) => `broken url ${path}`).sort());
  });

  test('breaks when the space is deleted, in the answers to come as well, and is mended by its restore', async () => {
    const page = await pageId(guide, 'concepts');
    const written = await write(`[a](/spaces/${guide}/pages/${page}) [b](/spaces/${guide})`);
    const before = await targets(written);
    const broken = () =>
      sandbox.admin.ok(ops.listSpaceLinks, { path: { spaceId: handbook }, query: { status: 'broken' } });
    expect(await broken()).toMatchObject({ count: 0, stats: { broken: { total: 0 } } });
    await sandbox.admin.ok(ops.deleteSpace, { path: { spaceId: guide } });
    expect(await targets(written)).toEqual([
      `broken url /spaces/${guide}`,
      `broken url /spaces/${guide}/pages/${page}`,
    ]);
    expect(await broken()).toMatchObject({ count: 2, stats: { broken: { total: 2 } } });
    await sandbox.admin.ok(ops.restoreSpace, { path: { spaceId: guide } });
    expect(await targets(written)).toEqual(before);
    expect(await broken()).toMatchObject({ count: 0 });
  });

  test('breaks when a merge removes the page', async () => {
    const faq = await pageId(welcome, 'faq');
    const written = await write(`[a](/spaces/${welcome}/pages/${faq})`);
    expect(await targets(written)).toEqual([`ok page ${welcome} ${faq}`]);
    const path = { spaceId: welcome, changeRequestId: '3' };
    await sandbox.admin.ok(ops.mergeChangeRequest, { path });
    expect(await targets(written)).toEqual([`broken url /spaces/${welcome}/pages/${faq}`]);
  });

  test('keeps its status for who cannot see the space, and shows the address as written', async () => {
    const page = await pageId(board, 'minutes');
    const written = await write(`[a](/spaces/${board}/pages/${page}#january) [b](/spaces/${guide})`);
    expect(await targets(written)).toContain(`ok page ${board} ${page}`);
    expect(await targets(written, sandbox.as('read'))).toEqual([
      `ok space ${guide}`,
      `ok url /spaces/${board}/pages/${page}#january`,
    ]);
  });
});

describe('the backlinks of a file', () => {
  const backlinks = async (file: string, as: Client = sandbox.admin) =>
    (await as.all(ops.listFileBacklinks, { path: { spaceId: welcome, fileId: file } }))
      .map(({ space, page, file: to }) => `${idOf(space)} ${idOf(page)} ${idOf(to)}`)
      .sort();

  test('name the pages of other spaces too, while these exist and their pages link to it', async () => {
    const file = await fileId();
    const own = await backlinks(file);
    expect(own).toHaveLength(1);
    const written = await write(`![a](/spaces/${welcome}/files/${file})`);
    const all = [...own, `${handbook} ${written} ${file}`].sort();
    expect(await backlinks(file)).toEqual(all);
    await sandbox.admin.ok(ops.deleteSpace, { path: { spaceId: handbook } });
    expect(await backlinks(file)).toEqual(own);
    await sandbox.admin.ok(ops.restoreSpace, { path: { spaceId: handbook } });
    expect(await backlinks(file)).toEqual(all);
  });

  test('leave out the spaces that the reader cannot see', async () => {
    const file = await fileId();
    const own = await backlinks(file);
    await write(`[a](/spaces/${welcome}/files/${file})`, board);
    expect(await backlinks(file)).toHaveLength(2);
    expect(await backlinks(file, sandbox.as('read'))).toEqual(own);
  });
});
