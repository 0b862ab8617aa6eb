import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { org, orgWorldOfFile, parsed, person, team } from './org-world.js';

/** What an offboarding prints, sends and writes as evidence. */

const world = await orgWorldOfFile();
const offboard = (...words: string[]) => world.run(['members', 'offboard', ...words]);

describe('members offboard', () => {
  test('reads what the member holds, removes them from teams and organization, and reads again', async () => {
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
    expect(await world.memberIds()).not.toContain(person('deniz'));
    expect(await world.rolesIn('writers')).toEqual({ chiara: 'owner' });
  });

  test('writes the report as evidence, readable by its owner only, without the token', async () => {
    const ran = await offboard('farah@acme.example', '--yes', '--json');
    const names = world.evidence();
    expect(names).toEqual(['offboarding-2030-06-01T00-01-00Z.csv', 'offboarding-2030-06-01T00-01-00Z.json']);
    const [csv, json] = names.map((name) => readFileSync(join(world.home, name), 'utf8'));
    expect({ ...parsed(json ?? ''), files: {} }).toEqual({ ...parsed(ran.stdout), files: {} });
    expect(csv).toMatch(
      /^user\.id,user\.email,user\.displayName,part,what,id,name,value,status,at,requestId\n/,
    );
    expect(csv).toContain(`,run,ran by,${person('ada')},Ada Okafor,ada@acme.example,`);
    expect(csv).toMatch(/^,,,run,started,,,,,2030-06-01T00:\S+Z,$/m);
    expect(csv).toMatch(/farah@acme\.example,Farah Haddad,action,remove from organization,,,,ok,\S+Z,req_/);
    expect(csv).toMatch(/farah@acme\.example,Farah Haddad,after,membership,,,out,,/);
    for (const name of names) expect(statSync(join(world.home, name)).mode & 0o777).toBe(0o600);
    for (const text of [csv, json, ran.stdout, ran.stderr]) {
      expect(text).not.toContain(world.sandbox.token);
      expect(text).not.toContain('sbx_');
    }
  });

  test('prints one line per fact in a pipe', async () => {
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
      'remains|way back in||anyone with an email address at acme.example may join again|',
      '',
    ]);
  });

  test('-o id prints the members, and --fields picks from the report', async () => {
    const rehearse = (...words: string[]) =>
      offboard('farah@acme.example', 'emil@acme.example', '--dry-run', ...words);
    expect((await rehearse('-o', 'id')).stdout).toBe(`${person('farah')}\n${person('emil')}\n`);
    expect((await rehearse('--fields', 'state,organization.title')).stdout).toBe('planned\tAcme Docs\n');
    expect(await rehearse('--fields', 'what')).toMatchObject({ code: 2, stdout: '' });
  });

  test('overwrites no existing file', async () => {
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

  test.each([[['farah@acme.example']], [['farah@acme.example', 'emil@acme.example']]])(
    'a narrow terminal shows what would be sent, and its state: %j',
    async (people) => {
      const narrow = { terminals: ['stdout'], columns: 80, env: { NO_COLOR: '1' } } as const;
      const { stdout } = await world.run(['members', 'offboard', ...people, '--dry-run'], narrow);
      const [head = '', ...rows] = stdout.trimEnd().split('\n');
      const named = people.length > 1 ? 'WHO' : 'NAME';
      expect(head.split(/ +/)).toEqual(expect.arrayContaining(['WHAT', named, 'VALUE', 'STATUS']));
      // Out of a team, and out of the organization.
      expect(rows.filter((row) => /DELETE .* planned/.test(row))).toHaveLength(2 * people.length);
      expect(Math.max(...rows.map((row) => row.trimEnd().length))).toBeLessThanOrEqual(80);
    },
  );

  test('a missing evidence folder is made, for its owner alone', async () => {
    const dry = await offboard('farah@acme.example', '--evidence', 'audit/2030', '--dry-run');
    expect(dry.code).toBe(0);
    expect(existsSync(join(world.home, 'audit'))).toBe(false);
    expect((await offboard('farah@acme.example', '--evidence', 'audit/2030', '--yes')).code).toBe(0);
    expect(readdirSync(join(world.home, 'audit', '2030'))).toHaveLength(2);
    expect(statSync(join(world.home, 'audit', '2030')).mode & 0o777).toBe(0o700);
  });

  test.each([[['--dry-run']], [['--yes']]])(
    'an evidence folder that cannot be one is exit 13, and nothing is read or changed: %j',
    async (more) => {
      writeFileSync(join(world.home, 'file'), '');
      for (const folder of ['file', join('file', 'below')]) {
        const ran = await offboard('farah@acme.example', '--evidence', folder, ...more);
        expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 13, stdout: '' });
        expect(ran.stderr).toContain('cannot write the evidence to');
        expect(await world.memberIds()).toContain(person('farah'));
      }
    },
  );

  test('a title that a spreadsheet would run as a formula is escaped', async () => {
    await world.run(['teams', 'update', team('support'), '--title', '=1+1']);
    await offboard('farah@acme.example', '--yes');
    const [csv = ''] = world.evidence();
    expect(readFileSync(join(world.home, csv), 'utf8')).toContain(",'=1+1,member,");
  });
});

