import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getMember, listMembers, listMemberTeams, updateMember } from '../../../src/api/resources/members.js';
import { listTeamMembers, setTeamMember } from '../../../src/api/resources/team-members.js';
import type { Offboarding } from '../../../src/commands/offboard/report.js';
import { type OrgWorld, openOrgWorld, org, person, team } from './org-world.js';

/** What is shown, refused, sent and proven when people leave. */

let world: OrgWorld;
beforeEach(async () => {
  world = await openOrgWorld();
});
afterEach(() => world.close());

const offboard = (...words: string[]) => world.run(['members', 'offboard', ...words]);
const parsed = (text: string) => JSON.parse(text) as Offboarding;
const memberIds = async () =>
  (await world.admin.all(listMembers, { path: { organizationId: org } })).map(({ id }) => id);
const rolesIn = async (name: string) => {
  const items = await world.admin.all(listTeamMembers, { path: { organizationId: org, teamId: team(name) } });
  return Object.fromEntries(
    items.map((item) => [item.organization.user.email?.split('@')[0], item.team.role]),
  );
};
const setRole = (name: string, inTeam: string, role: 'owner' | 'member') =>
  world.admin.ok(setTeamMember, {
    path: { organizationId: org, teamId: team(inTeam), userId: person(name) },
    body: { role },
  });

describe('somebody leaves', () => {
  test('everything they hold is read, they are out of teams and organization, and that is read again', async () => {
    const ran = await offboard('deniz@acme.example', '--yes', '--json');
    expect(ran).toMatchObject({ code: 0 });
    const { people, state, by, organization } = parsed(ran.stdout);
    expect({ state, by: by.user, organization }).toEqual({
      state: 'complete',
      by: { id: person('ada'), displayName: 'Ada Okafor', email: 'ada@acme.example' },
      organization: { id: org, title: 'Acme Docs' },
    });
    expect(people).toMatchObject([
      {
        user: { id: person('deniz'), displayName: 'Deniz Yıldız', email: 'deniz@acme.example' },
        before: {
          role: 'edit',
          sso: false,
          teams: [{ id: team('writers'), title: 'Writers', role: 'member', onlyOwner: false }],
          changeRequests: [{ number: 3, status: 'open', space: { title: 'Welcome' } }],
        },
        unseen: [],
        actions: [
          { does: 'remove from team', status: 'ok', requestId: expect.stringMatching(/^req_/) },
          { does: 'remove from organization', status: 'ok', requestId: expect.stringMatching(/^req_/) },
        ],
        after: { member: false, teams: [{ title: 'Writers', member: false }] },
      },
    ]);
    expect(people[0]?.before.spaces.map(({ title, role }) => `${title}: ${role}`)).toEqual([
      'Engineering Handbook: comment',
      'API Reference: edit',
      'Product Guide: edit',
      'Welcome: edit',
    ]);
    expect(await memberIds()).not.toContain(person('deniz'));
    expect(await rolesIn('writers')).toEqual({ chiara: 'owner' });
  });

  test('the evidence is the report, readable by its owner alone, without the token', async () => {
    const ran = await offboard('farah@acme.example', '--yes', '--json');
    const names = world.evidence();
    expect(names).toEqual(['offboarding-2030-06-01T00-01-00Z.csv', 'offboarding-2030-06-01T00-01-00Z.json']);
    const [csv, json] = names.map((name) => readFileSync(join(world.home, name), 'utf8'));
    expect({ ...parsed(json ?? ''), files: {} }).toEqual({ ...parsed(ran.stdout), files: {} });
    expect(csv).toMatch(
      /^user\.id,user\.email,user\.displayName,part,what,id,name,value,status,at,requestId\n/,
    );
    expect(csv).toContain(`,run,ran by,${person('ada')},Ada Okafor,ada@acme.example,`);
    expect(csv).toMatch(/farah@acme\.example,Farah Haddad,action,remove from organization,,,,ok,\S+Z,req_/);
    expect(csv).toMatch(/farah@acme\.example,Farah Haddad,after,membership,,,out,,/);
    for (const name of names) expect(statSync(join(world.home, name)).mode & 0o777).toBe(0o600);
    for (const text of [csv, json, ran.stdout, ran.stderr]) {
      expect(text).not.toContain(world.sandbox.token);
      expect(text).not.toContain('sbx_');
    }
  });

  test('in a pipe each fact is a line', async () => {
    const { stdout, code } = await offboard(person('farah'), '--yes');
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.split('\t').slice(1, 6).join('|'))).toEqual([
      'before|role||read|',
      'before|SSO||no|',
      expect.stringMatching(/^before\|last seen\|\|\S+\|$/),
      'before|team|Support|member|',
      'before|space|Engineering Handbook|read|',
      'before|space|API Reference|read|',
      'before|space|Product Guide|read|',
      'before|space|Welcome|read|',
      'action|remove from team|Support||ok',
      'action|remove from organization|||ok',
      'after|membership||out|',
      'after|team|Support|out, owned by bruno@acme.example|',
      '',
    ]);
  });

  test('no file that is there is overwritten', async () => {
    const name = 'offboarding-2030-06-01T00-01-00Z.json';
    writeFileSync(join(world.home, name), 'mine');
    expect((await offboard('farah@acme.example', '--yes')).code).toBe(0);
    expect(readFileSync(join(world.home, name), 'utf8')).toBe('mine');
    expect(world.evidence()).toEqual([
      'offboarding-2030-06-01T00-01-00Z (2).json',
      'offboarding-2030-06-01T00-01-00Z.csv',
      name,
    ]);
  });

  test('a folder that is not there is exit 13, and nothing is changed', async () => {
    const ran = await offboard('farah@acme.example', '--evidence', 'nowhere', '--yes');
    expect(ran.code).toBe(13);
    expect(await memberIds()).toContain(person('farah'));
  });

  test('a title that a spreadsheet would run is kept from it', async () => {
    await world.run(['teams', 'update', team('support'), '--title', '=1+1']);
    await offboard('farah@acme.example', '--yes');
    const [csv = ''] = world.evidence();
    expect(readFileSync(join(world.home, csv), 'utf8')).toContain(",'=1+1,member,");
  });
});

