import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { linkMemberSso } from '../../../src/api/resources/members.js';
import { updateOrg } from '../../../src/api/resources/orgs.js';
import {
  createSamlProvider,
  listSamlProviders,
  updateSamlProvider,
} from '../../../src/api/resources/saml.js';
import type { Readiness } from '../../../src/commands/sso/shapes.js';
import { certificates } from '../../sandbox/certificates.js';
import { org, orgWorldOfFile, person } from '../members/org-world.js';

/** `docs sso readiness` over the seven members of the seed; Ada is its only admin, Goran a guest. */

const world = await orgWorldOfFile();
const readiness = (...words: string[]) => world.run(['sso', 'readiness', ...words]);
const path = { organizationId: org };
const link = (name: string) => world.admin.ok(linkMemberSso, { path: { ...path, userId: person(name) } });
const write = (text: string | Buffer, name = 'users.csv') => writeFileSync(join(world.home, name), text);
const everybody = ['ada', 'bruno', 'chiara', 'deniz', 'emil', 'farah', 'goran'];
const csvOf = (...emails: string[]) => ['email,status', ...emails.map((one) => `${one},ACTIVE`)].join('\n');
const all = everybody.map((name) => `${name}@acme.example`);

async function report(...words: string[]): Promise<Readiness & { code: number; error?: { code: string } }> {
  const { stdout, stderr, code } = await readiness(...words, '--json');
  const failure = code === 0 ? {} : (JSON.parse(stderr) as { error: { code: string } });
  return { code, ...failure, ...(JSON.parse(stdout) as Readiness) };
}
const statuses = ({ rows }: Readiness) =>
  Object.fromEntries(rows.map(({ status, email = '' }) => [email.split('@')[0], status]));
const codes = (issues: Readiness['blockers']) => issues.map(({ code }) => code);

describe('what it says of each person', () => {
  test('in an export in UTF-16 with semicolons', async () => {
    await link('ada');
    await link('farah');
    const text = [
      'First Name [Required];Last Name [Required];Email Address [Required];Status [READ ONLY]',
      'Ada;Okafor;ADA@acme.example;Active',
      'Bruno;Keller;bruno@acme.example;Active',
      'Chiara;Rossi;chiara@acme.com;Active',
      'Deniz;Yildiz;d.yildiz@else.example;Active',
      'Émil;Laurent;emil@acme.example;Suspended',
      'New;Person;new@acme.example;Active',
    ].join('\r\n');
    write(Buffer.from(`\ufeff${text}`, 'utf16le'));
    const found = await report('--idp', 'users.csv');
    expect(statuses(found)).toEqual({
      ...{ ada: 'linked', bruno: 'to-link', emil: 'disabled', farah: 'linked', goran: 'not-in-idp' },
      ...{ new: 'not-in-organization', deniz: 'not-in-idp', 'd.yildiz': 'not-in-organization' },
      chiara: 'not-in-organization',
    });
    const row = (id: string) => found.rows.find((one) => one.id === person(id));
    expect(row('chiara')).toMatchObject({
      status: 'email-mismatch',
      matches: [{ email: 'chiara@acme.com', line: 4, why: ['name'] }],
    });
    expect(row('deniz')?.matches).toEqual([]);
    expect(row('ada')?.flags).toEqual(['admin', 'case-differs']);
    expect(row('farah')?.flags).toEqual(['not-in-idp']);
    expect(row('goran')?.flags).toEqual(['guest']);
    expect(found.counts).toMatchObject({
      ...{ members: 7, admins: 1, guests: 1, linked: 2, toLink: 1, emailMismatch: 1, notInIdp: 2 },
      ...{ disabled: 1, unknown: 0, notInOrganization: 3, breakGlass: 0 },
    });
    expect([found.code, found.blockers]).toEqual([0, []]);
  });

  test('by another address or the same name, where one person alone has it', async () => {
    const rows = [
      'email,alias,name',
      'a.okafor@acme.example,ADA@acme.example,ada  OKAFOR',
      'b1@acme.example,,Bruno Keller',
      'b2@acme.example,,Bruno Keller',
      'chiara+x@acme.example,,Ch. Rossi',
      'd.yildiz@acme.example,,Deniz Yıldız',
    ];
    write(rows.join('\n'));
    const found = await report('--idp', 'users.csv');
    const matches = found.rows.flatMap((row) =>
      row.matches.map((match) => ({ member: row.email, ...match })),
    );
    expect(matches).toEqual([
      {
        ...{ member: 'ada@acme.example', email: 'a.okafor@acme.example', name: 'ada  OKAFOR', line: 2 },
        why: ['alias', 'name'],
      },
      {
        ...{ member: 'deniz@acme.example', email: 'd.yildiz@acme.example', name: 'Deniz Yıldız', line: 6 },
        why: ['name'],
      },
    ]);
    expect(found.counts).toMatchObject({ emailMismatch: 2, notInIdp: 5, notInOrganization: 5 });
  });

  test('outside the email domains of the organization', async () => {
    await world.admin.ok(updateOrg, { path, body: { emailDomains: ['ACME.example'] } });
    write(csvOf(...all, 'x@else.example'));
    const { rows, warnings } = await report('--idp', 'users.csv');
    const outside = rows.filter(({ flags }) => flags.includes('outside-domains'));
    expect(outside.map(({ email }) => email)).toEqual(['x@else.example']);
    expect(codes(warnings)).toContain('outside_domains');
  });

  test('without a file everybody who is not linked is to be linked, and that is said', async () => {
    const { stdout, stderr } = await readiness();
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      `to-link\tada@acme.example\tadmin\t\tadmin, break-glass\tAda Okafor\t\t${person('ada')}`,
      `to-link\tbruno@acme.example\tcreate\t\t\tBruno Keller\t\t${person('bruno')}`,
    ]);
    expect(stderr).toContain(
      'No members were compared with the identity provider; pass its export with --idp.',
    );
  });

  test('as CSV and NDJSON by row, also only those of a status', async () => {
    write(csvOf(...all.slice(0, 2)));
    const some = ['--idp', 'users.csv', '--status', 'to-link'];
    const csv = await readiness(...some, '-o', 'csv');
    expect(csv.stdout.split('\n')[0]).toBe('status,email,role,match,flags,name,line,id');
    const lines = (await readiness(...some, '-o', 'ndjson')).stdout.trim().split('\n');
    const ids = [person('ada'), person('bruno')];
    expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(ids);
    expect((await readiness(...some, '-o', 'id')).stdout).toBe(`${ids.join('\n')}\n`);
  });
});

