import { describe, expect, it } from 'vitest';
import type { AnyOperation } from '../../src/api/operation.js';
import { operations } from '../../src/api/resources/index.js';
import { updateTeamMembers } from '../../src/api/resources/members.js';
import { getSpace } from '../../src/api/resources/spaces.js';
import { roles } from '../../src/api/shapes.js';
import { commandTable } from '../../src/cli/run/policy-gate.js';
import { groups } from '../../src/commands/index.js';
import { opened } from '../opened.js';
import { openGateWorld } from '../policy/gate-world.js';
import { seedId } from '../sandbox/client.js';
import { inputOf, placeOf } from '../sandbox/handlers/places.js';
import { openPlatform } from '../sandbox/in-process.js';

/** What a token and the policies in force allow, as the platform then has it. */

const world = opened(openGateWorld);
const org = seedId('org acme');
interface Row {
  command: string;
  needs: string;
  byRole: string;
  unless: string[];
}
const rows = (stdout: string) => JSON.parse(stdout) as Row[];
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
  expect(found['teams list']).toBe('yes');
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

const away = { env: { DOCS_BASE_URL: 'http://127.0.0.1:9', DOCS_TOKEN: 't', DOCS_MAX_RETRIES: '0' } };

it('answers for the policies without a platform, says why the role is unknown, and exits as the cause', async () => {
  const found = await world.run(['auth', 'can-i', 'teams'], policy, away);
  expect(rows(found.stdout)[0]).toMatchObject({ byRole: 'unknown', policy: 'allow' });
  expect({ code: found.code, error: found.error?.code }).toEqual({ code: 11, error: 'connection_refused' });
  expect(found.error?.message).toMatch(/^the role of this token is unknown: .*127\.0\.0\.1:9/);
  const one = await world.run(['auth', 'can-i', 'teams', 'create'], policy, away);
  expect(one).toMatchObject({
    code: 11,
    error: { code: 'connection_refused', details: { byRole: 'unknown' } },
  });
  const noToken = await world.run(['auth', 'can-i', 'teams', 'create'], policy, { env: { DOCS_TOKEN: '' } });
  expect(noToken).toMatchObject({ code: 4, error: { details: { byRole: 'unknown', policy: 'allow' } } });
});

it('lets a denial of a policy stand, whatever the role', async () => {
  const found = await world.run(['auth', 'can-i', 'spaces', 'delete'], policy, away);
  expect(found).toMatchObject({ code: 5, error: { code: 'policy_would_deny' } });
});

it('names the command that makes a plan where an approval is required', async () => {
  expect((await ask('teams delete', policy)).error?.hint).toContain(
    'docs teams delete <team> --save-plan plan.json',
  );
});

it('names the fields that decide with a place of other rights', async () => {
  const unless = async (words: string) => rows((await ask(words)).stdout)[0]?.unless;
  expect(await unless('collections create --role create')).toEqual(['rights in its parent']);
  expect(await unless('collections create --role admin')).toEqual([]);
  expect(await unless('spaces transfer --role admin')).toEqual(['rights in its organization']);
});

/** By operation, the answer for a role on the command that is made of it. */
async function answersFor(role: string): Promise<(id: string) => Row | undefined> {
  const found = new Map(rows((await ask(`--role ${role}`)).stdout).map((row) => [row.command, row]));
  const { operations: made } = await commandTable(groups);
  return (id) => found.get(made.get(id)?.words ?? '');
}

describe('the answer and the platform', () => {
  const every = [...roles, 'guest'] as const;
  /** Only its author, and admins, may delete a comment; in spaces the role alone does not decide. */
  const isOpen = ({ path, id }: AnyOperation) =>
    path.includes('{spaceId}') || path.includes('{collectionId}') || id.startsWith('team-members.');

  it.each(every)('agree on every operation for the role %s', async (role) => {
    const answer = await answersFor(role);
    for (const op of operations) {
      const row = answer(op.id);
      if (row === undefined) continue; // It has no command of its own.
      const { byRole: said, unless } = row;
      const platform = await openPlatform();
      const path = await placeOf(op, platform.admin);
      const status = await platform.as(role).status(op, inputOf(op, path));
      const label = `${role} ${op.id}: ${said}, ${status}`;
      if (said === 'yes' && !unless.some((one) => one.startsWith('rights in')))
        expect([401, 403, 404], label).not.toContain(status);
      if (said === 'no') expect([403, 404], label).toContain(status);
      if (said === 'unknown') expect(role !== 'admin' && isOpen(op), label).toBe(true);
    }
  });

  it('shows why: in a space, a role may do less, and an owner of a team more', async () => {
    const platform = await openPlatform();
    const board = { path: { spaceId: seedId('space board') } };
    expect(await platform.as('create').status(getSpace, board)).toBe(404);
    const path = { organizationId: org, teamId: seedId('team writers') };
    expect(await platform.as('review').status(updateTeamMembers, { path, body: {} })).not.toBe(403);
  });
});
