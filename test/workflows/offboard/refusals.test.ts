import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getMember, listMemberTeams, updateMember } from '../../../src/api/resources/members.js';
import { type OrgWorld, openOrgWorld, org, parsed, person } from './org-world.js';

/** What is refused, whoever asks, and what could not be read. */

let world: OrgWorld;
beforeEach(async () => {
  world = await openOrgWorld();
});
afterEach(() => world.close());

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
    await untouched(['farah@acme.example'], 2, 'Offboard 1 member: this needs a yes');
  });

  test('the owner of the token, who is the last admin, too', async () => {
    await untouched(
      ['ada@acme.example', '--yes'],
      2,
      'ada@acme.example is the last admin of the organization',
      'ada@acme.example owns the token in use: that is you.',
    );
  });

  test('the owner of the token, although there are other admins', async () => {
    const path = { organizationId: org, userId: person('bruno') };
    await world.admin.ok(updateMember, { path, body: { role: 'admin' } });
    await untouched(['ada@acme.example', '--yes'], 2, 'owns the token in use: that is you.');
  });

  test('all admins that are not disabled', async () => {
    await untouched(['ada@acme.example', 'farah@acme.example', '--yes'], 2, 'is the last admin');
  });

  test('the only owner of a team, unless somebody takes over', async () => {
    await untouched(
      ['chiara@acme.example', '--yes'],
      2,
      'chiara@acme.example is the only owner of team Writers: name who takes over with --reassign-teams-to.',
    );
    const ran = await offboard('chiara@acme.example', '--reassign-teams-to', person('farah'), '--yes');
    expect(ran.code).toBe(0);
    expect(await world.rolesIn('writers')).toEqual({ deniz: 'member', farah: 'owner' });
  });

  test('two who own a team together; where they leave, it is handed over once', async () => {
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

  test('an heir who leaves, too', async () => {
    await untouched(
      ['chiara@acme.example', 'deniz@acme.example', '--reassign-teams-to', 'deniz@acme.example', '--yes'],
      2,
      'deniz@acme.example cannot take over teams: they are offboarded, too.',
    );
  });

  test('people who are not there: all are told', async () => {
    await untouched(
      ['nobody@acme.example', person('farah'), 'u9', '--yes'],
      6,
      'No member has the email "nobody@acme.example".',
      'No member has the id "u9".',
      '2 of 3 people were not found',
    );
  });

  test('part of an email', async () => {
    await untouched(['farah@acme', '--yes'], 6, 'No member has the email "farah@acme".');
  });

  test('with the journal off', async () => {
    const ran = await world.run(['members', 'offboard', person('farah'), '--yes'], {
      env: { DOCS_JOURNAL: 'off' },
    });
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.stderr).toContain('The journal is off');
  });

  test('nobody at all', async () => {
    await untouched(['--yes'], 2, 'Nobody is named');
  });
});

describe('what could not be read', () => {
  beforeEach(() => {
    world.control.faults.add({ match: 'GET /v1/orgs/*/members/*/spaces*', status: 403 });
  });

  test('is told and counted, and nothing is changed', async () => {
    const ran = await offboard('farah@acme.example', '--yes');
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('Not seen of farah@acme.example: spaces: ');
    expect(ran.stderr).toContain('1 thing could not be read, and cannot be once they are out');
    expect(await world.memberIds()).toContain(person('farah'));
    expect(world.evidence()).toEqual([]);
  });

  test('with --allow-unseen is in the evidence', async () => {
    const ran = await offboard('farah@acme.example', '--yes', '--allow-unseen', '--json');
    expect(ran.code).toBe(0);
    expect(parsed(ran.stdout).people[0]?.unseen).toMatchObject([{ what: 'spaces', error: { status: 403 } }]);
    const [csv = ''] = world.evidence();
    expect(readFileSync(join(world.home, csv), 'utf8')).toContain(',not seen,spaces,');
  });

  test('teams are not left out: nobody knows who would be without an owner', async () => {
    world.control.faults.add({ match: 'GET /v1/orgs/*/teams/*/members*', status: 403 });
    const ran = await offboard('bruno@acme.example', '--yes', '--allow-unseen');
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(
      'Whether bruno@acme.example is the only owner of team Support cannot be read.',
    );
  });
});

test('a token that is no admin changes nothing', async () => {
  const [token] = [world.sandbox.tokens.find(({ name }) => name === 'review')?.token ?? ''];
  const ran = await world.run(['members', 'offboard', 'farah@acme.example', '--yes'], {
    env: { DOCS_TOKEN: token },
  });
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('needs the role admin');
  const path = { organizationId: org, userId: person('farah') };
  expect(await world.admin.ok(getMember, { path })).toMatchObject({ role: 'read' });
  expect(await world.admin.all(listMemberTeams, { path })).toHaveLength(1);
});
