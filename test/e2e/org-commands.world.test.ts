import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { orgHome } from './org-home.js';
import { keys } from './terminal.js';
import { onTerminalHere } from './terminal-here.js';

/** The organization as code, as a person works with it. */

const { home, path, read, failed } = await orgHome();

interface Plan {
  id: string;
  counts: Record<string, number>;
  operations: { id: string; kind: string; key: string; action: string; finding?: { code: string } }[];
}
interface Member {
  id: string;
  role: string | null;
  user: { email?: string };
}

const plan = (...flags: string[]) => home.json<Plan>(['plan', ...flags]);
const shown = ({ operations }: Plan) => operations.map(({ action, kind, key }) => [action, kind, key]);

/** Somebody with the role `read`. */
async function reader(): Promise<{ id: string; email: string }> {
  const members = await home.json<Member[]>(['members', 'list', '--role', 'read']);
  const found = members.find(({ user }) => user.email !== undefined);
  return { id: found?.id ?? '', email: found?.user.email ?? '' };
}
const roleOf = async (id: string) => (await home.json<Member>(['members', 'get', id])).role;

/** Writes another role for somebody into people.yaml. */
function editRole(email: string, from: string, to: string): void {
  const text = read('people.yaml');
  const at = text.indexOf(`email: ${email}\n`);
  const edited = text.slice(0, at) + text.slice(at).replace(`role: ${from}`, `role: ${to}`);
  expect(edited).not.toBe(text);
  writeFileSync(path('people.yaml'), edited);
}

test('from a pull over a plan and its approval to an undo', async () => {
  const { id, email } = await reader();
  const pulled = await home.run(['pull']);
  expect({ code: pulled.code, stderr: pulled.stderr }).toMatchObject({ code: 0 });
  for (const file of ['org.yaml', 'people.yaml', 'teams.yaml', 'docs.lock.json'])
    expect(existsSync(path(file)), file).toBe(true);

  // Nothing was edited.
  expect((await plan()).operations).toEqual([]);
  const nothing = await home.run(['plan', '--exit-code']);
  expect([nothing.code, nothing.stdout]).toEqual([0, 'Plan for Acme Docs: nothing to do\n']);

  editRole(email, 'read', 'edit');
  const picture = await home.run(['plan']);
  expect(picture.stdout).toContain('Plan for Acme Docs: 1 to change\n');
  expect(picture.stdout).toContain(`  ~ ${email}  role: read → edit`);
  const found = await failed('plan', '--exit-code');
  expect(found).toMatchObject({
    code: 17,
    error: { code: 'changes_found', message: 'changes found: 1 to change' },
  });
  expect(await roleOf(id)).toBe('read');
  const rows = await home.ok(['plan', '--fields', 'action,kind,key,change']);
  expect(rows).toBe(`update\tpeople\t${email}\trole: read → edit\n`);

  // Saved, shown, applied, once.
  await home.ok(['plan', '--save-plan', 'plan.json']);
  expect(statSync(join(home.path, 'plan.json')).mode & 0o777).toBe(0o600);
  const offline = { env: { DOCS_BASE_URL: 'http://127.0.0.1:1', DOCS_TOKEN: '' } };
  const text = await home.run(['plan', 'show', 'plan.json'], offline);
  expect(text.stdout).toContain(`  ~ ${email}  role: read → edit`);
  expect(text.stderr).toContain('Not applied on this machine; "docs apply plan.json" applies it.');
  const saved = JSON.parse((await home.run(['plan', 'show', 'plan.json', '--json'], offline)).stdout);
  expect(saved).toEqual(JSON.parse(readFileSync(join(home.path, 'plan.json'), 'utf8')));
  const markdown = await home.run(['plan', 'show', 'plan.json', '-o', 'markdown'], offline);
  expect(markdown.stdout).toContain('**1 to change**');
  expect(markdown.stdout).toContain('role&#58; read → edit');

  expect(await failed('apply', 'plan.json')).toMatchObject({ code: 2, error: { code: 'not_confirmed' } });
  expect(await roleOf(id)).toBe('read');
  await home.ok(['apply', 'plan.json', '--yes']);
  expect(await roleOf(id)).toBe('edit');
  expect(await failed('apply', 'plan.json', '--yes')).toMatchObject({
    code: 2,
    error: { code: 'plan_applied' },
  });
  expect((await home.run(['plan', 'show', 'plan.json'], offline)).stderr).toMatch(
    /^The plan p-\w+ was applied at \S+ by job (\S+); a plan is applied once\. See "docs jobs show \1"\.\n$/,
  );
  expect((await plan()).operations).toEqual([]);
  expect((await home.run(['drift'])).code).toBe(0);

  // Taken back: the file says what is to be, so it is a change again.
  // Each request is told with the item of the lock that it is about.
  const item = `people/${email}`;
  expect(await home.json(['jobs', 'show', 'last'])).toMatchObject({ items: [{ id, item }] });
  expect(await home.json(['undo', 'last', '--dry-run'])).toMatchObject([{ id, item }]);
  expect(await home.json(['undo', 'last', '--yes'])).toMatchObject([{ id, item, status: 'ok' }]);
  expect(await roleOf(id)).toBe('read');
  expect(shown(await plan('--only', 'change'))).toEqual([['update', 'people', email]]);
});