describe('--dry-run', () => {
  test('shows holdings and every request, changes nothing, writes nothing', async () => {
    const before = world.control.export();
    const ran = await offboard(
      'chiara@acme.example',
      '--reassign-teams-to',
      'deniz@acme.example',
      '--dry-run',
    );
    expect(ran.code).toBe(0);
    const actions = ran.stdout.split('\n').filter((line) => line.includes('\taction\t'));
    const members = `/v1/orgs/${org}/teams/${team('writers')}/members`;
    expect(actions.map((line) => line.split('\t')[4])).toEqual([
      `PUT ${members}/${person('deniz')} {"role":"owner"}`,
      `DELETE ${members}/${person('chiara')}`,
      `DELETE /v1/orgs/${org}/members/${person('chiara')}`,
    ]);
    expect(ran.stdout).toContain('\tbefore\tteam\tWriters\tonly owner\t');
    expect(ran.stderr).toContain(
      'Dry run: nothing was sent, no evidence was written. 3 requests would change',
    );
    expect(world.evidence()).toEqual([]);
    expect(world.control.export()).toBe(before);
  });

  test('shows what is held also where it would be refused', async () => {
    const ran = await offboard('chiara@acme.example', '--dry-run', '--json');
    expect(ran.code).toBe(2);
    expect(parsed(ran.stdout)).toMatchObject({ state: 'planned', people: [{ before: { role: 'review' } }] });
    expect(ran.stderr).toContain('is the only owner of team Writers');
  });
});

