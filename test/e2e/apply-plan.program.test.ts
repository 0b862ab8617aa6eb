import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { writePlan } from '../../src/plans/file.js';
import { hashOfPlan } from '../../src/plans/hash.js';
import type { Plan } from '../../src/plans/plan.js';
import { fakeIo } from '../fake-io.js';
import { type Forwarder, startForwarder } from './forwarder.js';
import { type JobHome, jobHome } from './job-home.js';
import { type SandboxHere, sandboxHere } from './sandbox-here.js';
import { keys, onTerminal } from './terminal.js';

/** Plans from the command that makes them to the job that applies them: the built program on a sandbox of its own. */

let home: JobHome;
let sandbox: SandboxHere;
let forwarder: Forwarder;
let org: string;
/** The seed, before anything was done. */
let seed: string;

interface Member {
  id: string;
  role: string | null;
  user: { email?: string };
}
interface Item {
  index: number;
  id: string;
  operation: string;
  kind: string;
  key: string;
  status: string;
  error?: { code: string; message: string; details?: { changed?: object[] } };
}
interface Failed {
  error: {
    code: string;
    exitCode: number;
    message: string;
    hint?: string;
    details?: Record<string, unknown>;
  };
}

beforeAll(async () => {
  home = jobHome({});
  sandbox = await sandboxHere(home);
  forwarder = await startForwarder(sandbox.url);
  org = sandbox.defaults.org;
  Object.assign(home.env, { DOCS_BASE_URL: forwarder.url, DOCS_TOKEN: sandbox.token, DOCS_ORG: org });
  const others = (await home.json<Member[]>(['members', 'list'])).filter(({ role }) => role !== 'admin');
  await home.ok(['members', 'update', ...others.map(({ id }) => id), '--role', 'read', '--yes']);
  seed = join(home.path, 'seed.json');
  writeFileSync(seed, sandbox.control.export());
});
afterAll(async () => {
  await forwarder.close();
  await sandbox.close();
  home.remove();
});

let people: Member[];
beforeEach(async () => {
  forwarder.reset();
  await sandbox.control.seed(seed, { isExport: true });
  people = (await home.json<Member[]>(['members', 'list'])).filter(({ role }) => role === 'read');
});

const state = () => sandbox.control.export();
const plan = () => JSON.parse(readFileSync(join(home.path, 'plan.json'), 'utf8')) as Plan;
const failureOf = ({ stderr }: { stderr: string }) =>
  (JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as Failed).error;
const roleOf = async (id: string) => (await home.json<Member>(['members', 'get', id])).role;
const emailOf = (id: string) => people.find((one) => one.id === id)?.user.email ?? id;
const ids = (count: number) => people.slice(0, count).map(({ id }) => id);

/** Makes a plan, which must send nothing but reads. */
async function save(...words: string[]): Promise<Plan> {
  const before = await state();
  forwarder.reset();
  forwarder.onChange = () => 'lost before';
  const ran = await home.run([...words, '--save-plan', 'plan.json', '--yes', '--json']);
  expect({ code: ran.code, stderr: ran.code === 0 ? '' : ran.stderr }).toEqual({ code: 0, stderr: '' });
  forwarder.reset();
  expect(await state()).toBe(before);
  return plan();
}

async function apply(...words: string[]): Promise<Item[]> {
  return home.json<Item[]>(['apply', 'plan.json', '--yes', ...words]);
}

const sent = ({ operations }: Plan) =>
  operations.flatMap(({ request }) => (request ? [`${request.method} ${request.path}`] : []));

