import { describe, expect, test } from 'vitest';
import { certificateFacts } from '../../src/access/certificate.js';
import {
  linkRisks,
  lockOutReasons,
  type ProviderFacts,
  type WaysIn,
} from '../../src/access/saml-providers.js';
import type { Member } from '../../src/api/resources/members.js';
import { DocsError } from '../../src/base/errors.js';
import { idpPeople } from '../../src/commands/sso/idp.js';
import { type Judged, warningsOf } from '../../src/commands/sso/readiness.js';
import type { ReadinessRow } from '../../src/commands/sso/shapes.js';
import { parseRows } from '../../src/jobs/rows.js';
import { certificates } from '../sandbox/certificates.js';

/** What readiness warns of. */

const judged: Judged = {
  ...{ enforced: false, providers: [], chosen: [], idp: null, rows: [], whole: true },
};

test('people are counted and named', () => {
  const messageOf = (...emails: string[]) => {
    const row: ReadinessRow = { status: 'linked', sso: true, flags: ['outside-domains'], matches: [] };
    const rows = emails.map((email) => ({ ...row, email }));
    return warningsOf({ ...judged, rows }).map(({ message }) => message);
  };
  expect(messageOf('a@x.example')).toEqual([
    "1 person is outside the organization's email domains: a@x.example.",
  ]);
  expect(messageOf('a@x.example', 'b@x.example')).toEqual([
    "2 people are outside the organization's email domains: a@x.example, b@x.example.",
  ]);
});

/** People as identity providers export them. */

const read = async (text: string, column?: string) => idpPeople(await parseRows(text, 'users.csv'), column);
const json = async (value: unknown) => idpPeople(await parseRows(JSON.stringify(value), 'users.json'));

async function refusalOf(text: string, column?: string): Promise<[string, string]> {
  const cause: unknown = await read(text, column).catch((thrown: unknown) => thrown);
  expect(cause).toBeInstanceOf(DocsError);
  const { code, kind, message } = cause as DocsError;
  expect(kind).toBe('usage');
  return [code, message];
}

describe('the exports', () => {
  test('of Okta, whose login is another address than the email', async () => {
    const { people, column } = await read(
      'login,firstName,lastName,email,status\na.okafor@login.example,Ada,Okafor,ada@acme.example,ACTIVE\n' +
        'b@acme.example,Bo,Li,bo@acme.example,DEPROVISIONED\n',
    );
    expect(column).toBe('email');
    expect(people).toEqual([
      {
        ...{ line: 2, email: 'ada@acme.example', name: 'Ada Okafor', active: true },
        aliases: ['a.okafor@login.example'],
      },
      { line: 3, email: 'bo@acme.example', name: 'Bo Li', active: false, aliases: ['b@acme.example'] },
    ]);
  });

  test('of Entra, where mail may be empty', async () => {
    const { people, column } = await read(
      'userPrincipalName,displayName,mail,accountEnabled,proxyAddresses\n' +
        'ada@acme.example,Ada Okafor,Ada.Okafor@acme.example,True,SMTP:Ada.Okafor@acme.example;smtp:ada.o@acme.example\n' +
        'bo@acme.example,Bo Li,,False,\n',
    );
    expect(column).toBe('mail');
    expect(people).toMatchObject([
      { email: 'Ada.Okafor@acme.example', aliases: ['ada@acme.example', 'ada.o@acme.example'], active: true },
      { email: 'bo@acme.example', aliases: [], active: false },
    ]);
  });

  test.each([
    ['LOCKED_OUT', true],
    ['PASSWORD_EXPIRED', true],
    ['STAGED', false],
  ])('of Okta, where %s is active: %s', async (status, active) => {
    const { people } = await read(`email,status\nada@acme.example,${status}\n`);
    expect(people).toMatchObject([{ active }]);
  });

  test('of Google, with brackets in its header', async () => {
    const { people, column } = await read(
      'First Name [Required],Last Name [Required],Email Address [Required],Status [READ ONLY],Recovery Email\n' +
        'Ada,Okafor,ada@acme.example,Active,ada@home.example\nBo,Li,bo@acme.example,Suspended,\n',
    );
    expect(column).toBe('Email Address [Required]');
    expect(people).toMatchObject([
      { name: 'Ada Okafor', active: true, aliases: [] },
      { name: 'Bo Li', active: false },
    ]);
  });

  test('as JSON, with the person in an object of its own', async () => {
    const { people } = await json([
      { status: 'SUSPENDED', profile: { login: 'x', email: 'ada@acme.example', displayName: 'Ada' } },
      { profile: { email: 'bo@acme.example' }, suspended: false },
    ]);
    expect(people).toMatchObject([
      { email: 'ada@acme.example', name: 'Ada', active: false },
      { email: 'bo@acme.example', active: true },
    ]);
  });
});