describe('what is refused', () => {
  const untouched = async (words: string[], code: number, ...reasons: string[]) => {
    const before = (await memberIds()).sort();
    const ran = await offboard(...words);
    expect(ran.code).toBe(code);
    for (const reason of reasons) expect(ran.stderr).toContain(reason);
    expect((await memberIds()).sort()).toEqual(before);
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
    expect(await rolesIn('writers')).toEqual({ deniz: 'member', farah: 'owner' });
  });

  test('two who own a team together; where they leave, it is handed over once', async () => {
    await setRole('deniz', 'writers', 'owner');
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
    expect(await rolesIn('writers')).toEqual({ emil: 'owner' });
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

describe('--from', () => {
  test('takes users or emails of a file; other columns are named', async () => {
    writeFileSync(
      join(world.home, 'leavers.csv'),
      `Email,Last day\nFARAH@acme.example,2030-06-30\nemil@acme.example,2030-06-30\n`,
    );
    const ran = await offboard('--from', 'leavers.csv', '--yes', '--json');
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('Columns that are not used: Last day.');
    expect(parsed(ran.stdout).people.map(({ user }) => user.email)).toEqual([
      'farah@acme.example',
      'emil@acme.example',
    ]);
  });

  test('tells line and column of each mistake, and changes nothing', async () => {
    writeFileSync(
      join(world.home, 'leavers.csv'),
      `name,user,email\nFarah,${person('farah')},emil@acme.example\nNo,,no@acme.example\n`,
    );
    const ran = await offboard('--from', 'leavers.csv', '--yes');
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(
      `Line 2, column 2 (user): "${person('farah')}" has another email than "emil@acme.example": farah@acme.example.`,
    );
    expect(ran.stderr).toContain('Line 3, column 3 (email): No member has the email "no@acme.example".');
    expect(ran.stderr).toContain('2 rows have mistakes; nothing was changed.');
    expect(await memberIds()).toContain(person('farah'));
  });

  test('a file without such a column, or with nobody in it, is refused', async () => {
    writeFileSync(join(world.home, 'a.csv'), 'name\nFarah\n');
    writeFileSync(join(world.home, 'b.csv'), 'user\n');
    expect((await offboard('--from', 'a.csv', '--yes')).stderr).toContain(
      'no column is called user or email',
    );
    expect(await offboard('--from', 'b.csv', '--yes')).toMatchObject({ code: 2 });
    expect(await offboard('--from', 'b.csv', '--yes', '--allow-empty')).toMatchObject({ code: 0 });
  });

  test('a review is no list of leavers, unless all its rows say remove', async () => {
    const write = (farah: string) =>
      writeFileSync(
        join(world.home, 'r.csv'),
        `id,decision\n${person('emil')},remove\n${person('farah')},${farah}\n`,
      );
    write('keep');
    expect((await offboard('--from', 'r.csv', '--yes')).stderr).toContain(
      'Line 3: the decision is not remove, as for 1 of 2 rows.',
    );
    expect(await memberIds()).toContain(person('emil'));
    write('remove');
    expect((await offboard('--from', 'r.csv', '--yes')).code).toBe(0);
  });

  test('ids come from standard input, too', async () => {
    const ran = await world.run(['members', 'offboard', '-', '--yes'], { stdin: `${person('farah')}\n` });
    expect(ran.code).toBe(0);
    expect(await memberIds()).not.toContain(person('farah'));
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
    expect(await memberIds()).toContain(person('farah'));
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

describe('where something is not done', () => {
  test('what waits for it is not sent; the evidence says so, and --resume completes it', async () => {
    world.control.faults.add({ match: 'DELETE /v1/orgs/*/teams/*', status: 403 });
    const ran = await offboard('farah@acme.example', '--yes');
    expect(ran.code).toBe(3);
    const [, name = ''] = world.evidence();
    expect(ran.stderr).toContain(`Try: docs members offboard --resume ${join(world.home, name)}`);
    const begun = parsed(readFileSync(join(world.home, name), 'utf8'));
    expect(begun).toMatchObject({
      state: 'incomplete',
      people: [
        {
          actions: [{ status: 'failed', error: { status: 403 } }, { status: 'planned' }],
          after: { member: true, teams: [{ member: true }] },
        },
      ],
    });
    world.control.faults.clear();
    const rehearsed = await offboard('--resume', name, '--dry-run');
    expect(rehearsed.stderr).toContain('Dry run: nothing was sent. 2 requests of job');
    const resumed = await offboard('--resume', name, '--json');
    expect(resumed.code).toBe(0);
    expect(parsed(resumed.stdout)).toMatchObject({
      state: 'complete',
      startedAt: begun.startedAt,
      people: [{ before: begun.people[0]?.before, after: { member: false, teams: [{ member: false }] } }],
    });
    expect(parsed(readFileSync(join(world.home, name), 'utf8')).state).toBe('complete');
    expect(world.evidence()).toHaveLength(2);
    expect((await offboard('--resume', name)).stderr).toContain('is complete: nothing is left to do');
  });

  test('without its journal it is not gone on with, and another file is no evidence', async () => {
    world.control.faults.add({ match: 'DELETE /v1/orgs/*/teams/*', status: 403 });
    await offboard('farah@acme.example', '--yes');
    await world.run(['jobs', 'prune', '--days', '0']);
    const [csv = '', json = ''] = world.evidence();
    expect((await offboard('--resume', json)).stderr).toContain('This machine has no job of ');
    expect((await offboard('--resume', csv)).stderr).toContain('is no evidence of an offboarding in JSON');
    expect((await offboard('--resume', json, 'farah@acme.example')).stderr).toContain('leave out <user...>');
    expect(await memberIds()).toContain(person('farah'));
  });

  test('docs jobs resume does the rest, and says what completes the evidence', async () => {
    world.control.faults.add({ match: 'DELETE /v1/orgs/*/teams/*', status: 403 });
    await offboard('farah@acme.example', '--yes');
    world.control.faults.clear();
    const resumed = await world.run(['jobs', 'resume', 'last']);
    expect(resumed.code).toBe(0);
    const [, name = ''] = world.evidence();
    expect(resumed.stderr).toContain(`docs members offboard --resume ${join(world.home, name)} completes`);
    expect((await offboard('--resume', name)).code).toBe(0);
    expect(parsed(readFileSync(join(world.home, name), 'utf8')).state).toBe('complete');
  });

  test('what was changed since it was read is not touched', async () => {
    world.control.faults.add({ match: 'DELETE /v1/orgs/*/teams/*', status: 403 });
    await offboard('farah@acme.example', '--yes');
    world.control.faults.clear();
    await setRole('farah', 'support', 'owner');
    const resumed = await world.run(['jobs', 'resume', 'last', '--json']);
    expect(resumed.code).toBe(3);
    expect(JSON.parse(resumed.stdout)).toMatchObject([
      { status: 'failed', error: { code: 'changed_since' } },
      { status: 'skipped', error: { code: 'held_back' } },
    ]);
  });

  test('somebody whom others have taken out meanwhile is done', async () => {
    world.control.faults.add({ match: 'DELETE /v1/orgs/*/members/*', status: 403 });
    await offboard('farah@acme.example', '--yes');
    world.control.faults.clear();
    await world.run(['members', 'delete', person('farah'), '--yes']);
    const [, name = ''] = world.evidence();
    expect((await offboard('--resume', name)).code).toBe(0);
  });
});

describe('undo', () => {
  test('brings back teams and ownership where the person is still a member', async () => {
    world.control.faults.add({ match: `DELETE /v1/orgs/${org}/members/*`, status: 403 });
    await offboard('chiara@acme.example', '--reassign-teams-to', 'deniz@acme.example', '--yes');
    expect(await rolesIn('writers')).toEqual({ deniz: 'owner' });
    world.control.faults.clear();
    const undone = await world.run(['undo', 'last', '--yes']);
    expect(undone.code).toBe(0);
    expect(await rolesIn('writers')).toEqual({ chiara: 'owner', deniz: 'member' });
  });

  test('does not take a team from its new owner where the old one cannot come back', async () => {
    await offboard('chiara@acme.example', '--reassign-teams-to', 'deniz@acme.example', '--yes');
    const undone = await world.run(['undo', 'last', '--yes', '--json']);
    expect(undone.code).toBe(3);
    expect(JSON.parse(undone.stdout)).toMatchObject([
      { status: 'skipped', error: { code: 'no_undo' } },
      { status: 'failed', error: { status: 404 } },
      { status: 'skipped', error: { code: 'held_back' } },
    ]);
    expect(await rolesIn('writers')).toEqual({ deniz: 'owner' });
  });
});

test('a member with SSO, or an address that may join, comes with a warning', async () => {
  await world.run(['members', 'link-sso', person('farah')]);
  await world.run(['orgs', 'update', '--email-domain', 'acme.example']);
  const { stdout } = await offboard('farah@acme.example', '--dry-run', '--json');
  expect(parsed(stdout).people[0]?.warnings).toEqual([
    'they sign in by SSO: close the account there, too, or they may come back',
    'whoever has an address of acme.example may join again',
  ]);
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