test('a change of one, and undo', async () => {
  const [id = ''] = ids(1);
  const made = await save('members', 'update', id, '--role', 'comment');
  expect(await roleOf(id)).toBe('read');
  const [item] = await apply();
  const key = emailOf(id);
  const about = { operation: 'o1', item: `members/${key}`, kind: 'members', key };
  const { method, path, body } = made.operations[0]?.request ?? {};
  expect(item).toEqual({ index: 0, id, ...about, status: 'ok', request: { method, path, body } });
  expect(forwarder.done).toEqual(sent(made));
  expect(await roleOf(id)).toBe('comment');
  // The chain has what was sent, too.
  const [begun] = await home.json<{ requests: unknown }[]>([
    'audit',
    'list',
    '--event',
    'job-begun',
    '--limit',
    '1',
  ]);
  expect(begun?.requests).toEqual([{ method, path, body }]);
  const [job] = await home.json<{ id: string; command: string; plan: string }[]>([
    'jobs',
    'list',
    '--limit',
    '1',
  ]);
  expect(job).toMatchObject({ command: 'members update', plan: made.id });
  await home.ok(['undo', job?.id ?? '']);
  expect(await roleOf(id)).toBe('read');
});

test('many ids send what the plan holds, and no more', async () => {
  const made = await save('members', 'update', ...ids(3), '--role', 'comment');
  const items = await apply();
  expect(items.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
  expect([...forwarder.done].sort()).toEqual(sent(made).sort());
});

test('rows of a file', async () => {
  writeFileSync(
    join(home.path, 'rows.csv'),
    `user,role\n${ids(2)
      .map((id) => `${id},comment`)
      .join('\n')}\n`,
  );
  const made = await save('bulk', 'members', 'update', '--from', 'rows.csv');
  expect(made.command).toBe('members update');
  expect(await apply()).toHaveLength(2);
  expect([...forwarder.done].sort()).toEqual(sent(made).sort());
});

test('a plan is applied once', async () => {
  await save('members', 'update', ...ids(1), '--role', 'comment');
  await apply();
  const again = await home.run(['apply', 'plan.json', '--yes', '--json']);
  expect([again.code, failureOf(again).code]).toEqual([2, 'plan_applied']);
  await home.ok(['jobs', 'prune', '--days', '0']);
  expect(failureOf(await home.run(['apply', 'plan.json', '--yes', '--json'])).code).toBe('plan_applied');
  expect(forwarder.done).toHaveLength(1);
});

test.each([
  ['an edited plan', 'plan_edited', (text: string) => text.replace('"comment"', '"admin"'), []],
  [
    'a plan of another version',
    'plan_version',
    (text: string) => text.replace('"plan":1', '"plan":2').replace('"plan": 1', '"plan": 2'),
    [],
  ],
  ['an old plan', 'plan_expired', (text: string) => text, ['--max-age', '1s']],
])('%s is refused before the first request', async (_, code, edit, words) => {
  await save('members', 'update', ...ids(1), '--role', 'comment');
  const file = join(home.path, 'plan.json');
  writeFileSync(file, edit(readFileSync(file, 'utf8')));
  if (words.length > 0) await new Promise((later) => setTimeout(later, 1500));
  const ran = await home.run(['apply', 'plan.json', '--yes', '--json', ...words]);
  expect([ran.code, failureOf(ran).code, forwarder.done]).toEqual([2, code, []]);
});

test('a plan of another organization is refused', async () => {
  await save('members', 'update', ...ids(1), '--role', 'comment');
  const ran = await home.run(['apply', 'plan.json', '--yes', '--json'], { env: { DOCS_ORG: 'another' } });
  expect([ran.code, failureOf(ran).code]).toEqual([2, 'plan_foreign']);
});

test('of three changes one is stale: the others are made', async () => {
  const [first = '', second = '', third = ''] = ids(3);
  await save('members', 'update', first, second, third, '--role', 'comment');
  await home.ok(['members', 'update', second, '--role', 'edit']);
  const ran = await home.run(['apply', 'plan.json', '--yes', '--json', '--replan', 'rest.json']);
  expect([ran.code, failureOf(ran).code]).toEqual([3, 'partial']);
  const items = JSON.parse(ran.stdout) as Item[];
  expect(items.map(({ id, status, error }) => [id, status, error?.code])).toEqual([
    [first, 'ok', undefined],
    [second, 'failed', 'stale'],
    [third, 'ok', undefined],
  ]);
  expect(items[1]?.error?.message).toContain('role was read and is edit');
  expect(await roleOf(second)).toBe('edit');
  const rest = JSON.parse(readFileSync(join(home.path, 'rest.json'), 'utf8')) as Plan;
  expect(rest.operations.map(({ key }) => key)).toEqual([emailOf(second)]);
  await home.ok(['apply', 'rest.json', '--yes']);
  expect(await roleOf(second)).toBe('comment');
});

test('where all is stale, nothing is applied: exit 7', async () => {
  const [id = ''] = ids(1);
  await save('members', 'update', id, '--role', 'comment');
  await home.ok(['members', 'update', id, '--role', 'edit']);
  const ran = await home.run(['apply', 'plan.json', '--yes', '--json']);
  expect([ran.code, failureOf(ran).code]).toEqual([7, 'stale']);
  expect(failureOf(ran).message).toContain('The plan is used up');
  expect(failureOf(ran).message).toContain('--replan <file>');
  expect(await roleOf(id)).toBe('edit');
});

test('kill -9 in the middle, then resume: each change is made once', async () => {
  const made = await save('members', 'update', ...ids(8), '--role', 'comment');
  const running = home.start(['apply', 'plan.json', '--yes', '--concurrency', '1']);
  forwarder.onChange = (count) => {
    if (count === 4) running.child.kill('SIGKILL');
    return 'pass';
  };
  expect((await running.ended).signal).toBe('SIGKILL');
  await forwarder.idle();
  forwarder.onChange = () => 'pass';
  await home.ok(['jobs', 'resume', 'last']);
  expect([...forwarder.done].sort()).toEqual(sent(made).sort());
  expect(failureOf(await home.run(['apply', 'plan.json', '--yes', '--json'])).code).toBe('plan_applied');
});

test('without a journal plans are made, and none is applied', async () => {
  const env = { DOCS_JOURNAL: 'off' };
  const [id = ''] = ids(1);
  const words = ['members', 'update', id, '--role', 'comment', '--save-plan', 'plan.json', '--yes'];
  expect((await home.run(words, { env })).code).toBe(0);
  const ran = await home.run(['apply', 'plan.json', '--yes', '--json'], { env });
  expect([ran.code, failureOf(ran).code, failureOf(ran).hint]).toEqual([
    14,
    'journal_off',
    'unset DOCS_JOURNAL',
  ]);
  expect(await roleOf(id)).toBe('read');
});

test('scripts need --yes', async () => {
  await save('members', 'update', ...ids(1), '--role', 'comment');
  const ran = await home.run(['apply', 'plan.json', '--json']);
  expect([ran.code, failureOf(ran).code, forwarder.done]).toEqual([2, 'not_confirmed', []]);
});

test('an undo becomes a plan, whose job undoes the other', async () => {
  const [id = ''] = ids(1);
  await home.ok(['members', 'update', id, '--role', 'comment']);
  const [job] = await home.json<{ id: string }[]>(['jobs', 'list', '--limit', '1']);
  await save('undo', job?.id ?? '');
  await apply();
  expect(await roleOf(id)).toBe('read');
  const jobs = await home.json<{ id: string; state: string }[]>(['jobs', 'list']);
  expect(jobs.find((one) => one.id === job?.id)?.state).toBe('undone');
});

test('an offboarding becomes a plan with evidence, which applying completes', async () => {
  const [id = ''] = ids(1);
  const made = await save('members', 'offboard', id, '--evidence', 'audit');
  const report = () =>
    JSON.parse(readFileSync(made.evidence ?? '', 'utf8')) as { state: string; job?: string };
  expect(report().state).toBe('planned');
  await apply();
  expect([...forwarder.done].sort()).toEqual(sent(made).sort());
  expect(report()).toMatchObject({ state: 'complete', job: expect.any(String) });
  expect((await home.run(['members', 'get', id])).code).toBe(6);
});

test('a review becomes a plan', async () => {
  const [first = '', second = ''] = ids(2);
  writeFileSync(
    join(home.path, 'review.csv'),
    `id,role,decision\n${first},read,role=comment\n${second},read,remove\n`,
  );
  const made = await save('members', 'review', '--apply', 'review.csv');
  expect(made.command).toBe('members review');
  await apply();
  expect([...forwarder.done].sort()).toEqual(sent(made).sort());
  expect(await roleOf(first)).toBe('comment');
});

test('publishing a spec becomes a plan that does not wait', async () => {
  const text = JSON.stringify({ openapi: '3.0.0', info: { title: 'Pets', version: '1' }, paths: {} });
  writeFileSync(join(home.path, 'pets.json'), text);
  const made = await save('openapi', 'publish', 'pets', 'pets.json', '--create');
  expect(sent(made)).toEqual([`PUT /v1/orgs/${org}/openapi/pets`]);
  const ran = await home.run(['apply', 'plan.json', '--yes']);
  expect({ code: ran.code, done: forwarder.done }).toEqual({ code: 0, done: sent(made) });
  expect(ran.stderr).toContain('docs openapi wait pets waits until pets is processed.');
});

test('what a plan creates is told by its id', async () => {
  writeFileSync(join(home.path, 'teams.csv'), 'title\nFirst of plans\nSecond of plans\n');
  await save('bulk', 'teams', 'create', '--from', 'teams.csv');
  const items = await apply();
  expect(items.map(({ kind, key }) => [kind, key])).toEqual([
    ['teams', 'First of plans'],
    ['teams', 'Second of plans'],
  ]);
  const teams = await home.json<{ id: string; title: string }[]>(['teams', 'list', '--title', 'of plans']);
  expect(teams.map(({ id }) => id).sort()).toEqual(items.map(({ id }) => id).sort());
});

test('all reasons against a plan are told at once', async () => {
  await save('members', 'update', ...ids(1), '--role', 'comment');
  const file = join(home.path, 'plan.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"comment"', '"admin"'));
  await new Promise((later) => setTimeout(later, 50));
  const ran = await home.run(['apply', 'plan.json', '--yes', '--json', '--max-age', '1ms'], {
    env: { DOCS_ORG: 'another' },
  });
  const codes = ['plan_edited', 'plan_foreign', 'plan_expired'];
  expect(failureOf(ran).details).toEqual({ reasons: codes.map((code) => expect.objectContaining({ code })) });
});

