import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Plan } from '../../src/plans/plan.js';
import { forwardedHome } from './forwarded-home.js';
import { failure } from './job-home.js';
import { keys } from './terminal.js';
import { onTerminalHere } from './terminal-here.js';

/** Plans from the command that makes them to the job that applies them. */

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
/** All of them may read. */
let people: Member[];
const { home, sandbox, forwarder } = await forwardedHome({
  async prepare({ home: made }) {
    people = (await made.json<Member[]>(['members', 'list'])).filter(({ role }) => role !== 'admin');
    await made.ok(['members', 'update', ...people.map(({ id }) => id), '--role', 'read', '--yes']);
  },
});

const plan = () => JSON.parse(readFileSync(path('plan.json'), 'utf8')) as Plan;
const path = (name: string) => join(home.path, name);
/** Runs words that must fail with nothing sent. */
async function refused(words: readonly string[], env: Record<string, string> = {}) {
  const sent = forwarder.done.length;
  const { code: exit, stderr } = await home.run([...words, '--json'], { env });
  expect(forwarder.done).toHaveLength(sent);
  return { exit, ...failure(stderr) };
}
const applying = ['apply', 'plan.json', '--yes'];
const newestJob = async () => {
  const [job] = await home.json<{ id: string; command: string; plan: string }[]>(['jobs', 'list']);
  return job ?? { id: '', command: '', plan: '' };
};
const roleOf = async (id: string) => (await home.json<Member>(['members', 'get', id])).role;
const emailOf = (id: string) => people.find((one) => one.id === id)?.user.email ?? id;
const ids = (count: number) => people.slice(0, count).map(({ id }) => id);

/** Makes a plan, which must send nothing but reads. */
async function save(...words: string[]): Promise<Plan> {
  forwarder.reset();
  let changes = 0;
  forwarder.onChange = () => {
    changes += 1;
    return 'lost before';
  };
  const ran = await home.run([...words, '--save-plan', 'plan.json', '--yes', '--json']);
  expect({ code: ran.code, stderr: ran.code === 0 ? '' : ran.stderr }).toEqual({ code: 0, stderr: '' });
  expect(changes).toBe(0);
  forwarder.reset();
  return plan();
}

const apply = () => home.json<Item[]>(applying);

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
  const chain = ['audit', 'list', '--event', 'job-begun', '--limit', '1'];
  const [begun] = await home.json<{ requests: unknown }[]>(chain);
  expect(begun?.requests).toEqual([{ method, path, body }]);
  const job = await newestJob();
  expect(job).toMatchObject({ command: 'members update', plan: made.id });
  await home.ok(['undo', job.id]);
  expect(await roleOf(id)).toBe('read');
});

test('many ids send what the plan holds, and no more', async () => {
  const made = await save('members', 'update', ...ids(3), '--role', 'comment');
  const items = await apply();
  expect(items.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok']);
  expect([...forwarder.done].sort()).toEqual(sent(made).sort());
});

// Each of them: test/plans.
test('a plan against which there are several reasons is refused before the first request, with each', async () => {
  await save('members', 'update', ...ids(1), '--role', 'comment');
  writeFileSync(path('plan.json'), readFileSync(path('plan.json'), 'utf8').replace('"comment"', '"admin"'));
  const codes = ['plan_edited', 'plan_foreign', 'plan_expired'];
  expect(await refused([...applying, '--max-age', '1ms'], { DOCS_ORG: 'another' })).toMatchObject({
    ...{ exit: 2, code: 'plan_edited', details: { reasons: codes.map((code) => ({ code })) } },
  });
});

test('of three changes one is stale: the others are made', async () => {
  const [first = '', second = '', third = ''] = ids(3);
  await save('members', 'update', first, second, third, '--role', 'comment');
  await home.ok(['members', 'update', second, '--role', 'edit']);
  const ran = await home.run([...applying, '--json', '--replan', 'rest.json']);
  expect([ran.code, failure(ran.stderr).code]).toEqual([3, 'partial']);
  const items = JSON.parse(ran.stdout) as Item[];
  expect(items.map(({ id, status, error }) => [id, status, error?.code])).toEqual([
    [first, 'ok', undefined],
    [second, 'failed', 'stale'],
    [third, 'ok', undefined],
  ]);
  expect(items[1]?.error?.message).toContain('role was read and is edit');
  expect(await roleOf(second)).toBe('edit');
  const rest = JSON.parse(readFileSync(path('rest.json'), 'utf8')) as Plan;
  expect(rest.operations.map(({ key }) => key)).toEqual([emailOf(second)]);
  await home.ok(['apply', 'rest.json', '--yes']);
  expect(await roleOf(second)).toBe('comment');
});

test('where all is stale, nothing is applied: exit 7', async () => {
  const [id = ''] = ids(1);
  await save('members', 'update', id, '--role', 'comment');
  await home.ok(['members', 'update', id, '--role', 'edit']);
  const message = expect.stringMatching(/The plan is used up.*--replan <file>/s);
  expect(await refused(applying)).toMatchObject({ exit: 7, code: 'stale', message });
  expect(await roleOf(id)).toBe('edit');
});

test('where one is stale and another is refused, the job tells what came of each', async () => {
  const [first = '', second = ''] = ids(2);
  await save('members', 'update', first, second, '--role', 'comment');
  await home.ok(['members', 'update', first, '--role', 'edit']);
  await home.ok(['sandbox', 'fault', '--match', `PATCH /v1/orgs/*/members/${second}`, '--status', '403']);
  const { code, stderr } = await home.run([...applying, '--json']);
  await home.ok(['sandbox', 'fault', '--clear']);
  const { id } = await newestJob();
  expect({ code, hint: failure(stderr).hint }).toEqual({ code: 3, hint: `docs jobs show ${id}` });
});

test('a plan without a request asks nothing, and can be applied again', async () => {
  writeFileSync(path('review.csv'), `id,role,decision\n${ids(1)[0]},read,keep\n`);
  expect((await save('members', 'review', '--apply', 'review.csv')).operations).toEqual([]);
  for (const words of [['apply', 'plan.json'], applying])
    expect(await home.run(words)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('The plan changes nothing on the platform; nothing was sent.'),
    });
});

