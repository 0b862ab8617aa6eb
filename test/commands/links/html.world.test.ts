import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { stateOf } from '../../access/generated-links/organization.js';
import { World } from '../../organization/generated/world.js';
import { partOf, writtenTo } from '../../reports/written.js';

/** `docs links check --html` over a small organization whose links lead everywhere. */

const space = { pages: 2, nested: true, files: 1, published: true, state: 'live' as const };
const link = (kind: string, to = 0, thing = 0) => ({
  from: { space: 1, page: 0 },
  to: { space: to, thing },
  kind,
});
const kinds = ['app-page', 'gone-page', 'page', 'app-page', 'relative', 'published'];
const org = {
  spaces: [
    { ...space, title: 'Guide' },
    { ...space, title: 'FAQ' },
  ],
  links: kinds.map((kind, thing) => link(kind, 0, thing)),
};

const path = join(tmpdir(), `docs-links-${process.pid}.html`);
let world: World;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(() => world.load(stateOf(org)));
afterAll(async () => {
  rmSync(path, { force: true });
  await world.close();
});

test.each([
  ['links of one status', []],
  ['links of several statuses', ['--status', 'in-app', '--status', 'ok']],
  ['links of every status', ['--status', 'ok', '--status', 'in-app', '--status', 'broken']],
])('%s are printed in the same order with the page', async (_name, words) => {
  const plain = await world.docs(['links', 'check', '--json', ...words]);
  const page = await world.docs(['links', 'check', '--json', ...words, '--html', path]);
  expect(JSON.parse(plain.stdout)).not.toEqual([]);
  expect({ code: page.code, stdout: page.stdout }).toEqual({ code: plain.code, stdout: plain.stdout });
});

test('the graph has links of every kind and status', async () => {
  await world.docs(['links', 'check', '--html', path]);
  const { edges } = partOf(writtenTo(path), 'graph', 'Links between pages');
  expect(edges.reduce((sum, { count }) => sum + count, 0)).toBe(kinds.length);
  expect(edges.some(({ detail }) => detail?.startsWith('By address'))).toBe(true);
  const broken = edges.reduce((sum, edge) => sum + edge.broken, 0);
  const found = JSON.parse(await world.ok(['links', 'check', '--json'])) as unknown[];
  expect(found.length).toBeGreaterThan(0);
  expect(broken).toBe(found.length);
});
