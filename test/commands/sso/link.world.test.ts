import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listMembers, updateMember } from '../../../src/api/resources/members.js';
import { updateOrg } from '../../../src/api/resources/orgs.js';
import { listSamlProviders, updateSamlProvider } from '../../../src/api/resources/saml.js';
import { hashOfPlan, writePlan } from '../../../src/plans/file.js';
import type { Plan } from '../../../src/plans/plan.js';
import { fakeIo } from '../../fake-io.js';
import { org, orgWorldOfFile, person } from '../members/org-world.js';

/** `docs sso link` over the seven members of the seed; Ada is its only admin. */

const world = await orgWorldOfFile();
const link = (...words: string[]) => world.run(['sso', 'link', ...words]);
const write = (text: string, name = 'users') => writeFileSync(join(world.home, name), text);
const path = { organizationId: org };
const linked = async () => {
  const members = await world.admin.all(listMembers, { path });
  return members
    .filter(({ sso }) => sso)
    .map(({ user }) => user.email?.split('@')[0])
    .sort();
};
const sent = () => world.gateway.requests.filter((line) => line.startsWith('POST '));
const staff = ['bruno', 'chiara', 'deniz', 'emil', 'farah'];
const emails = staff.map((name) => `${name}@acme.example`).join('\n');
const breakProvider = async () => {
  const [only] = await world.admin.all(listSamlProviders, { path });
  const body = { certificate: 'none' };
  await world.admin.ok(updateSamlProvider, { path: { ...path, samlProviderId: only?.id ?? '' }, body });
};
const noInverse =
  'Linking has no inverse: the API cannot unlink a member, who can then sign in only through SSO.';

describe('linking', () => {
  test('takes emails one a line, the canary first, and reads each again', async () => {
    write(`${emails}\n${emails.split('\n')[0]}\n`);
    const ran = await link('--from', 'users', '--canary', 'chiara@acme.example', '--batch', '2', '--yes');
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('Ignored 1 duplicate of 6 members.');
    const order = ['chiara', 'bruno', 'deniz', 'emil', 'farah'];
    expect(ran.stdout).toBe(order.map((name) => `${person(name)}\tok\t\n`).join(''));
    expect(await linked()).toEqual(staff);
    expect(ran.stderr).toContain(
      'To link: the canary chiara@acme.example, then 4 other members in 2 batches of at most 2.',
    );
    expect(ran.stderr).toContain(noInverse);
    expect((await world.run(['jobs', 'show', 'last', '--json'])).stdout).toContain('"command": "sso link"');
  });

  test('an export of the identity provider is led to sso readiness, which finds who can be linked', async () => {
    write('Login,Primary email,Status\nada,ada@acme.example,ACTIVE\n', 'my okta.csv');
    const ran = await link('--from', 'my okta.csv', '--yes');
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('line 1: missing column user or email');
    expect(ran.stderr).toContain("Try: docs sso readiness --idp 'my okta.csv' --status to-link -o csv");
    expect(sent()).toEqual([]);
  });

  test('the canary today, the rest tomorrow', async () => {
    write(emails);
    const words = ['--from', 'users', '--canary', 'chiara@acme.example', '--yes'];
    const today = await link(...words, '--canary-only');
    expect(today).toMatchObject({ code: 0, stdout: `${person('chiara')}\tok\t\n` });
    expect(today.stderr).toContain('run the same command without --canary-only to link the rest.');
    expect(await linked()).toEqual(['chiara']);
    const tomorrow = await link(...words);
    expect(tomorrow.stderr).toContain('1 member already linked; skipped.');
    expect(tomorrow.stderr).toMatch(
      /The canary chiara@acme\.example was linked before, and was last seen \d{4}-/,
    );
    expect(await linked()).toEqual(staff);
    const again = await link(...words, '--json');
    expect(again).toMatchObject({ code: 0, stdout: '[]\n' });
    expect(again.stderr).toContain('5 members already linked; skipped.');
  });

  test.each([
    ['CSV', 'users.csv', `name,email\nB,bruno@acme.example\nD,deniz@acme.example\n`],
    [
      'CSV of readiness',
      'r.csv',
      `status,id\nto-link,bruno@acme.example\nnot-in-idp,emil@acme.example\nto-link,deniz@acme.example\n`,
    ],
    ['JSON of readiness', 'r.json', ''],
  ])('takes %s', async (_, name, text) => {
    const rows = ['bruno', 'emil', 'deniz'].map((who) => ({
      ...{ status: who === 'emil' ? 'not-in-idp' : 'to-link', id: person(who), email: `${who}@acme.example` },
      ...{ flags: [], matches: [] },
    }));
    write(text || JSON.stringify({ counts: {}, rows }, null, 2), name);
    expect((await link('--from', name, '--yes')).code).toBe(0);
    expect(await linked()).toEqual(['bruno', 'deniz']);
  });

  test('what readiness prints is taken as it is', async () => {
    write('email\nbruno@acme.example\nfarah@acme.example\n', 'idp.csv');
    for (const format of ['json', 'ndjson', 'csv']) {
      const { stdout } = await world.run(['sso', 'readiness', '--idp', 'idp.csv', '-o', format]);
      write(stdout, `r.${format}`);
      const ran = await link('--from', `r.${format}`, '--dry-run', '-o', 'ndjson');
      expect(ran.stdout.trim().split('\n'), format).toHaveLength(2);
    }
  });

  test('a request that fails holds back the batches after it; resuming goes on', async () => {
    write(emails);
    const match = `POST /v1/orgs/*/members/${person('chiara')}/sso`;
    world.control.faults.add({ match, status: 503, times: 1 });
    const ran = await link('--from', 'users', '--batch', '2', '--yes', '--json', '--no-retry');
    expect(ran.code).toBe(3);
    const statuses = (JSON.parse(ran.stdout) as { status: string }[]).map(({ status }) => status);
    expect(statuses).toEqual(['ok', 'unknown', 'skipped', 'skipped', 'skipped']);
    expect(await linked()).toEqual(['bruno']);
    expect((await world.run(['jobs', 'resume', 'last'])).code).toBe(0);
    expect(await linked()).toEqual(staff);
    expect(sent().filter((line) => line.includes(person('bruno')))).toHaveLength(1);
  });

  test('--continue links later batches all the same', async () => {
    write(emails);
    world.control.faults.add({ match: `POST /v1/orgs/*/members/${person('chiara')}/sso`, status: 403 });
    expect((await link('--from', 'users', '--batch', '2', '--continue', '--yes')).code).toBe(3);
    expect(await linked()).toEqual(['bruno', 'deniz', 'emil', 'farah']);
  });
});