describe('--dry-run', () => {
  test('shows holdings and every request, and changes and writes nothing', async () => {
    const before = world.control.export();
    const heir = ['--reassign-teams-to', 'deniz@acme.example'];
    const ran = await offboard('chiara@acme.example', ...heir, '--dry-run');
    expect(ran.code).toBe(0);
    const actions = ran.stdout.split('\n').filter((line) => line.includes('\taction\t'));
    const members = `/v1/orgs/${org}/teams/${team('writers')}/members`;
    expect(actions.map((line) => line.split('\t')[4])).toEqual([
      `PUT ${members}/${person('deniz')} {"role":"owner"}`,
      `DELETE ${members}/${person('chiara')}`,
      `DELETE /v1/orgs/${org}/members/${person('chiara')}`,
    ]);
    expect(ran.stdout).toContain('\tbefore\tteam\tWriters\tonly owner\t');
    const rehearsed = 'Dry run: nothing was sent, no evidence was written. The offboarding sends 3 changes';
    expect(ran.stderr).toContain(rehearsed);
    expect(world.evidence()).toEqual([]);
    expect(world.control.export()).toBe(before);
  });

  test('shows the holdings even if the offboarding would be refused', async () => {
    const ran = await offboard('chiara@acme.example', '--dry-run', '--json');
    expect(ran.code).toBe(2);
    expect(parsed(ran.stdout)).toMatchObject({ state: 'planned', people: [{ before: { role: 'review' } }] });
    expect(ran.stderr).toContain('is the only owner of team Writers');
  });
});

describe('--from', () => {
  const write = (text: string, name = 'leavers.csv') => writeFileSync(join(world.home, name), text);

  test('reads ids or emails from a file, and names the ignored columns', async () => {
    write('Email,Last day\nFARAH@acme.example,2030-06-30\nemil@acme.example,2030-06-30\n');
    const ran = await offboard('--from', 'leavers.csv', '--yes', '--json');
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('Ignored columns: Last day.');
    expect(parsed(ran.stdout).people.map(({ user }) => user.email)).toEqual([
      'farah@acme.example',
      'emil@acme.example',
    ]);
  });

  test('reports line and column of each mistake, and changes nothing', async () => {
    write(`name,user,email\nFarah,${person('farah')},emil@acme.example\nNo,,no@acme.example\n`);
    const ran = await offboard('--from', 'leavers.csv', '--yes');
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(
      `Line 2, column 2 (user): The email of "${person('farah')}" is farah@acme.example, not "emil@acme.example".`,
    );
    expect(ran.stderr).toContain('Line 3, column 3 (email): member "no@acme.example" not found');
    expect(ran.stderr).toContain('2 rows have mistakes; nothing was changed.');
    const { stderr } = await offboard('--from', 'leavers.csv', '--yes', '--json');
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
    expect(error).toMatchObject({
      code: 'bad_rows',
      details: {
        mistakes: [
          { line: 2, column: 2, name: 'user' },
          { line: 3, column: 3, name: 'email', message: 'member "no@acme.example" not found' },
        ],
      },
    });
    expect(await world.memberIds()).toContain(person('farah'));
  });

  test('a file without such a column, or without members, is refused', async () => {
    write('name\nFarah\n', 'a.csv');
    write('user\n', 'b.csv');
    expect((await offboard('--from', 'a.csv', '--yes')).stderr).toContain('missing column user or email');
    expect(await offboard('--from', 'b.csv', '--yes')).toMatchObject({ code: 2 });
    expect(await offboard('--from', 'b.csv', '--yes', '--allow-empty')).toMatchObject({ code: 0 });
  });

  test('an access review is refused, unless the decision in all rows is remove', async () => {
    const decide = (farah: string) =>
      write(`id,decision\n${person('emil')},remove\n${person('farah')},${farah}\n`);
    decide('keep');
    expect((await offboard('--from', 'leavers.csv', '--yes')).stderr).toContain(
      'line 3: the decision is not remove (1 of 2 rows).',
    );
    expect(await world.memberIds()).toContain(person('emil'));
    decide('remove');
    expect((await offboard('--from', 'leavers.csv', '--yes')).code).toBe(0);
  });

  test('reads ids from standard input', async () => {
    const ran = await world.run(['members', 'offboard', '-', '--yes'], { stdin: `${person('farah')}\n` });
    expect(ran.code).toBe(0);
    expect(await world.memberIds()).not.toContain(person('farah'));
  });
});

test('warns about SSO, and about an email domain that may join', async () => {
  await world.run(['members', 'link-sso', person('farah')]);
  await world.run(['orgs', 'update', '--email-domain', 'acme.example']);
  const { stdout } = await offboard('farah@acme.example', '--dry-run', '--json');
  expect(parsed(stdout).people[0]?.warnings).toEqual([
    'they sign in by SSO: close the account there, too, or they may come back',
    'anyone with an email address at acme.example may join again',
  ]);
  const rows = await offboard('farah@acme.example', '--dry-run');
  expect(rows.stdout).toContain(
    'farah@acme.example\tremains\tway back in\t\tanyone with an email address at acme.example may join again',
  );
  expect((await offboard('farah@acme.example', '--yes')).code).toBe(0);
  const csv = readFileSync(join(world.home, world.evidence()[0] ?? ''), 'utf8');
  expect(csv).toMatch(/,remains,way back in,,,"?they sign in by SSO: close the account there, too/);
});
