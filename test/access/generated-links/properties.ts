import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { type InboundLink, readInbound } from '../../../src/access/links/inbound.js';
import { readGraph } from '../../../src/access/links/read-graph.js';
import { type Client, createClient } from '../../../src/api/client.js';
import { deleteSpace, restoreSpace } from '../../../src/api/resources/spaces.js';
import { createTransport } from '../../../src/api/transport.js';
import { isObject } from '../../../src/base/values.js';
import type { Reading } from '../../../src/snapshot/unread.js';
import { fakeIo } from '../../fake-io.js';
import { orgId } from '../../organization/generated/rows.js';
import { World } from '../../organization/generated/world.js';
import { impactIsWhatHappens } from '../impact/generated.js';
import {
  type LinkedOrganization,
  linkedOrganization,
  pageId,
  publicUrl,
  publishedUrl,
  siteUrl,
  spaceId,
  stateOf,
  type WrittenLink,
  writtenLinks,
} from './organization.js';

type Property = (world: World, org: LinkedOrganization) => Promise<void>;

const properties: Readonly<Record<string, Property>> = {
  'deleting a space breaks exactly the links by reference that were found before': deletionBreaksTheInbound,
  'every link to a space is found, whether references are ids or whole resources': allInboundIsFound,
  'a graph counts every link between two spaces': allIsDrawn,
  'what a deletion breaks is what its impact listed': impactIsWhatHappens,
};

/** Declares a test of each property with this many random organizations, all in one world. */
export async function holdForEach(numRuns: number): Promise<void> {
  const world = await worldOfFile();
  // A test that runs out of time goes on in the world that the next one loads.
  const timeout = 60_000 + numRuns * 1000;
  for (const [name, holds] of Object.entries(properties)) {
    const property = fc.asyncProperty(linkedOrganization, (org) => holds(world, org));
    test(name, { timeout }, () => fc.assert(property, { numRuns, seed: 20261122 }));
  }
}

/** What must hold of the links of every organization. */

/** Reads as a command does. @param byId whether the platform gives references as ids instead of resources */
export function readingOf({ env }: World, byId: boolean): Reading {
  const { DOCS_BASE_URL: baseUrl = '', DOCS_TOKEN: token = '' } = env;
  const credential = { token, origin: baseUrl };
  const io = Object.assign(fakeIo({ env }), { now: Date.now });
  const client = createClient(createTransport({ baseUrl, credential, io, userAgent: 'test' }));
  const reading = { organizationId: orgId, concurrency: 4, signal: new AbortController().signal };
  return { ...reading, client: byId ? withIds(client) : client };
}

/** A platform that gives references as ids (platform-facts, "Shapes"). */
function withIds(client: Client): Client {
  const call = (...given: Parameters<Client['call']>) => {
    const answer = client.call(...given) as { pages?: () => AsyncIterable<{ items: unknown[] }> };
    if (given[0].id !== 'spaces.links' || answer.pages === undefined) return answer;
    const { pages } = answer;
    return {
      async *pages() {
        for await (const page of pages()) yield { ...page, items: page.items.map(bare) };
      },
    };
  };
  return { ...client, call: call as Client['call'] };
}

function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => {
    const isResource = ['organization', 'space', 'page', 'file', 'revision'].includes(key);
    return [key, isResource && isObject(part) ? part.id : bare(part)];
  });
  return Object.fromEntries(entries);
}

interface Finding {
  space: { id: string };
  page: { id: string };
  link: string;
}

/** Where each broken link is, and what it leads to. */
export async function broken(world: World): Promise<string[]> {
  const found = JSON.parse(await world.ok(['links', 'check', '--json'])) as Finding[];
  return found.map(({ space, page, link }) => `${space.id} ${page.id} ${link.replace(/#.*/, '')}`).sort();
}

export function placed(links: readonly InboundLink[], target: (link: InboundLink) => string): string[] {
  return links.map((link) => `${link.from.space.id} ${link.from.page?.id} ${target(link)}`).sort();
}

/** What a reference is as it is written. */
export function writtenAs({ to }: InboundLink): string {
  const inSpace = to.page ? `/pages/${to.page}` : to.file ? `/files/${to.file}` : '';
  return `/spaces/${to.space}${inSpace}`;
}

const wantedOf = (at: number) => ({
  spaces: new Set([spaceId(at)]),
  addresses: [publishedUrl(at), publicUrl(at)],
});

