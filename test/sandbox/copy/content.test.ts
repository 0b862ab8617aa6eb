import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createChangeRequest,
  mergeChangeRequest,
  pullChangeRequest,
} from '../../../src/api/resources/change-requests.js';
import { createComment, listComments } from '../../../src/api/resources/comments.js';
import { getContent, getPage, importContent } from '../../../src/api/resources/content.js';
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

  test('is what a sandbox made holds, with nothing told beside it', () => {
    const { db } = copy.store;
    const pages = db.all<{ title: string; told: string }>(
      `SELECT title, told FROM page_versions WHERE told IS NOT NULL OR document IS NOT NULL
       UNION ALL SELECT path, told FROM file_versions WHERE told IS NOT NULL
       UNION ALL SELECT id, told FROM revisions WHERE told IS NOT NULL
       UNION ALL SELECT id, told FROM comments WHERE told IS NOT NULL
       UNION ALL SELECT subject, told FROM change_requests WHERE told IS NOT NULL`,
    );
    expect(pages).toEqual([]);
  });
});
