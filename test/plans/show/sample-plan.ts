import { prepare } from '../../../src/api/client.js';
import { operationOf } from '../../../src/jobs/operations.js';
import type { Plan, PlanOperation } from '../../../src/plans/plan.js';
import { actions } from '../../../src/plans/schema.js';

/** Plans made by hand, for tests of how they are shown. */

/** A plan of these operations, with counts and ids that fit. */
export function planOf(given: readonly PlanOperation[], head: Partial<Plan> = {}): Plan {
  const operations = given.map((one, at) => ({ ...one, id: `o${at + 1}` }));
  const counts = Object.fromEntries(
    actions.flatMap((action) => {
      const count = operations.filter((operation) => operation.action === action).length;
      return count === 0 ? [] : [[action, count]];
    }),
  );
  return {
    plan: 1,
    id: 'p-9f3ab2c4d5e6f708',
    hash: '0'.repeat(64),
    madeAt: '2026-11-22T10:12:03.000Z',
    version: '1.0.0',
    origin: 'https://docs.example',
    profile: 'default',
    organization: 'acme1',
    title: 'Acme Docs',
    command: 'plan',
    line: ['plan', '--save-plan', 'plan.json'],
    by: { id: 'u1', email: 'ada@acme.example' },
    counts,
    risks: [],
    operations,
    ...head,
  };
}

/** An operation that sends something. */
export function operation(more: Partial<PlanOperation>): PlanOperation {
  return {
    id: 'o1',
    kind: 'teams',
    key: 'writers',
    action: 'update',
    fields: {},
    undo: 'exact',
    request: {
      operation: 'teams.update',
      method: 'PATCH',
      path: '/v1/orgs/acme1/teams/t1',
      parameters: { organizationId: 'acme1', teamId: 't1' },
    },
    ...more,
  };
}

const org = { organizationId: 'acme1' };

/** @param named the parameters of the path beside that of the organization */
function sending(operation: string, named: Readonly<Record<string, string>>, body?: unknown) {
  const op = operationOf(operation);
  const parameters = op.path.includes('{organizationId}') ? { ...org, ...named } : named;
  const { method, path } = prepare(op, { path: parameters });
  return { request: { operation, method, path, parameters, ...(body !== undefined && { body }) } };
}

/** What cannot be done, or is not done now. */
export function remark(more: Partial<PlanOperation>): PlanOperation {
  const { request: _, ...rest } = operation({ action: 'finding', undo: 'none', ...more });
  return rest;
}

/** One of everything. */
export const sample = planOf(
  [
    operation({
      kind: 'people',
      key: 'ada@acme.example',
      fields: { role: { before: 'read', after: 'admin' } },
      risk: 'ada@acme.example would control the whole organization.',
      lock: { item: 'people/ada@acme.example', to: null },
      ...sending('members.update', { userId: 'u1' }, { role: 'admin' }),
    }),
    operation({
      kind: 'people',
      key: 'grace@acme.example',
      action: 'drift',
      fields: { role: { before: 'admin', after: 'read' } },
      ...sending('members.update', { userId: 'u2' }, { role: 'read' }),
    }),
    operation({
      action: 'create',
      fields: { title: { after: 'Writers' } },
      ...sending('teams.create', {}, { title: 'Writers' }),
    }),
    operation({
      kind: 'memberships',
      key: 'ada@acme.example',
      action: 'create',
      fields: { role: { after: 'owner' } },
      lock: { item: 'memberships/writers/ada@acme.example', to: null },
      ...sending('team-members.set', { teamId: 't1', userId: 'u1' }, { role: 'owner' }),
    }),
    operation({
      kind: 'sections',
      key: 'guides',
      action: 'move',
      fields: { place: { before: 'after api', after: 'first' } },
      lock: { item: 'sections/acme-docs/guides', to: null },
      ...sending('sections.move', { siteId: 's1', siteSectionId: 'g1' }, { position: { after: null } }),
    }),
    operation({
      kind: 'organization',
      key: 'organization',
      fields: {
        email_domains: { before: ['acme.example', 'old.example'], after: ['acme.example', 'acme.dev'] },
        title: { before: 'Acme', after: 'Acme Inc.' },
        hostname: { before: null, after: 'docs.acme.example' },
      },
      ...sending(
        'orgs.update',
        {},
        { emailDomains: ['acme.example', 'acme.dev'], title: 'Acme Inc.', hostname: 'docs.acme.example' },
      ),
    }),
    operation({
      kind: 'collections',
      key: 'archive',
      action: 'delete',
      undo: 'none',
      why: 'the spaces of a deleted collection go with it',
      ...sending('collections.delete', { collectionId: 'c1' }),
    }),
    remark({
      kind: 'people',
      key: 'new@acme.example',
      finding: {
        code: 'cannot_create',
        message: 'The API cannot create a member.',
        hint: 'Invite new@acme.example.',
      },
    }),
    remark({
      kind: 'people',
      key: 'other@acme.example',
      finding: {
        code: 'cannot_create',
        message: 'The API cannot create a member.',
        hint: 'Invite other@acme.example.',
      },
    }),
    remark({
      kind: 'teams',
      key: 'editors',
      fields: { title: { before: 'Editors!', after: 'The editors' } },
      finding: {
        code: 'conflict',
        message: 'Changed in teams.yaml and on the platform.',
        hint: 'docs apply --take file=teams/editors, or --take live=teams/editors',
      },
    }),
    remark({
      kind: 'teams',
      key: 'old-team',
      action: 'withheld',
      finding: { code: 'withheld', message: 'Not in teams.yaml.', hint: 'docs apply --prune deletes it.' },
    }),
  ],
  { risks: ['1 person becomes an admin.'], lock: [] },
);
