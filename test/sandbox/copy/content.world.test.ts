import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createChangeRequest, mergeChangeRequest } from '../../../src/api/resources/change-requests.js';
import { createComment, listComments } from '../../../src/api/resources/comments.js';
import { getContent } from '../../../src/api/resources/content.js';
import type { ContentPage } from '../../../src/api/resources/revisions.js';
import { getSpace } from '../../../src/api/resources/spaces.js';
import { exportState } from '../../../src/sandbox/store/export.js';
import { openSandbox, seedId, type TestSandbox } from '../client.js';
import { type Answers, answersOf, comparable } from './answers.js';
import { type CopySandbox, openWithoutContent, putAnswers } from './empty-copy.js';

const spaceIds = ['welcome', 'guide', 'handbook', 'api'].map((name) => seedId(`space ${name}`));

let source: TestSandbox;
let copy: CopySandbox;
const told = new Map<string, Answers>();
beforeAll(async () => {
  source = await openSandbox();
  copy = await openWithoutContent(source);
  for (const id of spaceIds) told.set(id, await answersOf(source.admin, id));
  for (const id of spaceIds) putAnswers(copy.store.db, answersTo(id));
});
afterAll(() => Promise.all([source.close(), copy.close()]));

function answersTo(id: string): Answers {
  const answers = told.get(id);
  if (answers === undefined) throw new Error(`No answers of ${id}.`);
  return answers;
}

describe('content put into a copy', () => {
  test('is answered as it was told: pages, files, links, change requests, comments', async () => {
    for (const id of spaceIds) {
      expect(comparable(await answersOf(copy.admin, id))).toEqual(comparable(answersTo(id)));
    }
  });

  test('is the same when it is put again', () => {
    const before = exportState(copy.store.db);
    for (const id of spaceIds) putAnswers(copy.store.db, answersTo(id));
    expect(exportState(copy.store.db)).toBe(before);
  });

  test('of a sandbox holds what that made, with nothing told beside it', () => {
    const { db } = copy.store;
    const pages = db.all<{ title: string; told: string }>(
      `SELECT title, told FROM page_versions WHERE told IS NOT NULL OR document IS NOT NULL
       UNION ALL SELECT path, told FROM file_versions WHERE told IS NOT NULL
       UNION ALL SELECT id, told FROM revisions WHERE told IS NOT NULL
       UNION ALL SELECT id, told FROM comments WHERE told IS NOT NULL
       UNION ALL SELECT subject, told FROM change_requests WHERE told IS NOT NULL`,
    );
    // Only of this page is the layout written out, although it says what is usual.
    expect(pages.map(({ title }) => title)).toEqual(['Welcome']);
  });

  test('lives on: an open change request merges, and is then outdated by nothing', async () => {
    const spaceId = seedId('space welcome');
    const [request] = answersTo(spaceId).changes;
    if (request === undefined) throw new Error('The seed has an open change request.');
    const path = { spaceId, changeRequestId: request.request.id };
    const merged = await copy.admin.ok(mergeChangeRequest, { path });
    expect(merged.result).toBe('merge');
    const content = await copy.admin.ok(getContent, { path: { spaceId } });
    expect(titles(content.pages)).toEqual(titles(request.content.revision.pages));
    const space = await copy.admin.ok(getSpace, { path: { spaceId } });
    expect(space).toMatchObject({ changeRequests: 3, changeRequestsOpen: 0, revision: merged.revision });
    const next = await copy.admin.ok(createChangeRequest, { path: { spaceId }, body: { subject: 'Next' } });
    expect(next).toMatchObject({ number: 4, outdated: false });
  });

  test('lives on: a comment is the newest, and counts', async () => {
    const spaceId = seedId('space welcome');
    const before = answersTo(spaceId);
    const body = { body: { markdown: 'Seen.' } };
    const { id } = await copy.admin.ok(createComment, { path: { spaceId }, body });
    const comments = await copy.admin.all(listComments, { path: { spaceId }, query: {} });
    expect(comments.map((comment) => comment.id)).toEqual([
      id,
      ...before.comments.map(({ comment }) => comment.id),
    ]);
    const space = await copy.admin.ok(getSpace, { path: { spaceId } });
    expect(space.comments).toBe(before.space.comments + 1);
  });
});

function titles(pages: readonly ContentPage[]): unknown[] {
  return pages.map(({ title, pages: below = [] }) => [title, titles(below)]);
}
