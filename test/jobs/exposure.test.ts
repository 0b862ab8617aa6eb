import { describe, expect, it } from 'vitest';
import type { AnyOperation } from '../../src/api/operation.js';
import { updateCollection } from '../../src/api/resources/collections.js';
import { updateInvite, updateMember } from '../../src/api/resources/members.js';
import { updateOrg } from '../../src/api/resources/orgs.js';
import { updateSection } from '../../src/api/resources/sections.js';
import { updateSiteSpace } from '../../src/api/resources/site-spaces.js';
import { updateSite } from '../../src/api/resources/sites.js';
import { updateSpace } from '../../src/api/resources/spaces.js';
import { updateTeam } from '../../src/api/resources/teams.js';
import { exposuresOf } from '../../src/jobs/exposure.js';

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