/** The links by reference that are not broken yet are exactly those that a check finds broken after the deletion. */
async function deletionBreaksTheInbound(world: World, org: LinkedOrganization): Promise<void> {
  world.load(stateOf(org));
  const before = await broken(world);
  const reading = readingOf(world, false);
  for (const [at, { state }] of org.spaces.entries()) {
    if (state !== 'live') continue;
    const { links, unread } = await readInbound(reading, wantedOf(at));
    expect(unread).toEqual([]);
    const path = { spaceId: spaceId(at) };
    await world.client.ok(deleteSpace, { path });
    const breaks = links.filter(({ via, status }) => via === 'reference' && status !== 'broken');
    const others = before.filter((one) => !one.startsWith(`${spaceId(at)} `));
    expect(await broken(world)).toEqual([...others, ...placed(breaks, writtenAs)].sort());
    await world.client.ok(restoreSpace, { path });
  }
  expect(await broken(world)).toEqual(before);
  await reading.client.close();
}

/** Every link that was written to a space is found, once, and no other, whole resources or ids. */
async function allInboundIsFound(world: World, org: LinkedOrganization): Promise<void> {
  world.load(stateOf(org));
  const written = writtenLinks(org, orgId);
  for (const byId of [false, true]) {
    const reading = readingOf(world, byId);
    for (const [at, { state }] of org.spaces.entries()) {
      if (state !== 'live') continue;
      const { links } = await readInbound(reading, wantedOf(at));
      const told = links.map(({ via, status, from, to }) =>
        [via, status, from.space.id, from.page?.id, from.page?.title, to.space ?? '-'].join(' '),
      );
      expect(told.sort()).toEqual(expectedOf(org, written, at));
      const count = new Set(links.map((link) => JSON.stringify([link.from, link.to]))).size;
      expect(count).toBe(links.length);
    }
    await reading.client.close();
  }
}

/** A page has each target once, however often it is written. */
function onceEach(links: readonly WrittenLink[]): WrittenLink[] {
  return [...new Map(links.map((link) => [JSON.stringify([link.from, link.target]), link])).values()];
}

function expectedOf(org: LinkedOrganization, written: readonly WrittenLink[], at: number): string[] {
  const inbound = written.filter(
    ({ from, space, via }) =>
      via !== undefined && space === at && from.space !== at && org.spaces[from.space]?.state === 'live',
  );
  return onceEach(inbound)
    .map(({ via, broken: isBroken, from }) => {
      const status = isBroken ? 'broken' : via === 'app-address' ? 'in-app' : 'ok';
      const to = via === 'published-address' ? '-' : spaceId(at);
      return [via, status, spaceId(from.space), pageId(from.space, from.page), `Page ${from.page}`, to].join(
        ' ',
      );
    })
    .sort();
}

/** A graph by space has every link between two spaces in the count of its edge, whole resources or ids. */
async function allIsDrawn(world: World, org: LinkedOrganization): Promise<void> {
  world.load(stateOf(org));
  const isLive = (at: number) => org.spaces[at]?.state === 'live';
  const between = onceEach(writtenLinks(org, orgId)).flatMap(
    ({ from, space, via, broken: isBroken, written }) => {
      if (via === undefined || space === undefined || space === from.space || !isLive(from.space)) return [];
      // Only the addresses of spaces that are there are known.
      const isKnown = isLive(space) && (org.spaces[space]?.published || !written.startsWith(siteUrl));
      if (via !== 'reference' && !isKnown) return [];
      const status = isBroken ? 'broken' : via === 'app-address' ? 'in-app' : 'ok';
      return [`space:${spaceId(from.space)} space:${spaceId(space)} ${status} ${via}`];
    },
  );
  for (const byId of [false, true]) {
    const reading = readingOf(world, byId);
    const scope = { spaces: [], collections: [], sites: [] };
    const { edges, unread } = await readGraph(reading, { scope, by: 'space', filter: {} });
    const drawn = edges.flatMap(({ from, to, kind, status, via, count }) =>
      kind === 'link' && to.startsWith('space:')
        ? Array<string>(count ?? 0).fill(`${from} ${to} ${status} ${via}`)
        : [],
    );
    expect(drawn.sort()).toEqual([...between].sort());
    expect(unread).toEqual([]);
    await reading.client.close();
  }
}

/** One world for a file, which closes it. */
export async function worldOfFile(): Promise<World> {
  const world = await World.open();
  afterAll(() => world.close());
  return world;
}
