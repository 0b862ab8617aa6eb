import { describe, expect, test } from 'vitest';
import type { Member } from '../../../src/api/resources/members.js';
import {
  linkRisks,
  lockOutReasons,
  type ProviderFacts,
  type WaysIn,
} from '../../../src/commands/sso/providers.js';

/** Whether an admin is left with a way in. */

const admin = (id: string, more: Partial<Member> = {}): Member => ({
  ...{ object: 'member', id, role: 'admin', disabled: false, joinedAt: '2025-01-01T00:00:00Z' },
  ...{ sso: false, spaces: 0, teams: 0 },
  user: { object: 'user', id, displayName: id, email: `${id}@x.example`, urls: { location: '' } },
  ...more,
});
const provider = (broken: string[] = []): ProviderFacts => ({
  ...{
    id: 'p',
    label: 'Okta',
    startURL: '',
    ssoURL: 'https://x.example',
    entityID: 'e',
    broken,
    warnings: [],
  },
  certificate: { state: 'valid' },
});
const ways = (more: Partial<WaysIn>): WaysIn => ({
  ...{ enforced: false, providers: [provider()], admins: [admin('a'), admin('b')], linking: new Set() },
  ...more,
});
const broken = [provider(['entityID is missing'])];
const [linked, unlinked] = [admin('a', { sso: true }), admin('b')];

describe('without enforcement', () => {
  test.each<[string, Partial<WaysIn>]>([
    [
      'an admin who is not linked is a way in, whatever the provider',
      { providers: broken, linking: new Set(['a']) },
    ],
    ['all admins may be linked through a provider that works', { linking: new Set(['a', 'b']) }],
    [
      'linking others changes nothing for admins',
      { providers: broken, admins: [linked], linking: new Set(['u']) },
    ],
  ])('%s', (_, more) => {
    expect(lockOutReasons(ways(more))).toEqual([]);
  });

  const linking = new Set(['a', 'b']);
  const disabled = [admin('a'), admin('b', { disabled: true })];
  test.each<[string, Partial<WaysIn>, string]>([
    [
      'the last admins through a broken provider',
      { providers: broken, linking },
      'no SAML provider works (Okta: entityID is missing)',
    ],
    ['through none', { providers: [], linking }, 'there is no SAML provider'],
    ['through one that cannot be read', { providers: null, linking }, 'the SAML providers cannot be read'],
    [
      'where the other one is disabled',
      { providers: [], admins: disabled, linking: new Set(['a']) },
      'there is no SAML provider',
    ],
    [
      'where the identity provider lets none of them in',
      { linking, inIdp: () => false },
      'none of them is active in the identity provider',
    ],
  ])('%s is refused', (_, more, why) => {
    expect(lockOutReasons(ways(more))).toEqual([
      `All admins would sign in with SSO, and ${why}, so no admin would be left with a way in.`,
    ]);
  });
});

describe('with enforcement', () => {
  const enforced = (more: Partial<WaysIn>) => lockOutReasons(ways({ enforced: true, ...more }));

  test('an admin must be linked, or be among those who are', () => {
    const none =
      'SSO is enforced, and no admin is linked or would be, so no admin would be left with a way in.';
    expect(enforced({ linking: new Set(['u']) })).toEqual([none]);
    expect(enforced({ linking: new Set(['a']) })).toEqual([]);
    expect(enforced({ admins: [linked, unlinked] })).toEqual([]);
    expect(enforced({ admins: [admin('a', { sso: true, disabled: true })] })).toEqual([none]);
  });

  test('in the identity provider, through a provider that works', () => {
    expect(enforced({ admins: [linked], inIdp: ({ id }) => id === 'a' })).toEqual([]);
    expect(enforced({ admins: [linked], inIdp: () => false })).toHaveLength(1);
    expect(enforced({ admins: [linked], providers: broken })).toHaveLength(1);
  });

  test('what is not told counts as enforced', () => {
    expect(lockOutReasons(ways({ enforced: null, linking: new Set(['u']) }))).toEqual([
      'The platform does not tell whether SSO is enforced, and no admin is linked or would be, so no admin would be left with a way in.',
    ]);
  });
});

test('what is at risk is told although an admin is left', () => {
  const none = ['No admin would be left who signs in without SSO.'];
  expect(linkRisks(ways({ linking: new Set(['a', 'b']) }))).toEqual(none);
  // The other one cannot sign in, or does so with SSO already.
  for (const more of [{ disabled: true }, { sso: true }])
    expect(linkRisks(ways({ admins: [admin('a'), admin('b', more)], linking: new Set(['a']) }))).toEqual(
      none,
    );
  expect(linkRisks(ways({ linking: new Set(['a']), providers: broken }))).toEqual([
    'Linked members could not sign in now: no SAML provider works (Okta: entityID is missing).',
  ]);
  expect(linkRisks(ways({ linking: new Set(['a']) }))).toEqual([]);
});