test('a dry run shows the requests, and leaves the plan to be applied', async () => {
  const made = await save('members', 'update', ...ids(2), '--role', 'comment');
  const rows = await home.json<{ method: string; path: string }[]>(['apply', 'plan.json', '--dry-run']);
  expect(rows.map(({ method, path }) => `${method} ${path}`)).toEqual(sent(made));
  expect(forwarder.done).toEqual([]);
  expect(await apply()).toHaveLength(2);
});

test('two plans, each of which leaves an admin, do not leave none together', async () => {
  const [own = ''] = (await home.ok(['members', 'list', '--role', 'admin', '-o', 'id'])).trim().split('\n');
  const [other = ''] = ids(1);
  await home.ok(['members', 'update', other, '--role', 'admin', '--yes']);
  await save('members', 'update', own, '--role', 'read');
  expect(plan().risks.join()).toContain('may own the token in use');
  await home.ok(['members', 'update', other, '--role', 'read', '--yes']);
  forwarder.reset();
  const ran = await home.run(['apply', 'plan.json', '--yes', '--json']);
  expect([ran.code, failureOf(ran).code, forwarder.done]).toEqual([2, 'refused', []]);
  expect(failureOf(ran).message).toContain('is the last admin');
});

test('a change that would be refused cannot be planned', async () => {
  const admins = (await home.json<Member[]>(['members', 'list'])).filter(({ role }) => role === 'admin');
  const words = ['members', 'delete', ...admins.map(({ id }) => id), '--save-plan', 'none.json', '--json'];
  const ran = await home.run(words, { env: { DOCS_JOURNAL: 'off' } });
  expect([ran.code, failureOf(ran).code]).toEqual([2, 'refused']);
  expect(existsSync(join(home.path, 'none.json'))).toBe(false);
});

