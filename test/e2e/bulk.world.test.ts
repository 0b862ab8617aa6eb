import { describe, expect, test } from 'vitest';
import { bulkHome } from './bulk-home.js';

/** `docs bulk`: a command for each row, all of them checked before the first is sent. */

const { home, platform, rows } = await bulkHome((method, url) => {
  if (method === 'PUT' && url.pathname.endsWith('/members')) return { status: 204 };
  if (method === 'PUT' && url.pathname.endsWith('/teams'))
    return { status: 201, body: { id: 'x', title: 'x' } };
  if (method === 'GET' && /\/(teams|members)$/.test(url.pathname)) return { body: { items: [] } };
  return { body: { id: 'x', title: 'x' } };
});

/** Read once before members lose a role. */
const admins = (org: string) => `GET /v1/orgs/${org}/members?role=admin&limit=1000`;
const update = (from: string, ...more: string[]) => ['bulk', 'members', 'update', '--from', from, ...more];

async function expectRefused(args: string[], options?: { stdin?: string }): Promise<string> {
  const ran = await home.run(args, options);
  expect({ code: ran.code, stdout: ran.stdout, sent: platform.requests }).toEqual({
    code: 2,
    stdout: '',
    sent: [],
  });
  return ran.stderr;
}

describe('each row is an invocation of the command', () => {
  test('from CSV: positionals and flags by their names, in input order', async () => {
    const from = rows('people.csv', 'User,role\nu1,read\nu2,none\n');
    expect(await home.ok(update(from))).toBe('u1\tok\t\nu2\tok\t\n');
    expect(platform.requests.sort()).toEqual([
      admins('o1'),
      'PATCH /v1/orgs/o1/members/u1',
      'PATCH /v1/orgs/o1/members/u2',
    ]);
    expect(platform.bodies).toContainEqual({ role: null });
  });

  test('says what they did: created, updated, or the word that the command declares', async () => {
    const done = async (...words: string[]) => {
      const { stdout, stderr } = await home.run(['bulk', ...words]);
      return stdout + stderr;
    };
    const teams = ['--from', rows('new.csv', 'title\nOne\nTwo\n')];
    expect(await done('teams', 'create', ...teams)).toContain('2 items created.');
    const titles = ['--from', rows('titles.csv', 'team,title\nt1,New\n')];
    expect(await done('teams', 'update', ...titles)).toContain('1 item updated.');
    const merges = ['--from', rows('merges.csv', 'change-request,space\nc1,s1\nc2,s1\n'), '--yes'];
    expect(await done('change-requests', 'merge', ...merges)).toContain('2 items merged.');
    const moves = ['--from', rows('transfers.csv', 'space,to-org\ns1,o2\n'), '--yes'];
    expect(await done('spaces', 'transfer', ...moves)).toContain('1 item transferred.');
  });

  test('from JSON: lists repeat a flag, null unsets, true and false are both sent', async () => {
    const from = rows(
      'orgs.json',
      '[{"org": "o1", "email-domain": ["a.example", "b.example"], "sso": false, "logo": null}]',
    );
    await home.ok(['bulk', 'orgs', 'update', '--from', from]);
    expect(platform.bodies).toEqual([{ emailDomains: ['a.example', 'b.example'], sso: false, logo: null }]);
  });

  test('from standard input, with a parent of its own in each row', async () => {
    const stdin = '{"org":"o1","user":"u1"}\n{"org":"o2","user":"u2"}\n';
    const args = ['bulk', 'members', 'update', '--from', '-', '--set', 'role=read', '--json'];
    expect(await home.json(args.slice(0, -1), { stdin })).toEqual([
      { index: 0, id: 'u1', status: 'ok' },
      { index: 1, id: 'u2', status: 'ok' },
    ]);
    expect(platform.requests.sort()).toEqual([
      admins('o1'),
      admins('o2'),
      'PATCH /v1/orgs/o1/members/u1',
      'PATCH /v1/orgs/o2/members/u2',
    ]);
  });

  test('a repeated column adds a value; a list flag is never split', async () => {
    const from = rows('teams.csv', 'team,add,add,membership\nt1,u1,"u2,u3",u4=owner\n');
    await home.ok(['bulk', 'teams', 'members', 'update', '--from', from]);
    expect(platform.bodies).toEqual([{ add: ['u1', 'u2,u3'], memberships: { u4: { role: 'owner' } } }]);
  });

  test('a text is what it says: @file and - read nothing from a row', async () => {
    rows('secret.txt', 'a secret');
    const from = rows('comments.csv', 'space,body\ns1,@secret.txt\ns1,-\n');
    await home.ok(['bulk', 'comments', 'create', '--from', from]);
    expect(platform.bodies).toEqual([{ body: { markdown: '@secret.txt' } }, { body: { markdown: '-' } }]);
    const fields = rows('fields.csv', 'space,name=value\ns1,owner=@secret.txt\n');
    const ran = await home.run(['bulk', 'spaces', 'fields', 'set', '--from', fields]);
    expect({ code: ran.code, sent: platform.requests.length }).toEqual({ code: 2, sent: 2 });
    expect(ran.stderr).toContain('cannot read a file from a row');
  });
});

