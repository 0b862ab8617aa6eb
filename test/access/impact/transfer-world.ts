import { afterAll, beforeEach } from 'vitest';
import { readImpact } from '../../../src/access/impact/impact.js';
import {
  type Affected,
  type Impact,
  type ImpactAspect,
  impactAspects,
} from '../../../src/access/impact/shapes.js';
import { type Client, createClient } from '../../../src/api/client.js';
import { createChangeRequest } from '../../../src/api/resources/change-requests.js';
import {
  createCollection,
  moveCollection,
  transferCollection,
} from '../../../src/api/resources/collections.js';
import {
  createCustomField,
  listSpaceFields,
  setSpaceFields,
} from '../../../src/api/resources/custom-fields.js';
import { listMemberSpaces, listMembers } from '../../../src/api/resources/members.js';
import { listSiteSpaces } from '../../../src/api/resources/site-spaces.js';
import { listSites } from '../../../src/api/resources/sites.js';
import { listSpaceLinks, transferSpace } from '../../../src/api/resources/spaces.js';
import { createTransport } from '../../../src/api/transport.js';
import { idOf } from '../../../src/base/ids.js';
import { openControl, type SandboxControl } from '../../../src/sandbox/control.js';
import { openDatabase } from '../../../src/sandbox/store/database.js';
import { importState, parseExport } from '../../../src/sandbox/store/export.js';
import { refill } from '../../../src/sandbox/store/store.js';
import { fakeIo } from '../../fake-io.js';
import { seedId } from '../../sandbox/client.js';
import {
  type ContentSandbox,
  importMarkdown,
  openContentSandbox,
} from '../../sandbox/content/content-folder.js';

/** Acme and Acme Labs, with people, grants, fields and sites of every kind that a transfer treats in its own way. */

export const labs = seedId('org labs');
export const acme = seedId('org acme');
export const spaceId = (name: string) => seedId(`space ${name}`);
export const collectionId = (name: string) => seedId(`collection ${name}`);
const userId = (name: string) => seedId(`user ${name}`);
const spaces = ['welcome', 'guide', 'api', 'handbook', 'board'];

/** What operations tell of everything that a transfer may change. */
export interface Found {
  /** The role of everybody in every space: `<person> <space>`. */
  roles: Map<string, string>;
  /** The values of the fields of spaces: `<space>/<field>`. */
  values: Map<string, string>;
  /** The broken links: `<space> <page> → <address as written>`. */
  broken: Set<string>;
  /** Ids of site spaces. */
  sites: Set<string>;
}