test('what is changed by hand is found, taken over, and reverted', async () => {
  const { id, email } = await reader();
  await home.ok(['pull']);
  await home.ok(['members', 'update', id, '--role', 'edit']);
  const drift = await home.run(['drift']);
  expect(drift.code).toBe(17);
  expect(drift.stdout).toContain(`  ≠ ${email}  role: edit → read  (changed by hand)`);
  expect(await failed('drift')).toMatchObject({
    code: 17,
    error: { code: 'drift_found', message: 'drift found: 1 change made by hand' },
  });
  expect((await plan('--only', 'change')).operations).toEqual([]);

  const before = read('people.yaml');
  const dry = ['pull', '--only', 'drift', '--dry-run'];
  expect(await home.json(dry)).toMatchObject({ status: 'planned', written: ['people.yaml'] });
  expect(read('people.yaml')).toBe(before);
  await home.ok(['pull', '--only', 'drift']);
  expect(read('people.yaml')).not.toBe(before);
  expect((await home.run(['drift'])).code).toBe(0);

  await home.ok(['members', 'update', id, '--role', 'comment']);
  await home.ok(['apply', '--yes']);
  expect(await roleOf(id)).toBe('edit');
  const again = await home.run(['apply']);
  expect([again.code, again.stdout]).toEqual([0, '']);
});

test('an edit that somebody else contradicted is a conflict, until one side is taken', async () => {
  const { id, email } = await reader();
  await home.ok(['pull']);
  editRole(email, 'read', 'edit');
  await home.ok(['members', 'update', id, '--role', 'comment']);
  const item = `people/${email}`;
  expect((await plan()).operations).toMatchObject([{ action: 'finding', finding: { code: 'conflict' } }]);
  const kept = await home.json<{ kept: { item: string; file: string; line: number }[] }>(['pull']);
  expect(kept.kept).toMatchObject([{ item, file: 'people.yaml' }]);
  expect(shown(await plan('--take', `file=${item}`))).toEqual([['update', 'people', email]]);
  await home.ok(['pull', '--take', `live=${item}`]);
  expect((await plan()).operations).toEqual([]);
  expect(await failed('plan', '--take', `file=${item}x`)).toMatchObject({
    code: 2,
    error: { code: 'unknown_item', details: { nearest: item } },
  });
  expect(await failed('plan', '--take', 'teams/writers')).toMatchObject({
    code: 2,
    error: { code: 'bad_take' },
  });
});

test('an item is adopted by its id, and by no other', async () => {
  await home.ok(['pull']);
  const team = await home.json<{ id: string }>(['teams', 'create', '--title', 'Twins']);
  const other = await home.json<{ id: string }>(['teams', 'create', '--title', 'Twins']);
  const [person] = await home.json<Member[]>(['members', 'list', '--limit', '1']);
  const before = read('teams.yaml');
  writeFileSync(path('teams.yaml'), before.replace(/teams:\n/, 'teams:\n  - key: twins\n    title: Twins\n'));
  expect((await plan()).operations).toMatchObject([{ action: 'finding', kind: 'teams', key: 'twins' }]);

  expect(await failed('adopt', 'teams/twin=x')).toMatchObject({ code: 2, error: { code: 'unknown_item' } });
  expect(await failed('adopt', 'teams/twins=nowhere')).toMatchObject({
    code: 6,
    error: { code: 'not_found' },
  });
  expect(await failed('adopt', `teams/twins=${person?.id}`)).toMatchObject({
    code: 2,
    error: { code: 'other_kind' },
  });
  await home.ok(['adopt', `teams/twins=${team.id}`, '--dry-run']);
  expect((await plan()).operations).toHaveLength(1);
  await home.ok(['adopt', `teams/twins=${team.id}`]);
  expect((await plan()).operations).toEqual([]);
  writeFileSync(
    path('teams.yaml'),
    read('teams.yaml').replace(/teams:\n/, 'teams:\n  - key: second\n    title: Twins\n'),
  );
  expect(await failed('adopt', `teams/second=${team.id}`)).toMatchObject({
    code: 2,
    error: { code: 'id_taken' },
  });
  await home.ok(['adopt', `teams/second=${other.id}`]);
});