test('sign-in finds out whose token it is, and plans say so', async () => {
  const { DOCS_TOKEN = '', DOCS_BASE_URL = '', ...env } = home.env;
  const words = ['auth', 'login', '--base-url', DOCS_BASE_URL, '--with-token', '--profile', 'own'];
  const own = { env: { DOCS_TOKEN: '', DOCS_BASE_URL: '' } };
  const member = { id: expect.any(String), email: 'ada@acme.example' };
  const signedIn = await home.run([...words, '--json'], { stdin: DOCS_TOKEN, ...own });
  expect(JSON.parse(signedIn.stdout)).toMatchObject({ status: 'signed-in', member });
  const status = await home.run(['status', '--profile', 'own', '--json'], own);
  expect(JSON.parse(status.stdout)).toMatchObject({ works: true, member });
  const [id = ''] = ids(1);
  const update = [
    'members',
    'update',
    id,
    '--role',
    'comment',
    '--save-plan',
    'own.json',
    '--profile',
    'own',
  ];
  expect((await home.run(update, own)).code).toBe(0);
  expect(JSON.parse(readFileSync(join(home.path, 'own.json'), 'utf8'))).toMatchObject({ by: member });
  // A token of the environment may be anybody's.
  expect((await save('members', 'update', id, '--role', 'comment')).by).toBe('unknown');
  expect(JSON.stringify(env)).not.toContain(DOCS_TOKEN);
});

