import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Plan } from '../../src/plans/plan.js';
import { partOf, writtenTo } from '../reports/written.js';
import { seedId } from '../sandbox/client.js';
import { docsFile, docsFirst } from '../started.js';
import { rehearseHomeOfFile } from './rehearse-home.js';

/** `docs rehearse`: what reaches the copy is what then reaches the platform, which gets reads at most before. */

const home = rehearseHomeOfFile();
let people: Member[];

interface Member {
  id: string;
  role: string | null;
}

beforeAll(async () => {
  people = (await home.json<Member[]>(['members', 'list'])).filter(({ role }) => role !== 'admin');
});

const stderrOf = ({ code, stderr }: { code: number | null; stderr: string }, expected = 0) => ({
  code,
  stderr: code === expected ? '' : stderr,
});

/**
 * Rehearses a script, which changes nothing on the platform, and runs its commands; what is sent must be the same.
 * @returns what the rehearsal said
 */
async function same(commands: readonly (readonly string[])[], code = 0): Promise<string> {
  const before = await home.state();
  const journals = () => (existsSync(home.journals) ? home.journalPaths() : []);
  const jobs = journals();
  home.script('same.sh', ['set -e', ...commands.map((words) => `docs ${words.join(' ')}`), ''].join('\n'));
  await home.forget();
  const words = commands.length === 1 ? ['--', ...(commands[0] ?? [])] : ['--script', 'same.sh'];
  const tried = await home.rehearse(...words);
  expect(stderrOf(tried, code)).toEqual({ code, stderr: '' });
  expect(await home.changes()).toEqual([]);
  expect(await home.state()).toBe(before);
  expect(journals()).toEqual(jobs);
  expect(existsSync(join(home.path, 'evidence'))).toBe(false);
  const { requests, exitCode, failed } = home.report();
  expect(exitCode).toBe(code);
  await home.forget();
  for (const one of commands) expect(stderrOf(await home.run(one), code)).toEqual({ code, stderr: '' });
  const sent = await home.changes();
  expect(sent.length).toBeGreaterThan(0);
  expect(normal(requests.map(({ method, path }) => `${method} ${path}`))).toEqual(normal(sent));
  expect(failed.length > 0).toBe(code !== 0);
  return tried.stderr;
}