test('a person is shown the plan and asked about it, and Ctrl-C or no sends nothing', async () => {
  const { id, email } = await reader();
  await home.ok(['pull']);
  editRole(email, 'read', 'edit');
  for (const [key, end] of [
    ['n\r', { code: 2 }],
    [keys.interrupt, { signal: 2 }],
  ] as const) {
    const terminal = onTerminalHere(['apply'], { env: home.env, cwd: home.path });
    await terminal.shows('Apply 1 change?');
    expect(terminal.screen.text()).toContain(`~ ${email}`);
    terminal.type(key);
    expect(await terminal.ended).toMatchObject(end);
    expect(await roleOf(id)).toBe('read');
  }
  const terminal = onTerminalHere(['apply'], { env: home.env, cwd: home.path });
  await terminal.shows('Apply 1 change?');
  terminal.type('y\r');
  expect(await terminal.ended).toMatchObject({ code: 0 });
  expect(await roleOf(id)).toBe('edit');
});

test('a wrong folder, a wrong organization and a bad file are said before anything is sent', async () => {
  for (const command of [['plan'], ['apply', '--yes'], ['drift'], ['adopt', 'teams/a=b']])
    expect(await failed(...command)).toMatchObject({
      code: 2,
      error: { code: 'no_org_folder', hint: 'docs pull --dir org' },
    });
  mkdirSync(join(home.path, 'src/lib'), { recursive: true });
  // What a killed run leaves is nothing to keep.
  writeFileSync(join(home.path, 'src/lib/.docs-0123456789abcdef.tmp'), '');
  expect((await home.run(['pull', '--dir', 'src', '--dry-run'])).code).toBe(0);
  writeFileSync(join(home.path, 'src/lib/main.c'), 'int main;\n');
  for (const words of [[], ['--dry-run'], ['--only', 'drift']])
    expect(await failed('pull', '--dir', 'src', ...words)).toMatchObject({
      code: 2,
      error: {
        code: 'folder_not_empty',
        message: 'src is not empty and has no org.yaml; nothing was written',
      },
    });
  expect(readdirSync(join(home.path, 'src'))).toEqual(['lib']);
  await home.ok(['pull']);
  const elsewhere = await home.run(['plan', '--org', 'other', '--json']);
  expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining('lock_foreign')]);
  writeFileSync(path('teams.yaml'), `${read('teams.yaml')}oops: 1\n`);
  expect(await failed('plan')).toMatchObject({ code: 2, error: { code: 'bad_files' } });
});

test('what somebody must decide is left, and told: exit 3', async () => {
  const { id, email } = await reader();
  await home.ok(['pull']);
  editRole(email, 'read', 'edit');
  await home.ok(['members', 'update', id, '--role', 'comment']);
  const item = `people/${email}`;
  const hint = `docs plan --take file=${item}`;
  const only = await home.run(['apply', '--yes', '--json']);
  expect(only.code).toBe(3);
  expect(JSON.parse(only.stdout)).toMatchObject([{ item, status: 'skipped', error: { code: 'conflict' } }]);
  expect(only.stderr).toContain('nothing was applied; left as they are: 1 conflict');

  // What can be done is done all the same.
  const text = read('teams.yaml');
  writeFileSync(path('teams.yaml'), text.replace(/teams:\n/, 'teams:\n  - key: poets\n    title: Poets\n'));
  const both = await home.run(['apply', '--yes']);
  expect(both.code).toBe(3);
  expect(both.stdout).toMatch(/^o1\tteams\/poets\tok\t\t\w{20}\no2\tpeople\/\S+\tskipped\t/);
  expect(both.stderr).toMatch(/1 change applied\. To undo, run docs undo \S+\./);
  expect(both.stderr).toContain('error: 1 change applied; left as they are: 1 conflict (partial, exit 3)');
  expect(both.stderr).toContain(`${item} (role: comment → edit)`);
  expect(both.stderr).toContain('people.yaml');
  expect(both.stderr.trimEnd().endsWith(`Try: ${hint}`)).toBe(true);
  const made = await home.json<{ id: string; title: string }[]>(['teams', 'list']);
  expect(made.find(({ title }) => title === 'Poets')?.id).toBe(/ok\t\t(\w{20})/.exec(both.stdout)?.[1]);
});

test('a plan knows its folder, and says what it would revert', async () => {
  const { id, email } = await reader();
  await home.ok(['pull', '--dir', 'organization']);
  await home.ok(['members', 'update', id, '--role', 'edit']);
  const made = await home.run(['plan', '--dir', 'organization']);
  expect(made.stderr).toContain('"docs apply --dir organization" reverts changes made by hand;');
  expect(made.stderr).toContain('"docs pull --only drift --dir organization" keeps it in the files instead.');
  await home.ok(['plan', '--dir', 'organization', '--save-plan', 'plan.json']);
  await home.ok(['pull']);
  const lock = () => readFileSync(join(home.path, 'organization', 'docs.lock.json'), 'utf8');
  const other = read('docs.lock.json');
  const shownPlan = JSON.parse(readFileSync(join(home.path, 'plan.json'), 'utf8'));
  expect(shownPlan).toMatchObject({ title: 'Acme Docs', folder: 'organization' });
  await home.ok(['apply', 'plan.json', '--yes']);
  expect(await roleOf(id)).toBe('read');
  expect(read('docs.lock.json')).toBe(other);
  expect(lock()).toContain(`people/${email}`);
});