describe('nothing is sent', () => {
  test.each([
    [
      'an unknown column',
      'user,rol\nu1,read\n',
      'line 1, column 2: "rol" is not a positional or flag of this command. Did you mean role?',
    ],
    ['a column twice', 'user,role,Role\nu1,read,edit\n', 'line 1, column 3: "Role" is given twice'],
    ['a missing column', 'user\nu1\n', 'line 1: column role is missing'],
    ['a row that is too long', 'user,role\nu1,read,x\n', 'line 2: 3 fields where the header has 2'],
    ['no rows', 'user,role\n', 'there are no rows; add --allow-empty if that is intended'],
  ])('with %s', async (_, text, message) => {
    expect(await expectRefused(update(rows('people.csv', text)))).toContain(message);
  });

  test('with mistakes in any row: all of them are told, each with its line and column', async () => {
    const from = rows('people.csv', 'user,role\nu1,read\nu2,boss\n"u\n3",\n..,edit\n');
    const stderr = await expectRefused(update(from));
    expect(stderr.split('\n').slice(0, 4)).toEqual([
      'Line 3, column 2 (role): role must be one of admin, create, review, edit, comment, read, not "boss"',
      'Line 4, column 1 (user): user must be an id, not "u\\n3"',
      'Line 4, column 2 (role): role is required',
      'Line 6, column 1 (user): user must be an id, not ".."',
    ]);
    expect(stderr).toContain('error: 3 of 4 rows have mistakes; nothing was sent');
  });

  test('with an unknown field in a row of JSON, whose place is told once', async () => {
    const from = rows('people.json', '[{"user": "u1", "role": "read", "rol": 1}]');
    const stderr = await expectRefused(update(from));
    const told = 'Line 1, column 33: "rol" is not a positional or flag of this command. Did you mean role?';
    expect(stderr.split('\n')).toContain(told);
    expect(stderr).toContain(`error: 1 of 1 rows has a mistake; nothing was sent. ${told}`);
  });

  test('with mistakes, as JSON: one line, with all of them as data', async () => {
    const lines = ['{"user": "u1", "role": "read"}', '{"user": ["u2"]}', '{"user": {"id": "u3"}}'];
    const from = rows('people.ndjson', `${lines.join('\n')}\n`);
    const { error } = JSON.parse(await expectRefused(update(from, '--json'))) as {
      error: { code: string; details: { mistakes: unknown[] } };
    };
    expect(error).toMatchObject({
      code: 'bad_rows',
      details: {
        mistakes: [
          { line: 2, column: 2, message: 'user takes one value, not a list' },
          { line: 3, column: 2, message: 'user must be a text, a number, true, false or a list' },
        ],
      },
    });
  });

  test.each([
    [['bulk', 'members', 'list', '--from', 'x.csv'], 'docs members list changes nothing on the platform'],
    [['bulk', 'members', 'list', '--from', 'x.csv', '--json'], '"not_bulk"'],
    [
      ['bulk', 'members', 'updat', '--from', 'x.csv'],
      'unknown command "updat" for "docs members". Did you mean docs members update?',
    ],
    [['bulk', 'members', '--from', 'x.csv'], 'docs members is a group; its commands: members list,'],
    [['bulk', 'members', 'update'], '--from is required'],
    [update('nowhere.csv'), '--from: cannot read nowhere.csv'],
    [update('-', '--set', 'rol=read'), '--set "rol=read": rol is not a positional or flag of this command'],
  ])('docs %j', async (args, message) => {
    const ran = await home.run(args, { stdin: 'user,role\n' });
    expect(ran.stderr).toContain(message);
    expect({ code: ran.code === 13 ? 2 : ran.code, sent: platform.requests }).toEqual({ code: 2, sent: [] });
  });
});

