import { describe, expect, test } from 'vitest';
import { listComments } from '../../../src/api/resources/comments.js';
import { listPages } from '../../../src/api/resources/content.js';
import { eachTest } from '../each-test.js';
import { openCommentWorld, texts } from './comment-world.js';

const world = eachTest(openCommentWorld);

const path = () => ({ spaceId: world.spaceId });
const _at = (commentId: string) => ({ ...path(), commentId });
const seeded = {
  split: 'Shall we split this space in two? It grows every week.',
  disagree: 'This question has two answers that disagree.',
  title: 'How long may a title be? It does **not** say.',
};

/** The id of a page of the space by its path. */
async function pageId(wanted: string): Promise<string> {
  const { pages } = await world.admin.ok(listPages, { path: path() });
  const all = pages.flatMap((page) => [page, ...(page.pages ?? [])]);
  return all.find((page) => page.path === wanted)?.id ?? '';
}

describe('the list of comments', () => {
  test('starts with the newest; asc reverses it; comments on change requests are excluded', async () => {
    const { items, count } = await world.admin.ok(listComments, { path: path() });
    expect(texts(items)).toEqual([seeded.split, seeded.disagree, seeded.title]);
    expect(count).toBe(3);
    expect(texts(await world.list({ order: 'asc' }))).toEqual([seeded.title, seeded.disagree, seeded.split]);
  });

  test('has all, open or resolved ones', async () => {
    expect(await world.list({ status: 'all' })).toHaveLength(3);
    expect(texts(await world.list({ status: 'open' }))).toEqual([seeded.split, seeded.title]);
    expect(texts(await world.list({ status: 'resolved' }))).toEqual([seeded.disagree]);
  });

  test('filters by page, by one author, by many', async () => {
    expect(texts(await world.list({ targetPage: await pageId('faq') }))).toEqual([seeded.disagree]);
    expect(await world.list({ targetPage: 'nothing' })).toEqual([]);
    expect(texts(await world.list({ authors: [world.user('edit')] }))).toEqual([seeded.title]);
    const authors = [world.user('edit'), world.user('comment'), 'nobody'];
    expect(texts(await world.list({ authors }))).toEqual([seeded.disagree, seeded.title]);
    expect(await world.list({ authors, status: 'open', targetPage: await pageId('faq') })).toEqual([]);
  });
});
