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

  test('without --yes where nobody can be asked', async () => {
    await untouched(['farah@acme.example'], 2, 'Offboard 1 member: confirmation required');
  });

  test('the owner of the token who is also the last admin', async () => {
    await untouched(
      ['ada@acme.example', '--yes'],
      2,
      'ada@acme.example is the last admin of the organization',
      'ada@acme.example owns the token in use; another admin has to do this.',
    );
  });

  test('the owner of the token, even if there are other admins', async () => {
    const path = { organizationId: org, userId: person('bruno') };
    await world.admin.ok(updateMember, { path, body: { role: 'admin' } });
    await untouched(['ada@acme.example', '--yes'], 2, 'owns the token in use; another admin has to do this.');
  });

  test('all admins who are not disabled', async () => {
    await untouched(['ada@acme.example', 'farah@acme.example', '--yes'], 2, 'is the last admin');
  });

  test('the only owner of a team, without --reassign-teams-to', async () => {
    await untouched(
      ['chiara@acme.example', '--yes'],
      2,
      'chiara@acme.example is the only owner of team Writers; name a new owner with --reassign-teams-to.',
    );
    const ran = await offboard('chiara@acme.example', '--reassign-teams-to', person('farah'), '--yes');
    expect(ran.code).toBe(0);
    expect(await world.rolesIn('writers')).toEqual({ deniz: 'member', farah: 'owner' });
  });

  test('both owners of a team; with --reassign-teams-to it is handed over once', async () => {
    await world.setRole('deniz', 'writers', 'owner');
    const both = ['chiara@acme.example', 'deniz@acme.example', '--yes'];
    await untouched(both, 2, 'are the only owners of team Writers');
    const ran = await offboard(...both, '--reassign-teams-to', 'emil@acme.example', '--json');
    expect(ran.code).toBe(0);
    const actions = parsed(ran.stdout).people.flatMap((one) => one.actions);
    expect(actions.map(({ does }) => does)).toEqual([
      'hand over team',
      'remove from team',
      'remove from organization',
      'remove from team',
      'remove from organization',
    ]);
    expect(await world.rolesIn('writers')).toEqual({ emil: 'owner' });
  });

  test('a new owner who is to be removed, too', async () => {
    await untouched(
      ['chiara@acme.example', 'deniz@acme.example', '--reassign-teams-to', 'deniz@acme.example', '--yes'],
      2,
      'deniz@acme.example cannot take over teams: the member is to be removed, too.',
    );
  });

  test('unknown members, all of which are named', async () => {
    await untouched(
      ['nobody@acme.example', person('farah'), 'u9', '--yes'],
      6,
      'Member "nobody@acme.example" not found.',
      'Member "u9" not found.',
      '2 of 3 members are unknown or ambiguous',
    );
  });

  test('part of an email', async () => {
    await untouched(['farah@acme', '--yes'], 6, 'Member "farah@acme" not found.');
  });

  test('with the journal off', async () => {
    const ran = await world.run(['members', 'offboard', person('farah'), '--yes'], {
      env: { DOCS_JOURNAL: 'off' },
    });
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.stderr).toContain('The journal is off');
  });

  test('no members at all', async () => {
    await untouched(['--yes'], 2, 'No members given');
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
    expect(ran.stderr).toContain('Cannot read whether bruno@acme.example is the only owner of team Support.');
  });
});

test('a token without the role admin changes nothing', async () => {
  const [token] = [world.sandbox.tokens.find(({ name }) => name === 'review')?.token ?? ''];
  const ran = await world.run(['members', 'offboard', 'farah@acme.example', '--yes'], {
    env: { DOCS_TOKEN: token },
  });
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('does not have the role admin');
  const path = { organizationId: org, userId: person('farah') };
  expect(await world.admin.ok(getMember, { path })).toMatchObject({ role: 'read' });
  expect(await world.admin.all(listMemberTeams, { path })).toHaveLength(1);
});
