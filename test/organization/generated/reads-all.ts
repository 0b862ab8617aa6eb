import { expect } from 'vitest';
import { createClient } from '../../../src/api/client.js';
import { createTransport } from '../../../src/api/transport.js';
import { readLive } from '../../../src/organization/live/read.js';
import type { KindName, Live } from '../../../src/organization/model.js';
import { fakeIo } from '../../fake-io.js';
import type { Organization } from './model.js';
import { orgId, type Row, type Tables } from './rows.js';
import { stateOf } from './state.js';
import type { World } from './world.js';

/** What is read of a random organization is what is in its tables: every item once, under its parent, in order. */

const tableOf: Partial<Record<KindName, { table: string; parent?: string }>> = {
  fields: { table: 'custom_fields' },
  people: { table: 'members' },
  teams: { table: 'teams' },
  memberships: { table: 'team_members' },
  collections: { table: 'collections', parent: 'parent_id' },
  spaces: { table: 'spaces', parent: 'parent_id' },
  openapi: { table: 'openapi_specs' },
  translations: { table: 'translations' },
  sites: { table: 'sites' },
  groups: { table: 'section_groups' },
  sections: { table: 'sections' },
  'site-spaces': { table: 'site_spaces', parent: 'section_id' },
  saml: { table: 'saml_providers' },
};

async function read(world: World): Promise<Live> {
  const { DOCS_BASE_URL: baseUrl = '', DOCS_TOKEN: token = '' } = world.env;
  const credential = { token, origin: baseUrl };
  const client = createClient(createTransport({ baseUrl, credential, io: fakeIo(), userAgent: 'test' }));
  try {
    return await readLive(
      client,
      orgId,
      () => true,
      () => {},
    );
  } finally {
    await client.close();
  }
}

/** Rows of the organization, without what is deleted. */
function rowsOf(tables: Tables, table: string): Row[] {
  const sites = new Set((tables.sites ?? []).filter((row) => row.org_id === orgId).map(({ id }) => id));
  const isOurs = (row: Row) =>
    row.org_id === undefined ? sites.has(row.site_id ?? '') : row.org_id === orgId;
  return (tables[table] ?? []).filter((row) => isOurs(row) && (row.deleted_at ?? null) === null);
}

/** Every item is read once, under its parent. */
export async function readsAll(world: World, org: Organization): Promise<void> {
  world.load(stateOf(org));
  const { items, missed } = await read(world);
  expect(missed).toEqual([]);
  const { tables } = JSON.parse(world.state()) as { tables: Tables };
  for (const [kind, { table, parent }] of Object.entries(tableOf)) {
    const rows = rowsOf(tables, table);
    const live = items.get(kind as KindName) ?? [];
    expect({ kind, count: live.length }).toEqual({ kind, count: rows.length });
    if (parent === undefined) continue;
    const parents = new Map(rows.map((row) => [row.id, row[parent] ?? null]));
    for (const one of live) {
      const found = one.parent?.kind === 'sites' ? null : (one.parent?.id ?? null);
      expect({ kind, id: one.id, parent: found }).toEqual({ kind, id: one.id, parent: parents.get(one.id) });
    }
  }
  expect(items.get('organization')).toHaveLength(1);
}
