import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore, type Store } from '../../../src/sandbox/store/store.js';
import { generatedContent, writeSpace } from '../../copy/generated-content.js';
import { runs } from '../../runs.js';
import { openSandbox, type TestSandbox } from '../client.js';
import { answersOf, comparable } from './answers.js';
import { type CopySandbox, openWithoutContent, putAnswers } from './empty-copy.js';

let source: TestSandbox;
let store: Store;
let copy: CopySandbox;
beforeAll(async () => {
  source = await openSandbox();
  store = await openStore(source.file, source.outside.io);
  copy = await openWithoutContent(source);
});
afterAll(async () => {
  store.db.close();
  await Promise.all([source.close(), copy.close()]);
});

test('generated content that is put into a copy is answered as it was told', {
  timeout: 180_000,
}, async () => {
  let count = 0;
  const property = fc.asyncProperty(generatedContent, async (content) => {
    count += 1;
    const id = writeSpace(store.db, content, `answers ${count}`);
    const told = await answersOf(source.admin, id);
    putAnswers(copy.store.db, told);
    const shown = await answersOf(copy.admin, id);
    expect(comparable(shown)).toEqual(comparable(told));
    // Putting what the copy answers changes nothing, whatever addresses it has.
    putAnswers(copy.store.db, shown);
    expect(comparable(await answersOf(copy.admin, id))).toEqual(comparable(told));
  });
  await fc.assert(property, { numRuns: runs(4), seed: Number(process.env.DOCS_TEST_SEED ?? 11) });
});