test('a column that is negative, such as suspended, wins over one that says active', async () => {
  const { people } = await read('email;active;suspended\na@x.example;true;true\nb@x.example;true;no\n');
  expect(people.map(({ active }) => active)).toEqual([false, true]);
});

test('duplicates, rows without an email and unknown states are told', async () => {
  const found = await read('email,status\na@x.example,odd\n"",ACTIVE\nA@x.example,\nnone,ACTIVE\n');
  expect(found.people).toHaveLength(1);
  expect(found.duplicates).toEqual([{ email: 'a@x.example', lines: [2, 4] }]);
  expect(found.withoutEmail).toEqual([3, 5]);
  expect([...found.unknownStates]).toEqual([['odd', 1]]);
  expect(found.people[0]?.active).toBeUndefined();
});

describe('the column with the email', () => {
  test('is named where two may hold it', async () => {
    const text = 'mail,email\na@x.example,b@x.example\n';
    expect(await refusalOf(text)).toEqual([
      'ambiguous_column',
      'columns "mail" and "email" may both hold the email; name one with --idp-column',
    ]);
    expect((await read(text, 'MAIL')).people[0]).toMatchObject({
      email: 'a@x.example',
      aliases: ['b@x.example'],
    });
  });

  test('is named where none is known', async () => {
    const [code, message] = await refusalOf('contact,team\na@x.example,docs\n');
    expect(code).toBe('missing_column');
    expect(message).toContain('("contact", "team"); name it with --idp-column');
    expect((await read('contact,team\na@x.example,docs\n', 'contact')).people).toHaveLength(1);
    expect(await refusalOf('contact\na@x.example\n', 'kontakt')).toEqual([
      'missing_column',
      '--idp-column: column "kontakt" not found; the file has "contact"',
    ]);
  });
});

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
      'The platform does not show whether SSO is enforced, and no admin is linked or would be, so no admin would be left with a way in.',
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

/** What a certificate is worth at a moment; those of the seeds are real ones. */

const at = (text: string) => Date.parse(text);
const { staff, contractors } = certificates;

test.each([
  ['valid', '2026-01-01T00:00:00Z', 34_332],
  ['valid', '2119-12-01T23:59:59Z', 30],
  ['expires-soon', '2119-12-02T00:00:00Z', 30],
  ['expires-soon', '2119-12-31T23:59:59Z', 0],
  ['expired', '2120-01-01T00:00:00Z', 0],
  ['not-yet-valid', '2014-12-31T23:59:59Z', 38_350],
])('%s at %s', (state, now, days) => {
  expect(certificateFacts(staff, at(now))).toEqual({
    ...{ state, days },
    validFrom: '2015-01-01T00:00:00.000Z',
    expiresAt: '2120-01-01T00:00:00.000Z',
  });
});

test('the bare base64 of the metadata is read, too', () => {
  const bare = contractors.replace(/-----[^-]+-----/g, '');
  expect(certificateFacts(bare, at('2019-12-31T00:00:00Z'))).toMatchObject({
    state: 'expires-soon',
    days: 1,
  });
});

test('of several the best counts, in any order', () => {
  const now = at('2026-01-01T00:00:00Z');
  expect(certificateFacts(`${contractors}\n${staff}`, now).state).toBe('valid');
  expect(certificateFacts(`${staff}\n${contractors}`, now).state).toBe('valid');
});

test.each([
  ['missing', undefined],
  ['missing', ' \n'],
  ['unreadable', 'c'.repeat(100)],
  ['unreadable', '-----BEGIN CERTIFICATE-----\nTm8=\n-----END CERTIFICATE-----\n'],
])('%s: %j', (state, text) => {
  expect(certificateFacts(text, 0)).toEqual({ state });
});
