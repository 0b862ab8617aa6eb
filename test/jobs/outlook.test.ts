import { describe, expect, it, test } from 'vitest';
import type { AnyOperation } from '../../src/api/operation.js';
import { updateCollection } from '../../src/api/resources/collections.js';
import { operations } from '../../src/api/resources/index.js';
import { updateInvite, updateMember } from '../../src/api/resources/members.js';
import { updateOrg } from '../../src/api/resources/orgs.js';
import { updateSamlProvider } from '../../src/api/resources/saml.js';
import { updateSection } from '../../src/api/resources/sections.js';
import { updateSiteSpace } from '../../src/api/resources/site-spaces.js';
import { createSite, updateSite } from '../../src/api/resources/sites.js';
import { moveSpace, transferSpace, updateSpace } from '../../src/api/resources/spaces.js';
import { updateTeam } from '../../src/api/resources/teams.js';
import { exposuresOf } from '../../src/jobs/exposure.js';
import { dependent, forecasts, surveyed } from '../../src/jobs/outlook.js';
import type { Reads } from '../../src/jobs/reads.js';
import { allRules } from '../../src/jobs/undo-rules.js';

/** What undo could do about a change, where that depends on the state before it. */

const change = (userId: string, more = {}) => ({
  ...{
    op: updateMember,
    id: userId,
    input: { path: { organizationId: 'o', userId }, body: { role: 'read' } },
  },
  ...more,
});

/** An organization whose admin is `ada`. */
const reads: Reads = { one: async () => null, all: async () => [{ id: 'ada' }] };

test('a survey finds the admins among many, and leaves states that are known', async () => {
  const found = await surveyed(reads, [
    change('bob'),
    change('ada'),
    change('ada', { before: { role: 'edit' } }),
  ]);
  expect(found.map(({ before }) => before)).toEqual([undefined, { role: 'admin' }, { role: 'edit' }]);
  expect(forecasts(found).map(({ why }) => why !== undefined)).toEqual([false, true, false]);
});

test('nothing depends on a change that was refused', () => {
  const own = (undo: 'exact' | 'none') => ({ own: { undo, why: 'it is gone' } as const });
  const changes = [
    { ...change('a'), ...own('exact'), item: 0 },
    { ...change('b'), ...own('exact'), item: 1, after: [0], refused: true },
    { ...change('c'), ...own('none'), item: 2, after: [1] },
  ];
  expect(dependent(changes).map(({ forecast }) => forecast.undo)).toEqual(['exact', 'none', 'none']);
});

/** Every changing operation has a rule, which says what undo cannot do. */

const changing = operations.filter(({ method }) => method !== 'GET');

/** A body with every field, for every reason. */
function fullInput(op: (typeof operations)[number]) {
  const fields = Object.keys((op.body?.properties ?? {}) as object);
  return { path: {}, query: {}, body: Object.fromEntries(fields.map((field) => [field, 'x'])) };
}

const undoRules = allRules.all();

describe('undo rules', () => {
  it('exist for every changing operation, and for no other', () => {
    expect(Object.keys(undoRules).sort()).toEqual(changing.map(({ id }) => id).sort());
  });

  it.each(changing.map((op) => [op.id, op] as const))('%s: exact, or a reason why not', (id, op) => {
    for (const input of [fullInput(op), { path: {}, query: {}, body: {} }]) {
      const { undo, why } = undoRules[id]?.forecast(input) ?? {};
      expect(['exact', 'best-effort', 'none']).toContain(undo);
      if (undo === 'exact') expect(why).toBeUndefined();
      else expect(why).toMatch(/^\w.*[^.]$/);
    }
  });

  it('are exact only where they know the undo', () => {
    for (const [id, rule] of Object.entries(undoRules)) {
      const { undo } = rule.forecast({ path: {}, query: {}, body: {} });
      expect({ id, hasWayBack: rule.back !== undefined }).toEqual({ id, hasWayBack: undo !== 'none' });
    }
  });

  it.each([
    ['members.update', 'exact'],
    ['teams.update', 'exact'],
    ['sections.move', 'exact'],
    ['site-spaces.move', 'exact'],
    ['team-members.set', 'exact'],
    ['team-members.delete', 'exact'],
    ['sites.update', 'exact'],
    ['spaces.delete', 'exact'],
    ['change-requests.update', 'exact'],
    ['members.delete', 'none'],
    ['change-requests.merge', 'none'],
    ['sites.delete', 'none'],
    ['teams.delete', 'best-effort'],
  ])('%s: %s', (id, undo) => {
    const body = { title: 'x', role: 'read', visibility: 'public', status: 'archived' };
    expect(undoRules[id]?.forecast({ path: {}, query: {}, body }).undo).toBe(undo);
  });
});