test('without a journal plans are made, and none is applied', async () => {
  const env = { DOCS_JOURNAL: 'off' };
  const [id = ''] = ids(1);
  const words = ['members', 'update', id, '--role', 'comment', '--save-plan', 'plan.json', '--yes'];
  expect((await home.run(words, { env })).code).toBe(0);
  const hint = 'unset DOCS_JOURNAL';
  expect(await refused(applying, env)).toMatchObject({ exit: 14, code: 'journal_off', hint });
  expect(await roleOf(id)).toBe('read');
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
  writeFileSync(path('review.csv'), `id,role,decision\n${first},read,role=comment\n${second},read,remove\n`);
  const made = await save('members', 'review', '--apply', 'review.csv');
  expect(made.command).toBe('members review');
  await apply();
  expect([...forwarder.done].sort()).toEqual(sent(made).sort());
  expect(await roleOf(first)).toBe('comment');
});

test('publishing a spec becomes a plan that does not wait', async () => {
  const text = JSON.stringify({ openapi: '3.0.0', info: { title: 'Pets', version: '1' }, paths: {} });
  writeFileSync(path('pets.json'), text);
  const made = await save('openapi', 'publish', 'pets', 'pets.json', '--create');
  expect(sent(made)).toEqual([`PUT /v1/orgs/${sandbox.org}/openapi/pets`]);
  const ran = await home.run(['apply', 'plan.json', '--yes']);
  expect({ code: ran.code, done: forwarder.done }).toEqual({ code: 0, done: sent(made) });
  expect(ran.stderr).toContain('docs openapi wait pets waits until pets is processed.');
});

test('what a plan creates is told by its id', async () => {
  writeFileSync(path('teams.csv'), 'title\nFirst of plans\nSecond of plans\n');
  const { command } = await save('bulk', 'teams', 'create', '--from', 'teams.csv');
  expect(command).toBe('teams create');
  const items = await apply();
  expect(items.map(({ kind, key }) => [kind, key])).toEqual([
    ['teams', 'First of plans'],
    ['teams', 'Second of plans'],
  ]);
  const teams = await home.json<{ id: string; title: string }[]>(['teams', 'list', '--title', 'of plans']);
  expect(teams.map(({ id }) => id).sort()).toEqual(items.map(({ id }) => id).sort());
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
  const message = expect.stringContaining('is the last admin');
  expect(await refused(applying)).toMatchObject({ exit: 2, code: 'refused', message });
});

test('a change that would be refused cannot be planned', async () => {
  const admins = (await home.json<Member[]>(['members', 'list'])).filter(({ role }) => role === 'admin');
  const words = ['members', 'delete', ...admins.map(({ id }) => id), '--save-plan', 'none.json'];
  expect(await refused(words, { DOCS_JOURNAL: 'off' })).toMatchObject({ exit: 2, code: 'refused' });
  expect(existsSync(path('none.json'))).toBe(false);
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
  const update = ['members', 'update', id, '--role', 'comment', '--save-plan', 'own.json'];
  expect((await home.run([...update, '--profile', 'own'], own)).code).toBe(0);
  expect(JSON.parse(readFileSync(path('own.json'), 'utf8'))).toMatchObject({ by: member });
  // A token of the environment may be anybody's.
  expect((await save('members', 'update', id, '--role', 'comment')).by).toBe('unknown');
  expect(JSON.stringify(env)).not.toContain(DOCS_TOKEN);
});

test('on a terminal the plan is shown; its count is typed where something cannot be undone', async () => {
  const [first = '', second = ''] = ids(2);
  await save('members', 'delete', first, second);
  const run = onTerminalHere(['apply', 'plan.json'], { env: home.env, cwd: home.path, columns: 100 });
  await run.shows('2 to delete');
  await run.shows('Apply 2 changes. Type 2 to go on:');
  run.type(`3${keys.enter}`);
  expect((await run.ended).code).toBe(2);
  expect(forwarder.done).toEqual([]);
  const again = onTerminalHere(['apply', 'plan.json'], { env: home.env, cwd: home.path, columns: 100 });
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
  writeFileSync(path('large.json'), text);
  await save('openapi', 'publish', 'large', 'large.json', '--create');
  expect(readFileSync(path('plan.json')).length).toBeLessThan(5000);
  await apply();
  expect(forwarder.bodies.map((body) => JSON.parse(body))).toEqual([{ source: { text } }]);
});
