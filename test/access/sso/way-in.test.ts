import { describe, expect, test } from 'vitest';
import type { ProviderFacts } from '../../../src/access/sso/providers.js';
import { linkRisks, lockOutReasons, type WaysIn } from '../../../src/access/sso/way-in.js';
import type { Member } from '../../../src/api/resources/members.js';

/** Whether an admin is left with a way in. */

const admin = (id: string, more: Partial<Member> = {}): Member => ({
  ...{ object: 'member', id, role: 'admin', disabled: false, joinedAt: '2025-01-01T00:00:00Z' },
  ...{ sso: false, spaces: 0, teams: 0 },
  user: {
    object: 'user',
    id,
    displayName: id,
    email: `${id}@x.example`,
    urls: { location: '' },
  } as Member['user'],
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
  ...{
    enforced: false,
    providers: [provider()],
    admins: [admin('a'), admin('b')],
    linking: new Set<string>(),
  },
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

  test.each<[string, Partial<WaysIn>, string]>([
    [
      'the last admins through a broken provider',
      { providers: broken, linking: new Set(['a', 'b']) },
      'All admins would sign in with SSO, and no SAML provider works (Okta: entityID is missing), so no admin would be left with a way in.',
    ],
    [
      'through none',
      { providers: [], linking: new Set(['a', 'b']) },
      'All admins would sign in with SSO, and there is no SAML provider, so no admin would be left with a way in.',
    ],
    [
      'through one that cannot be read',
      { providers: null, linking: new Set(['a', 'b']) },
      'All admins would sign in with SSO, and the SAML providers cannot be read, so no admin would be left with a way in.',
    ],
    [
      'where the other one is disabled',
      { providers: [], admins: [admin('a'), admin('b', { disabled: true })], linking: new Set(['a']) },
      'All admins would sign in with SSO, and there is no SAML provider, so no admin would be left with a way in.',
    ],
    [
      'where the identity provider lets none of them in',
      { linking: new Set(['a', 'b']), inIdp: () => false },
      'All admins would sign in with SSO, and none of them is active in the identity provider, so no admin would be left with a way in.',
    ],
  ])('%s is refused', (_, more, reason) => {
    expect(lockOutReasons(ways(more))).toEqual([reason]);
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
  expect(linkRisks(ways({ linking: new Set(['a', 'b']) }))).toEqual([
    'No admin would be left who signs in without SSO.',
  ]);
  expect(linkRisks(ways({ linking: new Set(['a']), providers: broken }))).toEqual([
    'Linked members could not sign in now: no SAML provider works (Okta: entityID is missing).',
  ]);
  expect(linkRisks(ways({ linking: new Set(['a']) }))).toEqual([]);
});