describe('what blocks enforcement', () => {
  test('no admin is linked', async () => {
    const { stderr, code } = await readiness();
    expect(code).toBe(17);
    expect(stderr).toContain(
      'Blocks enforcement: No admin is linked, so none could sign in while SSO is enforced.\n',
    );
    expect(stderr).toContain('error: 1 blocker of enforcement: No admin is linked');
    expect(stderr).toContain('SSO is not enforced now. (findings, exit 17)');
  });

  test('an admin who is not linked cannot sign in where SSO is enforced', async () => {
    await world.admin.ok(updateOrg, { path, body: { sso: true } });
    expect((await report()).warnings).toContainEqual({
      code: 'admin_locked_out',
      message: '1 person is not linked, and SSO is enforced: ada@acme.example.',
    });
  });

  test('admins who are not in the identity provider, or are disabled there', async () => {
    await link('ada');
    write(csvOf(...all.slice(1)));
    const absent = await report('--idp', 'users.csv');
    expect([absent.code, codes(absent.blockers)]).toEqual([17, ['no_admin_able', 'admin_not_in_idp']]);
    expect(absent.blockers[1]?.members).toEqual([{ id: person('ada'), email: 'ada@acme.example' }]);
    write(`${csvOf(...all.slice(1))}\nada@acme.example,DEPROVISIONED`);
    const disabled = await report('--idp', 'users.csv');
    expect(codes(disabled.blockers)).toEqual(['no_admin_able', 'admin_disabled_in_idp']);
  });

  const provider = async (body: object) => {
    const [only] = await world.admin.all(listSamlProviders, { path });
    await world.admin.ok(updateSamlProvider, { path: { ...path, samlProviderId: only?.id ?? '' }, body });
    return only?.id ?? '';
  };

  test('the only provider has an expired certificate, or one that is none', async () => {
    await link('ada');
    await provider({ certificate: certificates.contractors });
    const expired = await report();
    expect([expired.code, codes(expired.blockers)]).toEqual([17, ['provider_broken']]);
    expect(expired.blockers[0]?.message).toBe(
      'No one can sign in through SAML provider Acme Staff: the certificate expired on 2020-01-01.',
    );
    await provider({ certificate: 'none' });
    expect((await report()).blockers[0]?.message).toContain('the certificate is not an X.509 certificate.');
  });

  test('one of two is a warning, unless it is the one that is meant', async () => {
    await link('ada');
    const body = { label: 'Old', certificate: certificates.contractors };
    await world.admin.ok(createSamlProvider, { path, body });
    const any = await report();
    expect([any.code, codes(any.warnings)]).toEqual([0, ['provider_broken', 'not_linked']]);
    expect(any.warnings[0]?.message).toBe(
      'SAML provider Old: ssoURL is missing; entityID is missing; the certificate expired on 2020-01-01.',
    );
    const old = await report('--provider', 'old');
    expect([old.code, codes(old.blockers)]).toEqual([17, ['provider_broken']]);
    expect((await readiness('--provider', 'none')).code).toBe(6);
  });

  test('by the clock of the platform', async () => {
    await link('ada');
    await world.control.clock.shift(Date.parse('2119-12-20T00:00:00Z') - world.control.clock.now());
    const { providers, warnings } = await report();
    expect(providers?.[0]?.certificate).toMatchObject({ state: 'expires-soon' });
    expect(codes(warnings)).toContain('certificate_expires');
  });
});

describe('what cannot be read', () => {
  test('providers: the rest is told, exit 3', async () => {
    await link('ada');
    world.control.faults.add({ match: 'GET /v1/orgs/*/saml', status: 403 });
    const found = await report();
    const { code, error, providers, ready } = found;
    expect([code, error?.code, providers, ready]).toEqual([3, 'not_all_read', null, false]);
    expect(found.unread).toMatchObject([{ what: 'SAML providers', error: { status: 403 } }]);
    expect(found.rows).toHaveLength(7);
  });

  test('members: nobody is said not to be a member', async () => {
    write(csvOf(...all, 'x@else.example'));
    world.control.faults.add({ match: 'GET /v1/orgs/*/members', status: 403 });
    const found = await report('--idp', 'users.csv');
    expect([found.code, found.rows, found.blockers]).toEqual([3, [], []]);
  });

  test('a file without an email is refused, before anything is asked', async () => {
    write('email,status\n,ACTIVE\n');
    expect(await readiness('--idp', 'users.csv')).toMatchObject({ code: 2, stdout: '' });
    expect((await readiness('--idp-column', 'x')).stderr).toContain('--idp-column requires --idp');
  });
});