/** What changes widen, from what their requests ask for. */

const of = (op: AnyOperation, body: object, before?: Record<string, unknown>) =>
  exposuresOf({ op, input: { path: {}, body }, name: 'X', before });

describe('a change exposes', () => {
  it.each([
    [updateSite, { visibility: 'public' }, { visibility: 'unlisted' }, 'Anyone could read the site X'],
    [updateSite, { visibility: 'unlisted' }, { visibility: 'visitor-auth' }, 'Anyone who has the address'],
    [updateSite, { visibility: 'share-link' }, { visibility: 'visitor-auth' }, 'Anyone who has the link'],
    [updateMember, { role: 'admin' }, { role: 'read' }, 'X would control the whole organization.'],
    [
      updateSpace,
      { defaultLevel: 'admin' },
      { defaultLevel: null },
      'Everyone in X would get the role admin.',
    ],
    [
      updateCollection,
      { defaultLevel: 'read' },
      { defaultLevel: 'inherit' },
      'Everyone in X would get the role read.',
    ],
    [updateSection, { condition: null }, { condition: 'visitor.claims.staff' }, 'every visitor of the site'],
    [
      updateSiteSpace,
      { condition: null },
      { condition: 'visitor.claims.staff' },
      'every visitor of the site',
    ],
    [updateOrg, { defaultRole: 'admin' }, { defaultRole: 'read' }, 'New members would get the role admin.'],
    [updateOrg, { inviteLinks: true }, { inviteLinks: false }, 'Anyone who has an invite link'],
    [
      updateOrg,
      { emailDomains: ['a.example', 'b.example'] },
      { emailDomains: ['a.example'] },
      'b.example could join',
    ],
    [updateOrg, { sso: false }, { sso: true }, 'without SSO'],
    [updateInvite, { role: 'admin' }, { role: 'read' }, 'by the invite X would get the role admin.'],
    [updateSpace, { defaultLevel: 'inherit' }, { defaultLevel: 'read' }, 'the default level of its parent.'],
    [moveSpace, { parent: 'c1' }, { parent: null }, 'Everyone with access to its new collection'],
    [transferSpace, { organization: 'o2' }, { organization: 'o1' }, 'The admins of organization o2'],
    [
      updateSamlProvider,
      { ssoURL: 'https://b.example', entityID: 'b' },
      { ssoURL: 'https://a.example', entityID: 'a' },
      'Whoever controls the identity provider would decide who can sign in.',
    ],
  ])('$id: $1', (op, body, before, told) => {
    expect(of(op, body, before).join()).toContain(told);
    // Where the state before is unknown, too.
    expect(of(op, body).join()).toContain(told);
    // But not where it is so already.
    expect(of(op, body, { ...before, ...body })).toEqual([]);
  });

  it.each([
    [updateSite, { visibility: 'visitor-auth' }],
    [updateSite, { title: 'public' }],
    [updateMember, { role: 'read' }],
    [updateSpace, { defaultLevel: null }],
    [updateSection, { condition: 'true' }],
    [moveSpace, { parent: null }],
    [createSite, { title: 'X' }],
    [updateOrg, { inviteLinks: false }],
    [updateTeam, { title: 'admin' }],
  ])('nothing: %o', (op, body) => {
    expect(of(op, body)).toEqual([]);
  });

  it('nothing by narrowing', () => {
    expect(of(updateSite, { visibility: 'unlisted' }, { visibility: 'public' })).toEqual([]);
    expect(of(updateSpace, { defaultLevel: 'read' }, { defaultLevel: 'edit' })).toEqual([]);
  });
});
