import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { person } from '../policy/approval/world.js';
import { type Forwarder, startForwarder } from './forwarder.js';
import { type JobHome, jobHome } from './job-home.js';
import { onTerminal } from './terminal.js';

/** A policy with `rehearse: true`: a plan is approved once it passed on a copy. */

let home: JobHome;
let forwarder: Forwarder;
let id: string;
const ada = person('lovelace@acme.example');

const at = (name: string) => join(home.path, name);
const policy = (more: string) =>
  writeFileSync(
    at('policy.yaml'),
    `version: 1\ndefault: allow\nask: ["members update", "teams create", "teams delete"]\napprove:\n  by:\n    - { email: ${ada.email}, key: "${ada.key}" }\n${more}`,
    { mode: 0o600 },
  );

beforeAll(async () => {
  home = jobHome({});
  const server = await home.json<{ url: string; org: string; tokens: { admin: string } }>([
    'sandbox',
    'start',
  ]);
  forwarder = await startForwarder(server.url);
  await home.ok(['auth', 'login', '--base-url', forwarder.url, '--with-token'], {
    stdin: server.tokens.admin,
  });
  await home.ok(['orgs', 'use', server.org]);
  writeFileSync(at('ada.pem'), ada.pem, { mode: 0o600 });
  const members = await home.json<{ id: string; role: string }[]>(['members', 'list']);
  id = members.find(({ role }) => role === 'read')?.id ?? '';
});
afterAll(async () => {
  await forwarder.close();
  await home.ok(['sandbox', 'stop']);
  home.remove();
});
beforeEach(() => {
  policy('  rehearse: true\n');
  home.env.DOCS_POLICY = at('policy.yaml');
});

const save = (...words: string[]) => home.ok([...words, '--save-plan', 'plan.json', '--yes']);
const approve = () =>
  onTerminal(['approve', 'plan.json', '--key', 'ada.pem'], { env: home.env, cwd: home.path, columns: 200 });

test('the plan is rehearsed before the question, and its approval says so', async () => {
  await save('members', 'update', id, '--role', 'comment');
  forwarder.reset();
  const terminal = approve();
  await terminal.shows('Approve 1 change?');
  expect(terminal.screen.text()).toContain('role read → comment');
  terminal.type('y\r');
  expect((await terminal.ended).code).toBe(0);
  expect(forwarder.done.filter((one) => !one.startsWith('GET '))).toEqual([]);
  expect(JSON.parse(readFileSync(at('plan.json.approvals'), 'utf8'))).toMatchObject({ rehearsed: true });
  await home.ok(['apply', 'plan.json', '--yes']);
});

test('an approval without a rehearsal does not count', async () => {
  policy('');
  await save('members', 'update', id, '--role', 'edit');
  const terminal = approve();
  await terminal.shows('Approve 1 change?');
  terminal.type('y\r');
  expect((await terminal.ended).code).toBe(0);
  policy('  rehearse: true\n');
  const ran = await home.run(['apply', 'plan.json', '--yes', '--json']);
  expect([ran.code, ran.stdout]).toEqual([2, '']);
  expect(ran.stderr).toMatch(/"plan_unapproved"|"plan_policy_changed"/);
});

test('nothing is signed where the platform shows something else than the plan says, rehearsed or not', async () => {
  await save('members', 'update', id, '--role', 'edit');
  rmSync(at('plan.json.approvals'), { force: true });
  // Somebody changes the member meanwhile, so the plan is stale.
  await home.run(['members', 'update', id, '--role', 'create', '--yes'], { env: { DOCS_POLICY: '' } });
  const { code, screen } = await approve().ended;
  expect(code).toBe(2);
  expect(screen.replaceAll(/\s+/g, ' ')).toMatch(
    /does not show what the plan says: o1: role was "\w+" by the plan, and is "create"\. Nothing was signed/,
  );
  expect(existsSync(at('plan.json.approvals'))).toBe(false);
});

test('nothing is signed where the rehearsal fails', async () => {
  // The platform has no such member, which no read of the plan can show.
  writeFileSync(at('body.json'), JSON.stringify({ title: 'Ghosts', members: ['no-such-member'] }));
  await save('api', 'PUT', '/v1/orgs/{org}/teams', '--input', 'body.json');
  rmSync(at('plan.json.approvals'), { force: true });
  const { code, screen } = await approve().ended;
  expect(code).toBe(2);
  expect(screen).toMatch(/did not pass its rehearsal.*nothing was signed/s);
  expect(existsSync(at('plan.json.approvals'))).toBe(false);
});