test('on a terminal the plan is shown; its count is typed where something cannot be undone', async () => {
  const [first = '', second = ''] = ids(2);
  await save('members', 'delete', first, second);
  const run = onTerminal(['apply', 'plan.json'], { env: home.env, cwd: home.path, columns: 100 });
  await run.shows('2 to delete');
  await run.shows('Apply 2 changes. Type 2 to go on:');
  run.type(`3${keys.enter}`);
  expect((await run.ended).code).toBe(2);
  expect(forwarder.done).toEqual([]);
  const again = onTerminal(['apply', 'plan.json'], { env: home.env, cwd: home.path, columns: 100 });
  await again.shows('Type 2 to go on:');
  again.type(`2${keys.enter}`);
  expect((await again.ended).code).toBe(0);
  expect(forwarder.done).toHaveLength(2);
});

test('a large body stands beside the plan', async () => {
  const paths = Object.fromEntries(
    Array.from({ length: 1000 }, (_, at) => [
      `/pets/${at}`,
      { get: { responses: { 200: { description: 'ok' } } } },
    ]),
  );
  const text = JSON.stringify({ openapi: '3.0.0', info: { title: 'Pets', version: '1' }, paths });
  writeFileSync(join(home.path, 'large.json'), text);
  await save('openapi', 'publish', 'large', 'large.json', '--create');
  expect(readFileSync(join(home.path, 'plan.json')).length).toBeLessThan(5000);
  await apply();
  expect(await home.ok(['openapi', 'wait', 'large'])).toContain('large');
});

test('a plan that shows the rename of a team and makes an admin is refused, shown and applied', async () => {
  const [id = ''] = ids(1);
  const { operations, ...head } = await save('members', 'update', id, '--role', 'comment');
  const [own] = operations;
  const body = { role: 'admin' };
  const forged = {
    ...head,
    operations: [
      {
        ...own,
        ...{ kind: 'teams', key: 'Support', fields: { title: { before: 'Support', after: 'Help' } } },
        request: { ...own?.request, body },
      },
    ],
  } as unknown as Plan;
  await writePlan(fakeIo({ cwd: home.path }), 'plan.json', { ...forged, hash: hashOfPlan(forged) });
  forwarder.reset();
  for (const words of [
    ['plan', 'show', 'plan.json'],
    ['apply', 'plan.json', '--yes'],
  ]) {
    const { code, stdout, stderr } = await home.run([...words, '--json']);
    expect([code, stdout]).toEqual([2, '']);
    const { error } = JSON.parse(stderr);
    expect(error).toMatchObject({
      code: 'plan_misdescribed',
      message: expect.stringContaining('o1 says kind teams'),
    });
  }
  expect(forwarder.done).toEqual([]);
  expect(await roleOf(id)).not.toBe('admin');
});
