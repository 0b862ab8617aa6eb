import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { getMember, listMemberTeams, updateMember } from '../../../src/api/resources/members.js';
import { org, orgWorldOfFile, parsed, person } from './org-world.js';

/** What is refused regardless of flags, and failed reads. */

const world = await orgWorldOfFile();
const offboard = (...words: string[]) => world.run(['members', 'offboard', ...words]);

describe('what is refused', () => {
  const untouched = async (words: string[], code: number, ...reasons: string[]) => {
    const before = (await world.memberIds()).sort();
    const ran = await offboard(...words);
    expect(ran.code).toBe(code);
    for (const reason of reasons) expect(ran.stderr).toContain(reason);
    expect((await world.memberIds()).sort()).toEqual(before);
    expect(world.evidence()).toEqual([]);
  };

  const [ada, farah] = ['ada@acme.example', 'farah@acme.example'];
  const [chiara, deniz] = ['chiara@acme.example', 'deniz@acme.example'];

  test.each<[what: string, words: string[], code: number, reasons: string[]]>([
    ['without --yes where nobody can be asked', [farah], 2, ['confirmation required to offboard 1 member']],
    [
      'the owner of the token who is also the last admin',
      [ada, '--yes'],
      2,
      [
        `${ada} is the last admin of the organization`,
        `${ada} owns the token in use; another admin has to do this.`,
      ],
    ],
    ['all admins who are not disabled', [ada, farah, '--yes'], 2, ['is the last admin']],
    [
      'a new owner who is to be removed, too',
      [chiara, deniz, '--reassign-teams-to', deniz, '--yes'],
      2,
      [`${deniz} cannot take over teams: the member is to be removed, too.`],
    ],
    [
      'unknown members, all of which are named',
      ['nobody@acme.example', person('farah'), 'u9', '--yes'],
      6,
      [
        'member "nobody@acme.example" not found',
        'member "u9" not found',
        '2 of 3 members are unknown or ambiguous',
      ],
    ],
    ['part of an email', ['farah@acme', '--yes'], 6, ['member "farah@acme" not found']],
    ['no members at all', ['--yes'], 2, ['no members given']],
  ])('%s', async (_, words, code, reasons) => untouched(words, code, ...reasons));

  test('the owner of the token, even if there are other admins', async () => {
    const path = { organizationId: org, userId: person('bruno') };
    await world.admin.ok(updateMember, { path, body: { role: 'admin' } });
    await untouched([ada, '--yes'], 2, 'owns the token in use; another admin has to do this.');
  });

  test('the only owner of a team, without --reassign-teams-to', async () => {
    const reason = 'is the only owner of team Writers; name a new owner with --reassign-teams-to.';
    await untouched([chiara, '--yes'], 2, `${chiara} ${reason}`);
    const ran = await offboard(chiara, '--reassign-teams-to', person('farah'), '--yes');
    expect(ran.code).toBe(0);
    expect(await world.rolesIn('writers')).toEqual({ deniz: 'member', farah: 'owner' });
  });

  test('both owners of a team; with --reassign-teams-to it is handed over once', async () => {
    await world.setRole('deniz', 'writers', 'owner');
    const both = [chiara, deniz, '--yes'];
    await untouched(both, 2, 'are the only owners of team Writers');
    const ran = await offboard(...both, '--reassign-teams-to', 'emil@acme.example', '--json');
    expect(ran.code).toBe(0);
    const actions = parsed(ran.stdout).people.flatMap((one) => one.actions);
    const removed = ['remove from team', 'remove from organization'];
    expect(actions.map(({ does }) => does)).toEqual(['hand over team', ...removed, ...removed]);
    expect(await world.rolesIn('writers')).toEqual({ emil: 'owner' });
  });

  test('with the journal off', async () => {
    const env = { DOCS_JOURNAL: 'off' };
    const ran = await world.run(['members', 'offboard', person('farah'), '--yes'], { env });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('the journal is off') });
  });
});

describe('a failed read', () => {
  beforeEach(() => {
    world.control.faults.add({ match: `GET /v1/orgs/*/members/${person('farah')}/spaces*`, status: 403 });
  });

  test('is reported, and nothing is changed', async () => {
    const ran = await offboard('farah@acme.example', '--yes');
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('farah@acme.example: cannot read spaces: ');
    expect(ran.stderr).toContain('1 read failed, and cannot be repeated after the removal');
    expect(await world.memberIds()).toContain(person('farah'));
    expect(world.evidence()).toEqual([]);
  });

  test('is listed in the evidence with --allow-unseen', async () => {
    const ran = await offboard('farah@acme.example', '--yes', '--allow-unseen', '--json');
    expect(ran.code).toBe(0);
    expect(parsed(ran.stdout).people[0]?.unseen).toMatchObject([{ what: 'spaces', error: { status: 403 } }]);
    const [csv = ''] = world.evidence();
    expect(readFileSync(join(world.home, csv), 'utf8')).toContain(',not seen,spaces,');
  });

  test('of teams is refused even with --allow-unseen', async () => {
    world.control.faults.add({ match: 'GET /v1/orgs/*/teams/*/members*', status: 403 });
    const ran = await offboard('bruno@acme.example', '--yes', '--allow-unseen');
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('cannot read whether bruno@acme.example is the only owner of team Support.');
  });
});

test('a token without the role admin changes nothing', async () => {
  const env = { DOCS_TOKEN: world.sandbox.tokens.find(({ name }) => name === 'review')?.token ?? '' };
  const ran = await world.run(['members', 'offboard', 'farah@acme.example', '--yes'], { env });
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('does not have the role admin');
  const path = { organizationId: org, userId: person('farah') };
  expect(await world.admin.ok(getMember, { path })).toMatchObject({ role: 'read' });
  expect(await world.admin.all(listMemberTeams, { path })).toHaveLength(1);
});
