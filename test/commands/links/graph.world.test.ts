import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { GraphEdge, GraphNode } from '../../../src/access/links/graph-builder.js';
import {
  type LinkedOrganization,
  pageId,
  spaceId,
  stateOf,
} from '../../access/generated-links/organization.js';
import { World } from '../../organization/generated/world.js';

/** `docs links graph` over a small organization: three spaces on a site, one deleted, one elsewhere. */

const space = { pages: 2, nested: true, files: 1, published: false, state: 'live' as const };
const link = (from: number, to: number, kind: string, thing = 0) => ({
  ...{ from: { space: from, page: 0 }, to: { space: to, thing }, kind },
});
const org: LinkedOrganization = {
  spaces: [
    { ...space, title: 'Guide', published: true },
    { ...space, title: 'A "quoted" one' },
    { ...space, title: 'Alone' },
    { ...space, title: 'Deleted', state: 'gone' },
  ],
  links: [
    ...[link(1, 0, 'page', 1), link(1, 0, 'app-page', 1), link(1, 0, 'file'), link(1, 0, 'gone-page')],
    ...[link(1, 0, 'published', 1), link(1, 3, 'page'), link(1, 1, 'own-page', 1), link(0, 1, 'space')],
    ...[link(0, 0, 'web'), link(0, 0, 'site'), link(0, 0, 'relative')],
  ],
};
const [guide, quoted, alone, deleted] = [0, 1, 2, 3].map(spaceId) as [string, string, string, string];

interface Graph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  unread: { kind: string; id: string }[];
}

let world: World;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(() => world.load(stateOf(org)));
afterAll(() => world.close());

const graph = (...words: string[]) => world.docs(['links', 'graph', ...words]);
const read = async (...words: string[]) =>
  JSON.parse(await world.ok(['links', 'graph', '--json', ...words])) as Graph;
const edgesOf = ({ edges }: Graph) =>
  edges.map(({ from, to, kind, status, via, count }) =>
    [from, to, kind, status, via, count].filter((part) => part !== undefined).join(' '),
  );

test('spaces link to spaces, with counts by status; sites publish them', async () => {
  const found = await read();
  expect(edgesOf(found)).toEqual([
    `space:${guide} space:${quoted} link ok reference 1`,
    expect.stringMatching(new RegExp(`^space:${guide} site:\\S+ link ok published-address 1$`)),
    `space:${quoted} space:${guide} link broken reference 1`,
    `space:${quoted} space:${guide} link in-app app-address 1`,
    `space:${quoted} space:${guide} link ok published-address 1`,
    `space:${quoted} space:${guide} link ok reference 2`,
    `space:${quoted} space:${deleted} link broken reference 1`,
    expect.stringMatching(new RegExp(`^site:\\S+ space:${guide} publishes$`)),
  ]);
  const spaces = found.nodes.filter(({ kind }) => kind === 'space');
  expect(spaces.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
    {
      id: `space:${guide}`,
      kind: 'space',
      title: 'Guide',
      space: guide,
      state: 'read',
      links: { total: 4, broken: 1, within: 0 },
    },
    expect.objectContaining({ title: 'A "quoted" one', links: { total: 7, broken: 2, within: 1 } }),
    { id: `space:${alone}`, kind: 'space', title: 'Alone', space: alone, state: 'read', isolated: true },
    { id: `space:${deleted}`, kind: 'space', space: deleted, state: 'missing' },
  ]);
});

test('each space is asked once, and once only', async () => {
  world.sent();
  await read();
  const asked = world.sent().filter((sent) => sent.includes('/links'));
  expect(asked.map((sent) => sent.replace(/\?.*/, '')).sort()).toEqual(
    [guide, quoted, alone].map((id) => `GET /v1/spaces/${id}/links`).sort(),
  );
});

test('by page: pages, files, anchors and what is nowhere; an address leads to the page of its path', async () => {
  const found = await read('--by', 'page');
  const from = `page:${quoted}/${pageId(1, 0)}`;
  const page = `page:${guide}/${pageId(0, 1)}`;
  expect(edgesOf(found)).toEqual(
    expect.arrayContaining([
      `${from} ${page} link ok reference 1`,
      `${from} anchor:${guide}/${pageId(0, 1)}#x link in-app app-address 1`,
      `${page} anchor:${guide}/${pageId(0, 1)}#x contains`,
      `${from} page:${guide}/none link broken reference 1`,
      `${from} page:${quoted}/${pageId(1, 1)} link ok reference 1`,
      `page:${guide}/${pageId(0, 0)} address:${guide}//nowhere.md link broken reference 1`,
    ]),
  );
  expect(found.nodes.find(({ id }) => id === page)).toMatchObject({
    title: 'Page 1',
    spaceTitle: 'Guide',
    path: 'p0/p1',
  });
  expect(found.nodes.find(({ id }) => id.endsWith('/none'))).toMatchObject({ state: 'missing' });
});

