import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ReviewRow } from '../../../src/access/members.js';
import { listMembers, listTeamMembers, updateMember } from '../../../src/api/resources/members.js';
import { org, orgWorldOfFile, person, team } from './org-world.js';

/** The access review, and applying its decisions. */

const world = await orgWorldOfFile();
const review = (...words: string[]) => world.run(['members', 'review', ...words]);
const rows = async (...words: string[]) =>
  JSON.parse((await review(...words, '--json')).stdout) as ReviewRow[];
const names = (list: readonly ReviewRow[]) => list.map(({ user }) => user.email?.split('@')[0]);
const roles = async () => {
  const members = await world.admin.all(listMembers, { path: { organizationId: org } });
  return Object.fromEntries(members.map(({ user, role }) => [user.email?.split('@')[0], role]));
};

describe('the review', () => {
  test('has one row per member: role, teams, spaces, last seen, SSO, flags', async () => {
    const all = await rows();
    expect(names(all)).toEqual(['goran', 'farah', 'emil', 'deniz', 'chiara', 'bruno', 'ada']);
    expect(all[4]).toEqual({
      ...{ id: person('chiara'), role: 'review', sso: false, disabled: false },
      user: { displayName: 'Chiara Rossi', email: 'chiara@acme.example' },
      ...{ lastSeenAt: expect.any(String), joinedAt: expect.any(String) },
      flags: ['no-sso', 'only-owner'],
      teams: [{ id: team('writers'), title: 'Writers', role: 'owner', onlyOwner: true }],
      spaces: expect.arrayContaining([{ id: expect.any(String), title: 'Board Notes', role: 'edit' }]),
      notRead: [],
      decision: '',
    });
    expect(all[0]?.flags).toEqual(['guest', 'inactive', 'never-seen', 'no-sso']);
    expect(all[6]?.flags).toContain('admin');
  });

  test('as CSV has one line per member, with an empty decision', async () => {
    const ran = await review('-o', 'csv');
    const [header, goran, , , , chiara] = ran.stdout.split('\n');
    expect(header).toBe('user.displayName,user.email,role,lastSeenAt,sso,flags,teams,spaces,decision,id');
    expect(goran).toBe(
      `Goran Novak,goran@acme.example,guest,,false,"guest, inactive, never-seen, no-sso",,read 1,,${person('goran')}`,
    );
    expect(chiara).toContain('Writers (only owner),"review 2, edit 2, comment 1",,');
    expect(ran).toMatchObject({ code: 0, stderr: '7 members to review.\n' });
  });

  test('filters by role, inactivity and SSO', async () => {
    await world.run(['members', 'link-sso', person('farah')]);
    await world.run(['orgs', 'ping']);
    expect(names(await rows('--role', 'read', '--role', 'guest'))).toEqual(['farah', 'goran']);
    expect(names(await rows('--no-sso', '--role', 'read'))).toEqual([]);
    expect(names(await rows('--inactive', '60h'))).toEqual(['goran', 'farah', 'emil', 'deniz']);
    expect((await rows('--inactive', '60h', '--role', 'edit'))[0]?.flags).toEqual(['inactive', 'no-sso']);
    expect(names(await rows('--inactive', '60h', '--role', 'admin'))).toEqual([]);
  });

  test('an address outside the domains of the organization is flagged', async () => {
    await world.run(['orgs', 'update', '--email-domain', 'other.example']);
    expect((await rows('--role', 'read'))[0]?.flags).toContain('outside');
    await world.run(['orgs', 'update', '--email-domain', 'ACME.example']);
    expect((await rows('--role', 'read'))[0]?.flags).not.toContain('outside');
  });

  test('failed reads are noted in the row and on stderr, and exit 3', async () => {
    world.control.faults.add({ match: `GET /v1/orgs/*/members/${person('farah')}/spaces*`, status: 403 });
    world.control.faults.add({ match: `GET /v1/orgs/*/teams/${team('writers')}/members*`, status: 403 });
    const ran = await review('-o', 'csv');
    expect(ran.code).toBe(3);
    expect(ran.stdout.split('\n')[2]).toContain('"not read: members of team Writers, spaces"');
    expect(ran.stderr).toContain('Cannot read members of team Writers: ');
    expect(ran.stderr).toContain('Cannot read spaces of farah@acme.example: ');
    expect(ran.stderr).toContain(
      '7 members to review. 2 lists could not be read; the affected rows have the flag not-read.',
    );
    const all = await rows();
    expect(all.every(({ flags }) => flags.includes('not-read'))).toBe(true);
  });

  test.each([
    [['--inactive', 'long'], '--inactive: invalid duration "long"'],
    [['--skip-invalid'], '--skip-invalid requires --apply'],
    [['--apply', 'r.csv', '--role', 'read'], '--apply and --role contradict each other'],
  ])('%j is refused', async (words, reason) => {
    const ran = await review(...words);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(reason);
  });
});

