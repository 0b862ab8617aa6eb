import { expect } from 'vitest';
import { updateCollection } from '../../../src/api/resources/collections.js';
import { updateCustomField } from '../../../src/api/resources/custom-fields.js';
import { updateSamlProvider } from '../../../src/api/resources/saml.js';
import { updateSite } from '../../../src/api/resources/sites.js';
import { updateSpace } from '../../../src/api/resources/spaces.js';
import { updateTeam } from '../../../src/api/resources/teams.js';
import { updateTranslation } from '../../../src/api/resources/translations.js';
import type { Plan } from '../../../src/plans/plan.js';
import type { Edit } from './edit.js';
import { snapshot } from './files.js';
import type { Organization } from './model.js';
import { orgId } from './rows.js';
import { addressOf, folderOf, isDone, plan, pullAndEdit } from './steps.js';
import type { World } from './world.js';

/** A change on the platform between plan and apply: stale is exactly what rests on it. */

const title = 'Changed by hand';
const inOrg = { organizationId: orgId };

/** How somebody changes the title of a thing by hand, and what the files call that field. */
const byHand: Readonly<
  Record<string, { field: string; change(world: World, id: string, key: string): Promise<unknown> }>
> = {
  teams: {
    field: 'title',
    change: ({ client }, teamId) => client.ok(updateTeam, { path: { ...inOrg, teamId }, body: { title } }),
  },
  fields: {
    field: 'title',
    change: ({ client }, _id, fieldName) =>
      client.ok(updateCustomField, { path: { ...inOrg, fieldName }, body: { title } }),
  },
  collections: {
    field: 'title',
    change: ({ client }, collectionId) =>
      client.ok(updateCollection, { path: { collectionId }, body: { title } }),
  },
  spaces: {
    field: 'title',
    change: ({ client }, spaceId) => client.ok(updateSpace, { path: { spaceId }, body: { title } }),
  },
  sites: {
    field: 'title',
    change: ({ client }, siteId) => client.ok(updateSite, { path: { ...inOrg, siteId }, body: { title } }),
  },
  translations: {
    field: 'title',
    change: ({ client }, translationSettingsId) =>
      client.ok(updateTranslation, { path: { ...inOrg, translationSettingsId }, body: { title } }),
  },
  saml: {
    field: 'label',
    change: ({ client }, samlProviderId) =>
      client.ok(updateSamlProvider, { path: { ...inOrg, samlProviderId }, body: { label: title } }),
  },
};

/** Those that rest on a field of an item, and those that need them. */
function resting({ operations }: Plan, address: string, field: string): Set<string> {
  const sent = operations.filter(({ request }) => request !== undefined);
  const own = sent.filter((one) => addressOf(one) === address && Object.hasOwn(one.fields, field));
  const stale = new Set(own.map(({ id }) => id));
  for (const one of sent) if (one.after?.some((id) => stale.has(id))) stale.add(one.id);
  return stale;
}

/** Items that exist and that the plan does not delete: what a deletion rests on is its own matter. */
function targets(world: World, { operations }: Plan): { kind: string; key: string; id: string }[] {
  const gone = new Set(operations.filter(({ action }) => action === 'delete').map(addressOf));
  const lock = snapshot(folderOf(world)).get('docs.lock.json') ?? '{"items":{}}';
  const { items } = JSON.parse(lock) as { items: Record<string, { id: string }> };
  return Object.entries(items).flatMap(([address, { id }]) => {
    const [kind = '', ...key] = address.split('/');
    return byHand[kind] !== undefined && !gone.has(address) ? [{ kind, key: key.join('/'), id }] : [];
  });
}

export async function staleIsExact(
  world: World,
  org: Organization,
  edits: readonly Edit[],
): Promise<boolean> {
  await pullAndEdit(world, org, edits);
  const made = await plan(world);
  const all = targets(world, made);
  const touched = all.filter(({ kind, key }) =>
    made.operations.some((one) => addressOf(one) === `${kind}/${key}`),
  );
  const choices = touched.length > 0 ? touched : all;
  const target = choices[(edits[0]?.choices[0] ?? 0) % choices.length];
  const how = target && byHand[target.kind];
  if (target === undefined || how === undefined) return false;
  await how.change(world, target.id, target.key);
  const stale = resting(made, `${target.kind}/${target.key}`, how.field);
  const sending = made.operations.filter(({ request }) => request !== undefined);
  if (sending.length === 0) return false;

  const { code, stdout, stderr } = await world.docs([
    'apply',
    'plan.json',
    '--dir',
    'org',
    '--yes',
    '--json',
  ]);
  if (stale.size === 0) expect(isDone({ code, stderr }) ? '' : stdout + stderr).toBe('');
  else expect(code).toBe(stale.size === sending.length ? 7 : 3);
  expect(staleIn(stdout)).toEqual(stale);
  return stale.size > 0;
}

/** Operations that were stale, or held back since one that they need was. */
function staleIn(stdout: string): Set<string> {
  const results = JSON.parse(stdout || '[]') as { operation?: string; error?: { code: string } }[];
  const stale = results.filter(({ error }) => error?.code === 'stale' || error?.code === 'held_back');
  return new Set(stale.map(({ operation = '' }) => operation));
}