export interface TransferWorld {
  sandbox: ContentSandbox;
  control: SandboxControl;
  client: Client;
  impact(
    things: readonly Affected[],
    options?: { aspects?: readonly ImpactAspect[]; client?: Client; to?: string },
  ): Promise<Impact>;
  transfer(things: readonly Affected[]): Promise<void>;
  found(): Promise<Found>;
  as(name: string): Client;
  /** Everything is as it was when the world was opened. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** One for a file, in which each test begins with the same. */
export async function transferWorldOfFile(): Promise<TransferWorld> {
  const world = await openTransferWorld();
  beforeEach(() => world.reset());
  afterAll(() => world.close());
  return world;
}

async function openTransferWorld(): Promise<TransferWorld> {
  const sandbox = await openContentSandbox();
  await addLabs(sandbox);
  await addLinks(sandbox);
  const control = await openControl(sandbox.file, sandbox.outside.io);
  const clientOf = (token: string) => {
    const credential = { token, origin: sandbox.url };
    return createClient(
      createTransport({ baseUrl: sandbox.url, credential, io: fakeIo(), userAgent: 'test' }),
    );
  };
  const client = clientOf(sandbox.token);
  const state = parseExport(control.export());
  return {
    sandbox,
    control,
    client,
    as: (name) => clientOf(sandbox.tokens.find((one) => one.name === name)?.token ?? ''),
    async impact(things, { aspects = impactAspects, client: own = client, to: organization = labs } = {}) {
      const { signal } = new AbortController();
      const reading = { client: own, organizationId: acme, concurrency: 4, signal };
      return readImpact(reading, { action: 'transfer', things, to: { organization } }, { aspects });
    },
    async transfer(things) {
      for (const { object, id } of things) {
        const body = { organization: labs };
        if (object === 'space') await sandbox.admin.ok(transferSpace, { path: { spaceId: id }, body });
        else await sandbox.admin.ok(transferCollection, { path: { collectionId: id }, body });
      }
    },
    async found() {
      const [roles, values] = [new Map<string, string>(), new Map<string, string>()];
      const [broken, sites] = [new Set<string>(), new Set<string>()];
      for (const organizationId of [acme, labs])
        for await (const { id } of client.call(listMembers, { path: { organizationId } })) {
          const path = { organizationId, userId: id };
          for await (const { space, permission } of client.call(listMemberSpaces, { path }))
            roles.set(`${id} ${space.id}`, permission);
        }
      for (const id of spaces.map(spaceId)) {
        const path = { spaceId: id };
        for (const { customField, value } of await client.call(listSpaceFields, { path }))
          if (value !== undefined) values.set(`${id}/${customField.name}`, JSON.stringify(value));
        for await (const link of client.call(listSpaceLinks, { path, query: { status: 'broken' } }))
          for (const { page } of link.locationReferences)
            broken.add(`${id} ${idOf(page)} → ${link.targetReference?.url}`);
      }
      const path = { organizationId: acme };
      for await (const { id } of client.call(listSites, { path }))
        for await (const one of client.call(listSiteSpaces, { path: { ...path, siteId: id } }))
          sites.add(one.id);
      return { roles, values, broken, sites };
    },
    async reset() {
      control.faults.clear();
      await control.fill({
        ...{ source: 'transfers', hint: '' },
        fill: async (db) =>
          refill(db, { source: 'transfers', nowMs: sandbox.outside.ms, fill: () => importState(db, state) }),
      });
    },
    async close() {
      control.close();
      await sandbox.close();
    },
  };
}

/**
 * Labs gets members of Acme in every role, and one of its own; fields that fit, fit in part, and do not. Spaces get
 * grants to people and teams on both sides; a collection gets another inside.
 */
async function addLabs({ file, admin }: ContentSandbox): Promise<void> {
  const db = await openDatabase(file);
  const member = 'INSERT INTO members (org_id, user_id, role, joined_at) VALUES (?, ?, ?, 0)';
  for (const [name, role] of [
    ['chiara', 'read'],
    ['deniz', 'admin'],
    ['emil', 'edit'],
    ['goran', null],
    ['hanna', 'comment'],
  ] as const)
    db.run(member, labs, userId(name), role);
  const grant = (table: string, column: string) =>
    `INSERT OR REPLACE INTO ${table} (space_id, ${column}, level) VALUES (?, ?, ?)`;
  for (const space of ['board', 'api', 'handbook']) {
    db.run(grant('space_users', 'user_id'), spaceId(space), userId('bruno'), 'admin');
    db.run(grant('space_users', 'user_id'), spaceId(space), userId('chiara'), 'edit');
    db.run(grant('space_users', 'user_id'), spaceId(space), userId('goran'), 'comment');
    db.run(grant('space_teams', 'team_id'), spaceId(space), seedId('team support'), 'review');
  }
  db.close();
  const path = { organizationId: labs };
  for (const body of [
    { name: 'audience', type: 'select' as const, options: ['staff'] },
    { name: 'topics', type: 'multiselect' as const, options: ['api', 'labs'] },
    { name: 'review-by', type: 'text' as const },
    { name: 'owner-team', type: 'text' as const },
  ])
    await admin.ok(createCustomField, { path, body });
  const values = {
    audience: { value: 'customers' },
    topics: { value: ['api', 'security'] },
    'review-by': { value: '2030-01-01' },
    'owner-team': { value: 'Platform' },
  };
  for (const space of ['board', 'api', 'guide'])
    await admin.ok(setSpaceFields, { path: { spaceId: spaceId(space) }, body: { values } });
  const request = { path: { spaceId: spaceId('guide') }, body: { subject: 'Better words' } };
  await admin.ok(createChangeRequest, request);
  await admin.ok(moveCollection, {
    path: { collectionId: collectionId('internal') },
    body: { parent: collectionId('product') },
  });
  await admin.ok(createCollection, { path, body: { title: 'Product' } });
}

/** Each space links to all others and to itself, to what is published, and to what is not there. */
async function addLinks(sandbox: ContentSandbox): Promise<void> {
  for (const own of spaces) {
    const links = spaces.map((name) => `[${name}](/spaces/${spaceId(name)})`);
    const others = ['[none](/spaces/nowhere)', `[gone](/spaces/${spaceId('guide')}/pages/none)`];
    const site = '[published](https://docs.acme.example/guides/guide/concepts)';
    const text = `# Links\n\n${[...links, ...others, site].join(' ')}`;
    await importMarkdown(sandbox, text, { space: spaceId(own) });
  }
}