test('--to and --from draw what crosses the edge of a space', async () => {
  const to = await read('--to', guide);
  expect(new Set(to.edges.map((edge) => edge.to))).toEqual(new Set([`space:${guide}`]));
  expect(to.edges.reduce((sum, { count = 0 }) => sum + count, 0)).toBe(5);
  world.sent();
  const from = await read('--from', guide);
  expect(edgesOf(from)).toHaveLength(2);
  expect(world.sent().filter((sent) => sent.includes('/links'))).toHaveLength(1);
  expect(await graph('--to', 'none')).toMatchObject({ code: 6, stdout: '' });
  expect(await graph('--from', guide, '--space', quoted)).toMatchObject({ code: 2, stdout: '' });
});

test('a scope names what is outside of it, and claims nothing of it', async () => {
  const { nodes } = await read('--space', quoted);
  const states = Object.fromEntries(nodes.map(({ id, state }) => [id, state]));
  expect(states).toMatchObject({
    [`space:${quoted}`]: 'read',
    [`space:${guide}`]: 'outside',
    [`space:${deleted}`]: 'unknown',
  });
  expect(nodes.some(({ isolated }) => isolated)).toBe(false);
});

test('a space that cannot be read is unknown, and exits 3', async () => {
  world.addFault({ match: `GET /v1/spaces/${quoted}/links*`, status: 403 });
  const { code, stdout, stderr } = await graph('--json');
  expect(code).toBe(3);
  const { nodes, unread } = JSON.parse(stdout) as Graph;
  expect(nodes.find(({ id }) => id === `space:${quoted}`)).toMatchObject({ state: 'unknown' });
  expect(nodes.some(({ isolated }) => isolated)).toBe(false);
  expect(unread).toMatchObject([
    { kind: 'space', id: quoted, title: 'A "quoted" one', error: { status: 403 } },
  ]);
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'not_all_read', details: { spaces: 2 } } });
  expect((await graph('-o', 'dot')).stdout).toContain('unknown", color=orange');
});

test('a space that comes back after the lists were read, and that links lead to, is read, too', async () => {
  const before = org.spaces.map((one) =>
    one.title === 'A "quoted" one' ? { ...one, state: 'gone' as const } : one,
  );
  world.load(stateOf({ ...org, spaces: before }));
  world.onRequest = (sent) => {
    if (!sent.includes('/links')) return;
    world.onRequest = () => {};
    world.restore(stateOf(org));
  };
  const { nodes } = await read();
  const links = { total: 7, broken: 2, within: 1 };
  expect(nodes.find(({ id }) => id === `space:${quoted}`)).toMatchObject({ state: 'read', links });
});

describe('formats', () => {
  test('a row an edge in a pipe, with ids to go on with', async () => {
    const { stdout, stderr, code } = await graph('--to', quoted);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '2 spaces, 0 sites, 1 link between them.\n' });
    expect(stdout).toBe(`Guide\tA "quoted" one\tlink\tok\treference\t1\tspace:${guide}\tspace:${quoted}\n`);
    expect((await graph('--to', quoted, '-o', 'id')).stdout).toBe(`${guide}\n`);
    expect((await graph('--to', quoted, '-o', 'csv', '--fields', 'to.title,count')).stdout).toBe(
      'to.title,count\n"A ""quoted"" one",1\n',
    );
  });

  test('DOT and Mermaid', async () => {
    const dot = await graph('--to', quoted, '-o', 'dot');
    expect(dot.stdout).toContain(`"space:${quoted}" [label="A \\"quoted\\" one\\n2 broken links"];`);
    expect((await graph('--to', quoted, '-o', 'mermaid')).stdout).toBe(
      'flowchart LR\n  n1["Guide<br/>1 broken link"]\n  n2["A #34;quoted#34; one<br/>2 broken links"]\n  n1 --> n2\n',
    );
  });

  test('jq gets the graph; drawings and jq contradict each other', async () => {
    const { stdout } = await graph('--jq', '.nodes[] | select(.isolated) | .title');
    expect(stdout).toBe('Alone\n');
    expect((await graph('-o', 'dot', '--jq', '.')).code).toBe(2);
    expect((await graph('--fields', 'nothing')).code).toBe(2);
  });
});

test('an address without a token and an organization is a usage error, and nothing is sent', async () => {
  world.sent();
  const nobody = { DOCS_TOKEN: '', DOCS_ORG: '' };
  expect(await world.docs(['links', 'graph'], nobody)).toMatchObject({ code: 2, stdout: '' });
  expect(world.sent()).toEqual([]);
});