/** Ids that differ between two platforms, by the order of their first use. Requests sent at once come in any order. */
function normal(requests: readonly string[]): string[] {
  const names = new Map<string, string>();
  const named = (id: string) => {
    if (seedIds().has(id)) return id;
    if (!names.has(id)) names.set(id, `new ${names.size + 1}`);
    return names.get(id) ?? id;
  };
  return requests.map((one) => one.replace(/[A-Za-z0-9]{20}/g, named)).sort();
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

let known: Set<string> | undefined;
const seedIds = () =>
  (known ??= new Set(readFileSync(join(home.path, 'first.json'), 'utf8').match(/[A-Za-z0-9]{20}/g) ?? []));
const id = (at: number) => people[at]?.id ?? '';

/** On a copy that a backup is, without a platform and without a token. */
describe('--from a backup', () => {
  let member: string;
  beforeAll(async () => {
    const members = await home.json<{ id: string; role: string }[]>(['members', 'list']);
    member = members.find(({ role }) => role === 'edit')?.id ?? '';
    await home.ok(['backup', 'run', '--out', 'backup']);
  });

  test('the platform is sent nothing, not even a read, and no token is needed', async () => {
    const words = ['members', 'update', member, '--role', 'read', '--yes', '--json'];
    const named = ['DOCS_BASE_URL', 'DOCS_TOKEN', 'DOCS_ORG'].map((name) => [name, ''] as const);
    const rehearse = ['rehearse', '--from', 'backup', '--json-report', 'report.json'];
    const ran = await home.start([...rehearse, '--', ...words], Object.fromEntries(named)).ended;
    expect({ code: ran.code, stderr: ran.code === 0 ? '' : ran.stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toMatchObject({ id: member, role: 'read' });
    expect(await home.sent()).toEqual([]);
    const { requests, reads, source, changes } = home.report();
    expect({ source, reads }).toEqual({ source: 'backup', reads: [] });
    expect(requests).toEqual([
      { method: 'PATCH', path: `/v1/orgs/${home.org}/members/${member}`, status: 200 },
    ]);
    expect(changes[0]?.fields?.role).toEqual({ before: 'edit', after: 'read' });
  });

  test('what the copy of a backup shows otherwise after a change is named', async () => {
    const remove = async (kind: string) => `docs ${kind} delete ${await home.firstId(kind)} --yes`;
    home.script('remove.sh', [await remove('teams'), await remove('spaces'), ''].join('\n'));
    expect((await home.rehearse('--from', 'backup', '--script', 'remove.sh')).code).toBe(0);
    for (const gap of [/^Access through teams stays as it was/, /^Counts of the spaces of teams/])
      expect(home.report().gaps).toContainEqual(expect.stringMatching(gap));
  });

  test('a backup stays as it is, and a plan that was made on it is for the platform', async () => {
    const manifest = () => readFileSync(join(home.path, 'backup', 'manifest.json'), 'utf8');
    const before = manifest();
    const words = ['members', 'update', member, '--role', 'comment'];
    const tried = await home.rehearse('--from', 'backup', '--save-plan', 'of-backup.json', '--', ...words);
    expect(tried).toMatchObject({ code: 0 });
    expect(manifest()).toBe(before);
    expect(await home.sent()).toEqual([]);
    await home.ok(['apply', 'of-backup.json', '--yes']);
    const { role } = await home.json<{ role: string }>(['members', 'get', member]);
    expect(role).toBe('comment');
  });

  test('--at rehearses on an earlier run', async () => {
    await home.ok(['backup', 'run', '--out', 'kept', '--keep', '9']);
    const { id } = await home.json<{ id: string }>(['teams', 'create', '--title', 'Later']);
    await home.ok(['backup', 'run', '--out', 'kept']);
    const get = ['--', 'teams', 'get', id];
    // Outside of it, and on the latest run, the team is there.
    expect((await home.rehearse('--from', 'kept', '--at', '1', ...get)).code).toBe(6);
  });
});

test('a change of one: what a rehearsal tells', async () => {
  const words = ['members', 'update', id(0), '--role', 'read', '--yes', '--json'];
  const stderr = await same([words]);
  expect(stderr).toMatch(
    /^Rehearsed on a copy of Acme Docs; the command exited with 0\.\nThe platform got \d+ reads? and no change\.\n/,
  );
  expect(stderr).toContain('Changes sent to the copy: 1 request (1 PATCH).');
  expect(stderr).toContain('Undo: 1 exactly.');
  expect(stderr).toContain(`Next: docs ${words.join(' ')}`);
  expect(home.folders()).toEqual([]);
});

test('a change that the platform refuses ends with its code, and is reported', async () => {
  await same([['members', 'update', 'nobody', '--role', 'read', '--yes']], 6);
});

test('changes of many, bulk, a review, a plan, an offboarding, whose evidence is not written for a rehearsal', async () => {
  home.script('teams.csv', 'title\nOne\nTwo\n');
  const [head = '', ...rows] = (await home.ok(['members', 'review', '-o', 'csv'])).trim().split('\n');
  const at = head.split(',').indexOf('decision');
  const decided = rows
    .filter((row) => row.includes(id(1)))
    .map((row) => {
      const cells = row.split(',');
      cells[at] = 'remove';
      return cells.join(',');
    });
  home.script('review.csv', [head, ...decided].join('\n'));
  await home.ok(['members', 'update', id(0), '--role', 'comment', '--save-plan', 'made.json', '--yes']);
  await same([
    ['apply', 'made.json', '--yes'],
    ['members', 'update', id(2), id(3), '--role', 'read', '--yes'],
    ['bulk', 'teams', 'create', '--from', 'teams.csv', '--yes'],
    ['members', 'review', '--apply', 'review.csv', '--yes'],
    ['members', 'offboard', id(0), '--yes', '--evidence', 'evidence'],
  ]);
  expect(existsSync(join(home.path, 'evidence'))).toBe(true);
});

test('--save-plan: the plan that was rehearsed is the plan that is applied', async () => {
  const words = ['members', 'offboard', id(0), '--evidence', 'planned'];
  const tried = await home.rehearse('--save-plan', 'plan.json', '--', ...words);
  expect(stderrOf(tried)).toEqual({ code: 0, stderr: '' });
  expect(await home.changes()).toEqual([]);
  const plan = JSON.parse(readFileSync(join(home.path, 'plan.json'), 'utf8')) as Plan;
  expect(plan.origin).toBe(home.env.DOCS_BASE_URL);
  const { requests, plan: named, next } = home.report();
  expect([named, next]).toEqual(['plan.json', 'docs apply plan.json']);
  await home.forget();
  await home.ok(['apply', 'plan.json', '--yes']);
  const sent = await home.changes();
  expect(sent.length).toBeGreaterThan(1);
  expect(normal(requests.map(({ method, path }) => `${method} ${path}`))).toEqual(normal(sent));
  const again = await home.run(['apply', 'plan.json', '--yes', '--json']);
  expect(again.stderr).toContain('plan_applied');
});

test('a script, with its words, its code and a home of its own, is on the copy without its environment, too', async () => {
  home.script(
    's.sh',
    `env -i PATH="$PATH" HOME="$HOME" docs members update "$1" --role read --yes --jq .role
ls -A "$HOME"
env -i PATH="$PATH" HOME="$HOME" docs config get page-size
grep -c undefined "$(command -v docs)"
test "$HOME" = ${home.path}; echo $?
exit 9
`,
  );
  await home.ok(['config', 'set', 'page-size', '37']);
  const before = await home.state();
  const ran = await home.rehearse('--script', 's.sh', '--', id(0));
  await home.ok(['config', 'unset', 'page-size']);
  expect(ran).toMatchObject({ code: 9, stdout: 'read\n37\n0\n1\n' });
  const { requests, changes, reads, watched, elsewhere } = home.report();
  expect({ watched, elsewhere }).toEqual({ watched: 'copy', elsewhere: [] });
  expect(requests).toEqual([{ method: 'PATCH', path: `/v1/orgs/${home.org}/members/${id(0)}`, status: 200 }]);
  expect(changes[0]).toMatchObject({ action: 'update', operation: 'members.update', id: id(0) });
  expect(changes[0]?.fields?.role).toEqual({ before: people[0]?.role, after: 'read' });
  expect(reads.every(({ method }) => method === 'GET')).toBe(true);
  expect(ran.stderr).toContain('The copy sent the platform');
  expect(await home.changes()).toEqual([]);
  expect(await home.state()).toBe(before);
});

test('a change that a script makes past the copy is named; what it leaves in the background is ended', async () => {
  const { DOCS_BASE_URL, DOCS_TOKEN, DOCS_ORG } = home.env;
  const place = Object.entries({ DOCS_BASE_URL, DOCS_TOKEN, DOCS_ORG }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const docs = [docsFile, ...docsFirst].map((word) => `"${word}"`).join(' ');
  const line = `env -i HOME=${home.path} ${place.join(' ')} ${docs} members update "$1" --role read --yes`;
  home.script('past.sh', `${line} >/dev/null\nsleep 300 & echo $!\n`);
  const ran = await home.rehearse('--script', 'past.sh', '--', id(0));
  expect(ran.code).toBe(0);
  await expect.poll(() => isRunning(Number(ran.stdout))).toBe(false);
  expect(await home.changes()).toEqual([`PATCH /v1/orgs/${home.org}/members/${id(0)}`]);
  expect(home.report().elsewhere).toEqual([{ job: expect.any(String), command: 'members update' }]);
  expect(ran.stderr).toContain('Meanwhile, docs on this machine ran jobs that are not on the copy:\n');
});

test('undo is rehearsed on a copy of the job', async () => {
  await home.ok(['members', 'update', id(0), '--role', 'read', '--yes']);
  const [journal = ''] = home.journalTexts().slice(-1);
  await home.forget();
  const undone = await home.rehearse('--', 'undo', 'last', '--yes');
  expect(stderrOf(undone)).toEqual({ code: 0, stderr: '' });
  expect(home.report().requests.map(({ method }) => method)).toEqual(['PATCH']);
  expect(await home.changes()).toEqual([]);
  expect(home.journalTexts().at(-1)).toBe(journal);
});

test('jobs resume is rehearsed on a copy of the job, which stays unfinished', async () => {
  const fault = ['--match', `PATCH *${id(1)}`, '--reset', 'before', '--times', '1'];
  await home.ok(['sandbox', 'fault', ...fault]);
  // A job is resumed by the version that began it.
  const start = (words: readonly string[]) => home.start(words).ended;
  await start(['members', 'update', id(0), id(1), '--role', 'review', '--yes', '--no-retry']);
  const before = home.journalTexts();
  await home.forget();
  const words = ['jobs', 'resume', 'last', '--yes'];
  const tried = await home.rehearse('--', ...words);
  expect(stderrOf(tried)).toEqual({ code: 0, stderr: '' });
  const { requests, undo } = home.report();
  expect(requests).toEqual([{ method: 'PATCH', path: `/v1/orgs/${home.org}/members/${id(1)}`, status: 200 }]);
  // What the job had done before is not of this rehearsal.
  expect(undo.items.map((one) => one.id)).toEqual([id(1)]);
  expect(await home.changes()).toEqual([]);
  expect(home.journalTexts()).toEqual(before);
  expect((await start(words)).code).toBe(0);
  expect(await home.changes()).toEqual([`PATCH /v1/orgs/${home.org}/members/${id(1)}`]);
});

test('memberships and merges are shown with what they are in, and no job that is gone is named', async () => {
  const [team] = await home.json<{ id: string; title: string }[]>(['teams', 'list']);
  home.script(
    'change.sh',
    `docs teams members set ${team?.id} ${id(0)} --role owner --yes\ndocs change-requests merge 3 --space Welcome --by-title --yes
docs spaces delete 'Product Guide' --by-title --yes
`,
  );
  const ran = await home.rehearse('--script', 'change.sh');
  expect(stderrOf(ran)).toEqual({ code: 0, stderr: '' });
  expect(home.report().gaps).toContainEqual(
    expect.stringMatching(/^Links from other spaces to one that was deleted/),
  );
  expect(ran.stderr).toMatch(
    new RegExp(`team-members set .+ \\(${id(0)}\\) in ${team?.title}: role \\w+ → owner\n`),
  );
  expect(ran.stderr).toMatch(/ ~ change-requests merge .+ in Welcome: status open → merged\n/);
  expect(ran.stderr).toMatch(/ \+ page Single sign-on .+ in Welcome\n/);
  expect(ran.stderr).not.toContain('docs undo');
});

// They print what they print outside of a rehearsal.
test('what commands download are the bytes of the platform: files and a PDF', async () => {
  const at = ['--space', seedId('space welcome')];
  const [file] = await home.json<{ id: string }[]>(['content', 'files', 'list', ...at]);
  const [request] = await home.json<{ id: string }[]>(['change-requests', 'list', ...at]);
  const commands = [
    ['content', 'files', 'list', ...at, '--json'],
    ['content', 'files', 'get', file?.id ?? '', ...at, '--download', 'file.bin'],
    ['change-requests', 'pdf', request?.id ?? '', ...at, '--download', 'space.pdf'],
  ];
  let printed = '';
  for (const words of commands) printed += await home.ok(words);
  const names = ['file.bin', 'space.pdf'] as const;
  const read = (...folder: string[]) => names.map((name) => readFileSync(join(home.path, ...folder, name)));
  const [wanted, pdf] = read() as [Buffer, Buffer];
  expect(wanted.length).toBeGreaterThan(0);
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');

  mkdirSync(join(home.path, 'tried'));
  home.script('all.sh', ['cd tried', ...commands.map((words) => `docs ${words.join(' ')}`)].join('\n'));
  const ran = await home.rehearse('--script', 'all.sh');
  expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 0, stdout: printed });
  const [got, other] = read('tried') as [Buffer, Buffer];
  expect(got.equals(wanted)).toBe(true);
  expect(other.length).toBe(pdf.length);
});

describe('what a rehearsal keeps from the platform and from this machine', () => {
  const script = (text: string) => home.script('try.sh', text);

  test('nothing in it reaches another platform than the copy', async () => {
    const lines: [string, number][] = [
      ['docs --base-url "$REAL" members list', 2],
      ['docs --sandbox members list', 2],
      ['DOCS_BASE_URL=$REAL docs members list', 14],
      ['DOCS_TOKEN=secret docs members list', 14],
      ['DOCS_REHEARSAL=/none docs members list', 14],
      ['docs rehearse -- members list', 2],
    ];
    script(lines.map(([line]) => `${line} --json; echo $?`).join('\n'));
    home.env.REAL = home.env.DOCS_BASE_URL ?? '';
    const ran = await home.rehearse('--script', 'try.sh');
    expect(ran.stdout.trim().split('\n')).toEqual(lines.map(([, code]) => String(code)));
    expect(ran.stderr.match(/outside_rehearsal/g)).toHaveLength(4);
    expect(ran.stderr).toContain('"rehearsal_gone"');
    expect(ran.stderr).toContain('docs rehearse cannot run in a rehearsal');
    expect(home.report().reads).toHaveLength((await home.sent()).length);
    expect(await home.changes()).toEqual([]);
  });

  test('nothing in it changes files of docs on this machine', async () => {
    const lines = [
      'config set page-size 3',
      'auth logout',
      'jobs prune --days 0',
      'mcp skill install --yes',
      'pull --dir o',
    ];
    script(lines.map((line) => `docs ${line} --json; echo $?`).join('\n'));
    const ran = await home.rehearse('--quiet', '--script', 'try.sh');
    expect(ran.stdout.trim().split('\n')).toEqual(lines.map(() => '2'));
    expect(ran.stderr.match(/not_in_rehearsal/g)).toHaveLength(lines.length);
  });

  test('the lock of the organization as code stays as it is, in the rehearsal it is as applied', async () => {
    await home.ok(['pull', '--dir', 'org']);
    const teams = join(home.path, 'org', 'teams.yaml');
    const text = readFileSync(teams, 'utf8');
    writeFileSync(teams, text.replace(/title: (.*)/, 'title: $1 renamed'));
    const lock = () => readFileSync(join(home.path, 'org', 'docs.lock.json'), 'utf8');
    const before = lock();
    script('docs apply --dir org --yes --quiet && docs plan --dir org --exit-code --quiet; echo $?');
    const ran = await home.rehearse('--quiet', '--script', 'try.sh');
    expect({ out: ran.stdout.trim().split('\n').at(-1), err: ran.stderr }).toEqual({ out: '0', err: '' });
    expect(home.report().requests.length).toBeGreaterThan(0);
    expect(lock()).toBe(before);
    expect((await home.run(['plan', '--dir', 'org', '--exit-code'])).code).toBe(17);
  });
});

test('--html writes a page with what changed on the copy, before and after', async () => {
  const [member] = people;
  const ran = await home.rehearse(
    '--html',
    'rehearsal.html',
    '--',
    'members',
    'update',
    member?.id ?? '',
    '--role',
    'read',
  );
  expect(ran.code).toBe(0);
  const page = writtenTo(join(home.path, 'rehearsal.html'));
  expect(page.head).toContain('1 change to Acme Docs; the command exited with 0');
  const [item] = partOf(page, 'changes', 'Changes').items;
  expect(item).toMatchObject({ action: 'change', id: member?.id });
  expect(item?.fields[0]).toEqual({ name: 'role', before: member?.role, after: 'read' });
  expect(await home.changes()).toEqual([]);
});