describe('before anything is sent', () => {
  test('linking the last admin through a broken provider is refused', async () => {
    await breakProvider();
    const ran = await link('ada@acme.example', '--yes');
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(
      'All admins would sign in with SSO, and no SAML provider works (Acme Staff: the certificate is not an X.509 certificate), so no admin would be left with a way in.',
    );
    expect(await linked()).toEqual([]);
    const dry = await link('ada@acme.example', '--dry-run');
    expect(dry.code).toBe(2);
    expect((await link('ada@acme.example', '--save-plan', 'p.json')).code).toBe(2);
  });

  test('with another admin left, or another member alone, it is a risk that is told', async () => {
    await breakProvider();
    const bruno = { path: { ...path, userId: person('bruno') }, body: { role: 'admin' as const } };
    await world.admin.ok(updateMember, bruno);
    const ran = await link('ada@acme.example', '--yes');
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('Linked members could not sign in now: no SAML provider works');
  });

  test('with enforcement, one admin must be linked', async () => {
    await world.admin.ok(updateOrg, { path, body: { sso: true } });
    const ran = await link('bruno@acme.example', '--yes', '--json');
    expect(ran.code).toBe(2);
    expect(JSON.parse(ran.stderr)).toMatchObject({ error: { code: 'refused' } });
    expect((await link('bruno@acme.example', 'ada@acme.example', '--yes')).code).toBe(0);
  });

  test('members who are not in the identity provider are refused, all at once', async () => {
    write('email,active\nbruno@acme.example,true\ndeniz@acme.example,false\n', 'idp.csv');
    write(emails);
    const ran = await link('--from', 'users', '--idp', 'idp.csv', '--yes', '--json');
    expect(ran.code).toBe(2);
    const { error } = JSON.parse(ran.stderr) as { error: { details: { reasons: string[] } } };
    expect(error.details.reasons).toHaveLength(4);
    expect(error.details.reasons[1]).toBe(
      'deniz@acme.example is not in the identity provider under this email, or is disabled there.',
    );
  });

  test('standard input is read for one thing only', async () => {
    for (const words of [['--from', '-'], ['-']]) {
      const ran = await link(...words, '--idp', '-', '--yes');
      expect([ran.code, ran.stdout]).toEqual([2, '']);
      expect(ran.stderr).toContain('both read standard input; pass one of them as a file');
    }
    expect(sent()).toEqual([]);
  });

  test('a token without the role admin is refused, whatever else is wrong', async () => {
    const env = { DOCS_TOKEN: world.control.tokens().find(({ name }) => name === 'read')?.token ?? '' };
    const ran = await world.run(['sso', 'link', 'bruno@acme.example', '--yes'], { env });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('The token in use does not have the role admin, which linking requires.');
  });

  test.each([
    ['--yes', ['bruno@acme.example'], 2, 'Add --yes to go ahead'],
    ['a canary', ['bruno@acme.example', '--canary-only', '--yes'], 2, '--canary-only requires --canary'],
    ['members', ['--canary', 'bruno@acme.example', '--yes'], 2, ''],
    ['known members', ['nobody@acme.example', '--yes'], 6, ''],
    ['the journal', ['bruno@acme.example', '--yes'], 2, 'docs config set journal on'],
  ])('a script needs %s', async (what, words, code, reason) => {
    const env = what === 'the journal' ? { DOCS_JOURNAL: 'off' } : {};
    const ran = await world.run(['sso', 'link', ...words], { env });
    expect(ran).toMatchObject({ code, stderr: expect.stringContaining(reason) });
    expect(await linked()).toEqual([]);
  });
});

