import { expect, test } from 'vitest';
import { diffSpace } from '../../src/backup/diff-backups.js';
import type { FileEntry } from '../../src/backup/manifest.js';

/** Comments that differ between two backups of a space are called by how they begin. */

/** A space of nothing but comments. */
function spaceWith(...texts: string[]) {
  const comments = texts.map((markdown, at) => ({ id: `c${at}`, body: { markdown }, target: {} }));
  const items = comments.map((comment) => ({ comment, replies: [] }));
  const bytes = Buffer.from(items.map((item) => `${JSON.stringify(item)}\n`).join(''));
  const files = [{ kind: 'comments', path: 'comments.json', sha256: `${bytes}` }] as FileEntry[];
  const folder = {
    root: 'b',
    async read() {
      return (async function* () {
        yield bytes;
      })();
    },
    text: async () => `${bytes}`,
  };
  return { folder, at: 'spaces/Guide', manifest: { id: 's1', title: 'Guide', files } };
}

test.each([
  ['Is this\n\nright?', 'Is this right?'],
  ['x'.repeat(60), 'x'.repeat(60)],
  ['🙂'.repeat(61), `${'🙂'.repeat(59)}…`],
])('%j is %j', async (text, title) => {
  const found: unknown[] = [];
  for await (const one of diffSpace(spaceWith(), spaceWith(text))) found.push(one);
  expect(found).toEqual([{ change: 'added', kind: 'comment', id: 'c0', title, space: 'Guide' }]);
});
