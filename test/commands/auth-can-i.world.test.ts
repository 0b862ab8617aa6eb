import { expect, it } from 'vitest';
import { roles } from '../../src/api/shapes.js';
import { opened } from '../opened.js';
import { openGateWorld } from '../policy/gate-world.js';
import { seedId } from '../sandbox/client.js';

/** What a token and the policies in force allow, as the platform then has it. */

const world = opened(openGateWorld);
const org = seedId('org acme');
const rows = (stdout: string) => JSON.parse(stdout) as { command: string; needs: string; byRole: string }[];
const ask = (words: string, policy?: string) =>
  world.run(['auth', 'can-i', ...words.split(' ').filter((word) => word !== ''), '--org', org], policy);

it('has a row for each command, with the role that merging and publishing need', async () => {
  const { code, stdout, writes } = await ask('');
  expect({ code, writes }).toEqual({ code: 0, writes: [] });
  const found = rows(stdout);
  const commands = rows((await world.run(['commands'])).stdout) as unknown as { path: string }[];
  expect(found.map(({ command }) => command)).toEqual(commands.map(({ path }) => path));
  const needs = Object.fromEntries(found.map(({ command, needs }) => [command, needs]));
  expect(needs).toMatchObject({ 'change-requests merge': 'review', 'orgs update': 'admin', api: null });
  expect(found.filter(({ byRole }) => byRole === 'no')).toEqual([]);
});

it.each([...roles, 'guest'])('answers for the role %s without a request', async (role) => {
  const { stdout, sent } = await ask(`--role ${role}`);
  expect(sent).toEqual([]);
  const found = Object.fromEntries(rows(stdout).map((row) => [row.command, row.byRole]));
  expect(found['orgs update']).toBe(role === 'admin' ? 'yes' : 'no');
  expect(found['teams list']).toBe(role === 'guest' ? 'no' : 'yes');
  expect(found['config list']).toBe('yes');
  // A space may give more than the organization.
  expect(['yes', 'unknown']).toContain(found['change-requests merge']);
});

const policy = 'allow: [read, "teams *"]\nask: ["teams delete"]\ndeny: ["teams update title=X"]\n';

it.each([
  ['teams create', policy, 0, undefined],
  ['teams ls', policy, 0, undefined],
  ['spaces delete', policy, 5, 'policy_would_deny'],
  ['teams delete', policy, 17, 'policy_would_ask'],
  ['teams delete --role read', 'default: allow\n', 5, 'role_too_low'],
  ['spaces delete --role read', 'default: allow\n', 3, 'role_unknown'],
  ['teams', policy, 0, undefined],
  ['teams nothing', policy, 2, 'unknown_command'],
])('docs auth can-i %s exits as the verdict says', async (words, lines, code, error) => {
  const found = await ask(words, lines);
  expect({ code: found.code, error: found.error?.code, writes: found.writes }).toEqual({
    code,
    error,
    writes: [],
  });
});

it('names the rule and its line, and what depends on the input', async () => {
  const denied = await ask('spaces delete', policy);
  expect(denied.error?.details).toMatchObject({ rule: 'default: deny', line: 1, policy: 'deny' });
  expect(JSON.parse((await ask('teams update', policy)).stdout)).toMatchObject([
    { unless: ['deny: teams update title=X'], policy: 'allow', byRole: 'yes' },
  ]);
});

it('answers for the policies without a platform', async () => {
  const env = { DOCS_BASE_URL: 'http://127.0.0.1:9', DOCS_TOKEN: 't' };
  const found = await world.run(['auth', 'can-i', 'teams'], policy, { env });
  expect(rows(found.stdout)[0]).toMatchObject({ byRole: 'unknown', policy: 'allow' });
});