describe('a plan', () => {
  const save = (...words: string[]) => link(...words, '--save-plan', 'p.json');

  test('waits, confirms and says that there is no way back; applying it links', async () => {
    write(emails);
    const words = ['--from', 'users', '--batch', '2', '--canary', 'chiara@acme.example', '--json'];
    expect((await save(...words)).code).toBe(0);
    const shown = await world.run(['plan', 'show', 'p.json', '--json']);
    const plan = JSON.parse(shown.stdout) as Plan;
    expect(plan.risks[0]).toBe(noInverse);
    expect(plan.operations.map(({ after = [], job }) => [after.join(), job?.confirms])).toEqual([
      ...[
        ['', true],
        ['o1', true],
        ['o1', true],
        ['o2,o3', true],
        ['o2,o3', true],
      ],
    ]);
    expect((await world.run(['apply', 'p.json', '--yes'])).code).toBe(0);
    expect(await linked()).toEqual(staff);
  });

  test('is refused as things stand when it is applied', async () => {
    expect((await save('ada@acme.example')).code).toBe(0);
    await breakProvider();
    const ran = await world.run(['apply', 'p.json', '--yes']);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('no admin would be left with a way in');
    expect(await linked()).toEqual([]);
  });

  test('is refused also where it names another command than the one that links', async () => {
    const [ada] = (await world.admin.all(listMembers, { path })).filter(({ role }) => role === 'admin');
    const raw = ['api', 'POST', `/v1/orgs/${org}/members/${ada?.id}/sso`, '--save-plan', 'raw.json', '--yes'];
    expect((await world.run(raw)).code).toBe(0);
    const written = JSON.parse(readFileSync(join(world.home, 'raw.json'), 'utf8')) as Plan;
    await breakProvider();
    for (const command of ['api', 'spaces update']) {
      const forged = { ...written, command };
      const io = fakeIo({ cwd: world.home });
      await writePlan(io, 'forged.json', { ...forged, hash: hashOfPlan(forged) });
      const ran = await world.run(['apply', 'forged.json', '--yes']);
      expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('no admin would be left with a way in'),
      });
    }
    expect(sent()).toEqual([]);
  });
});

describe('linking the last admin by another command', () => {
  const lastAdmin = async () => {
    const [ada] = (await world.admin.all(listMembers, { path })).filter(({ role }) => role === 'admin');
    await breakProvider();
    return String(ada?.id);
  };
  test.each<[string, (id: string) => string[]]>([
    ['members link-sso', (id) => ['members', 'link-sso', id]],
    ['docs api', (id) => ['api', 'POST', `/v1/orgs/${org}/members/${id}/sso`]],
  ])('%s is refused, in a dry run, too', async (_, words) => {
    const id = await lastAdmin();
    for (const flag of ['--yes', '--dry-run']) {
      const ran = await world.run([...words(id), flag]);
      expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({
        stderr: expect.stringContaining('no admin would be left with a way in'),
      });
      if (flag === '--yes') expect(ran.code).toBe(2);
    }
    expect(sent()).toEqual([]);
  });
});