describe('--apply', () => {
  /** The review as CSV with these decisions, by the beginning of an email. */
  const decide = async (decisions: Record<string, string>) => {
    const { stdout } = await review('-o', 'csv');
    const lines = stdout.split('\n').map((line) => {
      const [, name = ''] = /,(\w+)@/.exec(line) ?? [];
      return line.replace(/,,(\w+)$/, `,${decisions[name] ?? ''},$1`);
    });
    writeFileSync(join(world.home, 'reviewed.csv'), lines.join('\n'));
  };
  const apply = (...words: string[]) => review('--apply', 'reviewed.csv', ...words);

  test('changes roles and removes members as one job; undo restores the roles', async () => {
    const roleChanges = { farah: 'role=comment', goran: 'role=read', deniz: 'role=edit' };
    await decide({ ...roleChanges, emil: 'remove', ada: 'keep' });
    const rehearsed = await apply('--dry-run');
    expect(rehearsed).toMatchObject({ code: 0 });
    const methods = rehearsed.stdout.split('\n').map((line) => line.split('\t')[0]);
    expect(methods).toEqual(['PATCH', 'PATCH', 'DELETE', 'DELETE', '']);
    const ran = await apply('--yes', '--json');
    expect(ran.code).toBe(0);
    const people = ['goran', 'farah', 'emil', 'emil'].map(person);
    expect(JSON.parse(ran.stdout)).toMatchObject(people.map((id, index) => ({ index, id, status: 'ok' })));
    expect(ran.stderr).toContain('2 members unchanged.');
    expect(ran.stderr).toContain('2 rows without a decision skipped.');
    expect(await roles()).toEqual({
      ...{ ada: 'admin', bruno: 'create', chiara: 'review', deniz: 'edit', farah: 'comment', goran: 'read' },
    });
    const undone = await world.run(['undo', 'last', '--yes']);
    expect(undone.code).toBe(3);
    expect(await roles()).toMatchObject({ farah: 'read', goran: null });
  });

  test('that was left unfinished is begun again with --again alone', async () => {
    await decide({ farah: 'role=comment', goran: 'role=read' });
    world.control.faults.add({ match: 'PATCH /v1/orgs/*/members/*', status: 403, times: 1 });
    expect((await apply('--fail-fast', '--concurrency', '1')).code).toBe(3);
    expect(await apply()).toMatchObject({ code: 2, stderr: expect.stringContaining('add --again') });
    expect((await apply('--again')).code).toBe(0);
    expect(await roles()).toMatchObject({ farah: 'comment', goran: 'read' });
  });

  test('asks before removals, but not before a few role changes', async () => {
    await decide({ farah: 'remove' });
    expect((await apply()).stderr).toContain(
      'confirmation required to apply the review: 1 decision, 2 requests',
    );
    await decide({ farah: 'role=edit' });
    expect((await apply()).code).toBe(0);
  });

  test('changed roles and missing members are reported with line and column', async () => {
    await decide({ farah: 'role=comment', emil: 'remove', bruno: 'keep' });
    const change = (name: string, role: 'edit' | 'read') =>
      world.admin.ok(updateMember, { path: { organizationId: org, userId: person(name) }, body: { role } });
    await change('farah', 'edit');
    await change('bruno', 'read');
    await world.run(['members', 'delete', person('emil'), '--yes']);
    const ran = await apply('--yes');
    expect(ran.code).toBe(2);
    for (const told of [
      'Line 3, column 9 (decision): The role of farah@acme.example changed from read to edit since the review. Review it again.',
      `Line 4, column 10 (id): member "${person('emil')}" not found`,
      'The role of bruno@acme.example changed from create to read since the review.',
      '2 rows have mistakes; nothing was changed.',
    ])
      expect(ran.stderr).toContain(told);
    const left = await apply('--yes', '--skip-invalid');
    expect(left.code).toBe(0);
    expect(left.stderr).toContain('2 invalid rows skipped.');
    expect(await roles()).toMatchObject({ farah: 'edit' });
  });

  test('removing the only owner of a team is refused without --reassign-teams-to', async () => {
    await decide({ chiara: 'remove' });
    const ran = await apply('--yes');
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('is the only owner of team Writers');
    expect((await apply('--yes', '--reassign-teams-to', 'deniz@acme.example')).code).toBe(0);
    const path = { organizationId: org, teamId: team('writers') };
    const items = await world.admin.all(listTeamMembers, { path });
    expect(items.map((item) => [item.organization.id, item.team.role])).toEqual([[person('deniz'), 'owner']]);
  });

  test.each(['remove', 'role=read'])(
    'a decision about the owner of the token is refused: %s',
    async (decision) => {
      await decide({ ada: decision });
      const ran = await apply('--yes');
      expect(ran.code).toBe(2);
      expect(ran.stderr).toContain('ada@acme.example owns the token in use; another admin has to do this.');
      expect(await roles()).toMatchObject({ ada: 'admin' });
    },
  );

  test('two decisions for one member are a mistake', async () => {
    writeFileSync(
      join(world.home, 'reviewed.csv'),
      `user,decision\n${person('farah')},remove\nfarah@acme.example,keep\n`,
    );
    expect((await apply('--yes')).stderr).toContain(
      'Duplicate decision for farah@acme.example; the first is in line 2.',
    );
  });

  test('applying a file twice changes nothing, and an edited file cannot be resumed', async () => {
    await decide({ farah: 'role=edit', emil: 'role=edit' });
    world.control.faults.add({ match: `PATCH /v1/orgs/*/members/${person('emil')}`, status: 403 });
    expect((await apply('--yes')).code).toBe(3);
    world.control.faults.clear();
    await decide({ farah: 'keep' });
    expect((await world.run(['jobs', 'resume', 'last'])).stderr).toContain(
      'was edited after the job was created',
    );
    writeFileSync(join(world.home, 'reviewed.csv'), `id,decision\n${person('farah')},role=edit\n`);
    expect((await apply('--yes')).stderr).toContain('No changes to apply.');
  });
});
