import fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import { type ContentSandbox, openContentSandbox } from '../../sandbox/content/content-folder.js';
import { generatedSpace } from './generated-space.js';
import { expectImported } from './imported-pack.js';

/** What an import makes of a pack: the same pages, files and links, whatever the space is like; more spaces are in pack.many.test.ts. */

let sandbox: ContentSandbox;
beforeAll(async () => {
  sandbox = await openContentSandbox();
});
afterAll(() => sandbox.close());

test('an import has the pages, titles, texts, files and links of the space', {
  timeout: 180_000,
}, async () => {
  const property = fc.asyncProperty(generatedSpace, (space) => expectImported(sandbox, space));
  await fc.assert(property, { numRuns: 4 });
});
