import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/access/links/finding.js';
import { Tally } from '../../../src/access/links/link-check.js';
import { checkPage, graphPart } from '../../../src/access/links/page.js';
import { DrawnBeside } from '../../../src/access/links/read-graph.js';
import type { Link, LinkStatus } from '../../../src/access/links/reference.js';
import type { Client } from '../../../src/api/client.js';
import { DocsError } from '../../../src/base/errors.js';
import { partOf } from '../../reports/written.js';

/** What the page of a check of links says. */

const client = {
  call: () => {
    throw new DocsError('not-found', 'not_found', 'not found');
  },
} as unknown as Client;
const reading = { client, organizationId: '', concurrency: 1, signal: new AbortController().signal };
const spaces = [
  { id: 's1', title: 'Guide' },
  { id: 's2', title: 'FAQ' },
];

const link = (status: LinkStatus, page: number, to: Link['targetReference']): Link =>
  ({
    status,
    relation: 'reference',
    targetReference: to,
    locationReferences: [{ kind: 'page', space: 's1', page: `p${page}` }],
  }) as Link;

async function drawn(links: readonly Link[], unread: Parameters<DrawnBeside['finish']>[0] = []) {
  const drawing = new DrawnBeside();
  await drawing.begin(reading, spaces, true);
  await drawing.add({ id: 's1', title: 'Guide' }, links);
  return drawing.finish(unread);
}

describe('the graph', () => {
  it('is of pages where these are few: broken links are counted apart', async () => {
    const part = graphPart(
      await drawn([
        link('ok', 1, { kind: 'page', space: 's2', page: 'p9' }),
        link('ok', 1, { kind: 'page', space: 's2', page: 'p9' }),
        link('broken', 1, { kind: 'url', url: '../gone.md' }),
      ]),
    );
    expect(part.title).toBe('Links between pages');
    expect(part.nodes.map(({ label, as }) => [label, as])).toEqual([
      ['p1', 'page'],
      ['../gone.md', 'missing'],
      ['p9', 'page'],
    ]);
    expect(part.edges).toEqual([
      { from: 0, to: 1, count: 1, broken: 1 },
      { from: 0, to: 2, count: 2, broken: 0 },
    ]);
  });

  it('is of spaces where pages are many: what is broken within one is red, too', async () => {
    const many = Array.from({ length: 120 }, (_, at) =>
      link('ok', at, { kind: 'page', space: 's1', page: 'p0' }),
    );
    const part = graphPart(
      await drawn([
        ...many,
        link('broken', 1, { kind: 'page', space: 's1', page: 'gone' }),
        link('broken', 1, { kind: 'page', space: 's2', page: 'gone' }),
        link('ok', 1, { kind: 'page', space: 's2', page: 'p9' }),
      ]),
    );
    expect(part.title).toBe('Links between spaces');
    expect(part.nodes).toEqual([
      { label: 'Guide', as: 'space', detail: '123 links, 121 within it' },
      { label: 'FAQ', as: 'space' },
      { label: 'Not found', as: 'missing', detail: 'What 1 broken link of Guide should lead to' },
    ]);
    expect(part.edges).toEqual([
      { from: 0, to: 1, count: 2, broken: 1 },
      { from: 0, to: 2, count: 1, broken: 1 },
    ]);
  });

  it('says which space could not be read', async () => {
    const error = new DocsError('server-error', 'server_error', 'The platform answered 500.');
    const graph = await drawn(
      [link('ok', 1, { kind: 'space', space: 's2' })],
      [{ kind: 'space', ...spaces[1], id: 's2', error }],
    );
    expect(graphPart(graph).nodes.at(-1)).toEqual({ label: 'FAQ', as: 'space', detail: 'could not be read' });
    expect(graph.unread).toHaveLength(1);
  });
});

describe('the page', () => {
  const finding = (more: Partial<Finding>): Finding => ({
    fingerprint: 'f',
    status: 'broken',
    link: '../gone.md',
    space: { id: 's1', title: 'Guide' },
    page: { id: 'p1', title: 'Start', url: 'https://app.example/p1' },
    target: { kind: 'url', url: '../gone.md' },
    ...more,
  });
  const graph = { by: 'space' as const, nodes: [], edges: [], unread: [] };

  it('has each link with its page, and why it is listed', () => {
    const tally = new Tally(false);
    tally.known = 1;
    const findings = [
      finding({}),
      finding({ target: { page: 'p9' }, link: 'page p9' }),
      finding({
        status: 'in-app',
        link: 'https://app.example/home',
        target: { url: 'https://app.example/home' },
      }),
    ];
    const report = checkPage({ findings, tally, statuses: ['broken', 'in-app'], graph }, []);
    expect(partOf(report, 'table', 'Links found').rows.map((row) => row.slice(0, 5))).toEqual([
      ['broken', 'Guide', 'Start', '../gone.md', 'Nothing has this path.'],
      ['broken', 'Guide', 'Start', 'page p9', 'The page does not exist.'],
      [
        'in-app',
        'Guide',
        'Start',
        'https://app.example/home',
        'It leads into the app, which readers of the published page may not be able to open.',
      ],
    ]);
    expect(partOf(report, 'graph', 'Links between spaces').note).toContain(
      'Those of the baseline are among them.',
    );
  });

  it('says what could not be read', () => {
    const error = new DocsError('server-error', 'server_error', 'The platform answered 500.');
    const unread = [{ kind: 'space', ...spaces[1], id: 's2', error }];
    const report = checkPage(
      { findings: [], tally: new Tally(false), statuses: ['broken'], graph: { ...graph, unread } },
      [],
    );
    expect(report.missing).toEqual(['Not read: space FAQ (s2): The platform answered 500']);
    expect(partOf(report, 'table', 'Broken links').empty).toBe('No broken links found.');
  });
});