test('--skip-invalid leaves out rows with mistakes, says so, and exits with 3', async () => {
  const from = rows('people.csv', 'user,role\nu1,boss\nu2,read\nu3,\n');
  const ran = await home.run(update(from, '--skip-invalid', '-o', 'ndjson'));
  expect(ran.code).toBe(3);
  const results = ran.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { index: number; id: string; status: string });
  expect(results.map(({ index, id, status }) => [index, id, status])).toEqual([
    [0, 'u1', 'skipped'],
    [1, 'u2', 'ok'],
    [2, 'u3', 'skipped'],
  ]);
  expect(platform.requests).toEqual([admins('o1'), 'PATCH /v1/orgs/o1/members/u2']);
});

describe('before it is sent', () => {
  const many = `user\n${Array.from({ length: 21 }, (_, index) => `u${index}`).join('\n')}\n`;

  test('a dry run shows every request and whether it can be undone, and sends none', async () => {
    const from = rows('people.csv', 'user,role\nu1,read\nu2,none\n');
    const ran = await home.run(update(from, '--dry-run', '--json'));
    expect(
      ran.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { method: 'PATCH', path: '/v1/orgs/o1/members/u1', body: { role: 'read' }, undo: 'exact' },
      { method: 'PATCH', path: '/v1/orgs/o1/members/u2', body: { role: null }, undo: 'exact' },
    ]);
    expect(ran.stderr).toBe('Dry run: the 2 requests are shown above; nothing was sent. Undo: exact.\n');
    const leavers = rows('leavers.csv', 'user\nu1\nu2\n');
    expect(await home.ok(['bulk', 'members', 'delete', '--from', leavers, '--dry-run'])).toBe(
      ['u1', 'u2']
        .map(
          (id) =>
            `DELETE\t/v1/orgs/o1/members/${id}\t\tnone\tthe platform cannot add a member: invite the person again\n`,
        )
        .join(''),
    );
    // A dry run of deletions also reads what they would break.
    expect(platform.requests.slice(0, 2)).toEqual([admins('o1'), admins('o1')]);
    expect(platform.requests.filter((one) => !one.startsWith('GET '))).toEqual([]);
  });

  test('more than 20 items need a yes, naming the number; 20 do not', async () => {
    const from = rows('people.csv', many);
    expect(await expectRefused(update(from, '--set', 'role=read'))).toContain(
      'confirmation required to update 21 members',
    );
    await home.ok(update(from, '--set', 'role=read', '--yes'));
    expect(platform.requests).toHaveLength(1 + 21);
    rows('people.csv', many.replace('u20\n', ''));
    await home.ok(update(from, '--set', 'role=read'));
    expect(platform.requests).toHaveLength(2 + 41);
  });

  test('what a command asks for alone, it asks for in bulk', async () => {
    const from = rows('leavers.csv', 'user\nu1\n');
    expect(await expectRefused(['bulk', 'members', 'delete', '--from', from])).toContain(
      'confirmation required',
    );
  });
});
