import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { getMember } from '../../src/api/resources/members.js';
import { getSpace, updateSpace } from '../../src/api/resources/spaces.js';
import { commandTree } from '../../src/cli/declare/outline.js';
import { gatedCommand } from '../../src/cli/run/policy-gate.js';
import { groups } from '../../src/commands/index.js';
import { opened } from '../opened.js';
import { seedId } from '../sandbox/client.js';
import { firstOfEach } from '../some-of.js';
import { files, lineOf } from './gate-lines.js';
import { openGateWorld } from './gate-world.js';

/** Jobs under policies: as a whole before their first request, whatever they were typed with. */

const world = opened(openGateWorld);

beforeEach(() => world.reset());

const org = seedId('org acme');

const person = (name: string) => seedId(`user ${name}`);

const [bruno, emil, farah] = [person('bruno'), person('emil'), person('farah')];

const welcome = seedId('space welcome');

const inOrg = { env: { DOCS_ORG: org } };

const denied = { code: 5, error: { code: 'policy_denied' }, writes: [] };

const update = (...words: string[]) => ['members', 'update', ...words, '--org', org, '--yes'];

async function roleOf(userId: string): Promise<unknown> {
  return (await world.sandbox.admin.ok(getMember, { path: { organizationId: org, userId } })).role;
}

async function titleOf(spaceId: string): Promise<string> {
  return (await world.sandbox.admin.ok(getSpace, { path: { spaceId } })).title;
}

/** A job of two changes of members, of which the second was refused. @returns its name */
async function halfDone(): Promise<string> {
  world.control.faults.add({ match: `PATCH /v1/orgs/${org}/members/${emil}`, status: 400 });
  await world.run(update(bruno, emil, '--role', 'read'));
  world.control.faults.clear();
  const { stdout } = await world.run(['jobs', 'list']);
  expect([await roleOf(bruno), await roleOf(emil)]).toEqual(['read', 'comment']);
  return (JSON.parse(stdout) as { id: string }[])[0]?.id ?? '';
}

describe('what will be sent counts, not how it was typed', () => {
  const policy = 'default: allow\ndeny: ["members update role=admin"]\n';
  const rows = () => world.write('rows.csv', `user,role\n${bruno},admin\n`);
  const ways: [string, () => Promise<unknown>][] = [
    ['flags', () => world.run(update(bruno, '--role', 'admin'), policy)],
    ['a body', () => world.run(update(bruno, '--input', '-'), policy, { stdin: '{"role":"admin"}' })],
    ['rows', () => world.run(['bulk', 'members', 'update', '--from', rows(), '--yes'], policy, inOrg)],
    [
      'values of all rows',
      () => {
        const from = world.write('rows.csv', `user\n${bruno}\n`);
        const words = ['bulk', 'members', 'update', '--from', from, '--set', 'role=admin', '--yes'];
        return world.run(words, policy, inOrg);
      },
    ],
    [
      'a raw body',
      () =>
        world.run(['api', 'PATCH', `/v1/orgs/${org}/members/${bruno}`, '-f', 'role=admin', '--yes'], policy),
    ],
    [
      'a raw body by an encoded path',
      () => {
        const path = `/v1/orgs/${org}/memb%65rs/${bruno}`;
        return world.run(['api', 'PATCH', path, '-f', 'role=admin', '--yes'], policy);
      },
    ],
    [
      'a plan',
      async () => {
        await world.run([...update(bruno, '--role', 'admin'), '--save-plan', 'plan.json']);
        return world.run(['apply', 'plan.json', '--yes'], policy);
      },
    ],
  ];

  it.each(ways)('denied by %s', async (_, run) => {
    expect(await run()).toMatchObject(denied);
    expect(await roleOf(bruno)).toBe('create');
  });

  it('another value is allowed', async () => {
    expect(await world.run(update(bruno, '--role', 'edit'), policy)).toMatchObject({ code: 0 });
    expect(await roleOf(bruno)).toBe('edit');
  });
});

describe('a job is held back as a whole', () => {
  it('where one row of many is denied', async () => {
    const from = world.write('rows.csv', `user,role\n${bruno},read\n${emil},read\n${farah},admin\n`);
    const found = await world.run(
      ['bulk', 'members', 'update', '--from', from, '--yes'],
      'default: allow\ndeny: ["members update role=admin"]\n',
      inOrg,
    );
    expect(found).toMatchObject(denied);
    expect(found.error?.message).toContain(`PATCH /v1/orgs/${org}/members/${farah}`);
    expect(await roleOf(bruno)).toBe('create');
    expect(JSON.parse((await world.run(['jobs', 'list'])).stdout)).toEqual([]);
  });

  it('where the budget does not suffice for all of it', async () => {
    const policy = 'default: allow\nbudget: { writes: 1/day }\n';
    expect(await world.run(update(bruno, emil, '--role', 'read'), policy)).toMatchObject(denied);
    expect(await world.run(update(bruno, '--role', 'read'), policy)).toMatchObject({ code: 0 });
    expect(await world.run(update(emil, '--role', 'read'), policy)).toMatchObject(denied);
  });

  it('gives back what was reserved and not sent', async () => {
    const policy = 'default: allow\nbudget: { writes: 1/day }\n';
    const words = update(bruno, '--role', 'read');
    world.control.faults.add({ match: `GET /v1/orgs/${org}/members/*`, reset: 'before' });
    expect(await world.run([...words, '--no-retry'], policy)).toMatchObject({ writes: [] });
    world.control.faults.clear();
    expect(await world.run(words, policy)).toMatchObject({ code: 0 });
  });
});

describe('resuming', () => {
  const policies = {
    'its requests are denied': 'default: allow\ndeny: ["members update"]\n',
    'nothing allows them': 'allow: [read, "jobs resume"]\n',
    'they ask for an approval': 'default: allow\nask: ["members *"]\n',
    'the budget is spent': 'default: allow\nbudget: { writes: 0/run }\n',
    'the organization is another': 'default: allow\norgs: [other]\n',
  };

  it.each(Object.entries(policies))('sends nothing where by now %s', async (_, policy) => {
    const job = await halfDone();
    expect(await world.run(['jobs', 'resume', job], policy)).toMatchObject(denied);
    expect(await roleOf(emil)).toBe('comment');
  });

  it('counts what is left alone', async () => {
    const job = await halfDone();
    const policy = 'default: allow\nbudget: { writes: 1/day }\n';
    expect(await world.run(['jobs', 'resume', job], policy)).toMatchObject({ code: 0 });
    expect(await roleOf(emil)).toBe('read');
    expect(await world.run(update(farah, '--role', 'edit'), policy)).toMatchObject(denied);
  });
});

describe('undo', () => {
  const ways = {
    'requests are denied': 'default: allow\ndeny: ["members update"]\n',
    'nothing allows them': 'allow: [read, undo]\n',
    'the budget is spent': 'default: allow\nbudget: { writes: 0/day }\n',
    'the command is': 'default: allow\ndeny: [undo]\n',
  };

  it.each(Object.entries(ways))('sends nothing where its %s', async (_, policy) => {
    await world.run(update(bruno, '--role', 'read'));
    expect(await world.run(['undo', 'last', '--yes'], policy)).toMatchObject(denied);
    expect(await roleOf(bruno)).toBe('read');
  });

  it('counts as the changes that it makes', async () => {
    const policy = 'default: allow\nbudget: { writes: 2/day }\n';
    expect(await world.run(update(bruno, '--role', 'read'), policy)).toMatchObject({ code: 0 });
    expect(await world.run(['undo', 'last', '--yes'], policy)).toMatchObject({ code: 0 });
    expect(await world.run(update(bruno, '--role', 'read'), policy)).toMatchObject(denied);
  });
});

describe('plans', () => {
  const readOnly = 'allow: [read]\n';

  it('a plan and a rehearsal of a denied change are reads', async () => {
    const words = ['spaces', 'delete', welcome, '--yes'];
    const policy = 'allow: [read]\ndeny: ["spaces delete"]\n';
    expect(await world.run([...words, '--dry-run'], policy)).toMatchObject({ code: 0, writes: [] });
    expect(await world.run([...words, '--save-plan', 'plan.json'], policy)).toMatchObject({
      code: 0,
      writes: [],
    });
    expect(JSON.parse(readFileSync(`${world.home}/plan.json`, 'utf8'))).toMatchObject({
      command: 'spaces delete',
    });
    expect(await world.run(['apply', 'plan.json', '--yes'], policy)).toMatchObject(denied);
    expect(await world.run(['apply', 'plan.json', '--dry-run'], policy)).toMatchObject({
      code: 0,
      writes: [],
    });
    expect(await titleOf(welcome)).toBe('Welcome');
  });

  it('the workflow that made a plan needs its own name allowed when it is applied', async () => {
    const words = ['members', 'offboard', emil, '--org', org, '--save-plan', 'plan.json'];
    expect(await world.run(words, readOnly)).toMatchObject({ code: 0, writes: [] });
    const requests = 'allow: [read, "teams *", "teams members *", "members delete"]\n';
    const found = await world.run(['apply', 'plan.json', '--yes'], requests);
    expect(found).toMatchObject(denied);
    expect(found.error?.message).toContain('docs members offboard');
  });

  it('a hint to make one can be run as it is printed', async () => {
    const policy = 'default: allow\nask: ["* danger=confirm"]\n';
    const { error } = await world.run(['spaces', 'delete', welcome, '--yes'], policy);
    expect(error).toMatchObject({ details: { verdict: 'ask', line: 3, rule: '* danger=confirm' } });
    const words = error?.hint?.split(' ').slice(1) ?? [];
    expect(await world.run(words, policy)).toMatchObject({ code: 0, writes: [] });
  });
});

describe('the organization and what is protected', () => {
  it('is found by a read where the path does not show it', async () => {
    const own = `default: allow\norgs: [${org}]\n`;
    const other = `default: allow\norgs: [${seedId('org labs')}]\n`;
    const words = ['spaces', 'update', welcome, '--title', 'Hello'];
    const found = await world.run(words, other);
    expect(found).toMatchObject(denied);
    expect(found.error?.details).toMatchObject({ rule: 'orgs', line: 3 });
    expect(found.sent).toEqual([`GET /v1/spaces/${welcome}`]);
    expect(await world.run(['spaces', 'get', welcome], other)).toMatchObject({ code: 5, stdout: '' });
    expect(await world.run(words, own)).toMatchObject({ code: 0 });
    expect(await titleOf(welcome)).toBe('Hello');
  });

  it('is denied where it cannot be told', async () => {
    const policy = `default: allow\norgs: [${org}]\n`;
    const words = ['spaces', 'update', 'no-such-space', '--title', 'Hello'];
    expect(await world.run(words, policy)).toMatchObject(denied);
    world.control.faults.add({ match: 'GET /v1/spaces/*', status: 403 });
    expect(await world.run(['spaces', 'update', welcome, '--title', 'Hello'], policy)).toMatchObject(denied);
  });

  it('is not read where the policy does not allow to read', async () => {
    const policy = `allow: ["spaces update"]\norgs: [${org}]\n`;
    const words = ['spaces', 'update', welcome, '--title', 'Hello'];
    expect(await world.run(words, policy)).toMatchObject({ code: 5, sent: [] });
  });

  it.each(['Welcome', 'welcome', welcome])('space:%s is protected by its title and its id', async (name) => {
    const policy = `default: allow\nprotect: ["space:${name}"]\n`;
    for (const words of [
      ['spaces', 'update', welcome, '--title', 'Hello'],
      ['spaces', 'delete', welcome, '--yes'],
      ['api', 'PATCH', `/v1/spaces/${welcome}`, '-f', 'title=Hello', '--yes'],
    ])
      expect(await world.run(words, policy)).toMatchObject(denied);
    expect(await world.run(['spaces', 'get', welcome], policy)).toMatchObject({ code: 0 });
    expect(await titleOf(welcome)).toBe('Welcome');
  });

  it('the title of now counts', async () => {
    const policy = 'default: allow\nprotect: ["space:Welcome"]\n';
    await world.sandbox.admin.ok(updateSpace, { path: { spaceId: welcome }, body: { title: 'Other' } });
    const words = ['spaces', 'update', welcome, '--title', 'Third'];
    expect(await world.run(words, policy)).toMatchObject({ code: 0 });
  });
});

describe('a denial', () => {
  it('is in the audit chain', async () => {
    await world.run(['spaces', 'delete', welcome, '--yes'], 'allow: [read]\n');
    const path = `/v1/spaces/${welcome}`;
    await world.run(['api', 'DELETE', path, '--yes'], 'allow: [read]\n');
    const chain = readFileSync(`${world.home}/.local/state/docs/audit.jsonl`, 'utf8');
    const denials = chain
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ event }) => event === 'denied');
    expect(denials).toMatchObject([
      { command: 'spaces delete', cause: { rule: 'default: deny' }, actor: { kind: 'person' } },
      { command: 'api', request: `DELETE ${path}`, cause: { rule: 'default: deny' } },
    ]);
  });
});

/** The approval goes beside the plan that is named; a ping is journalled as every request that is not a GET. */
const others = ['plan approve', 'orgs ping'];

/** Flags with which a command does not only read. */
const changing = ['--install', '--yes'];

/** Caches, and the database of the sandbox: whatever uses it first fills it. */
const filled = /^\.cache\/|^\.local\/share\/docs\/sandbox\.db/;

const reading = firstOfEach(await commandTree(groups), ({ path, command: { spec, operations } }) =>
  // Those over operations differ in what they print alone.
  spec === undefined ? path : [operations[0]?.method, operations[0]?.returns.kind].join(),
).filter(
  ({ path, command }) =>
    !others.includes(path) &&
    !path.startsWith('mcp') &&
    gatedCommand(path, command, { globals: {}, input: { args: {}, options: {} } }).effect === 'read',
);

it('does not run a script where reading alone is allowed, not even in a rehearsal', async () => {
  world.write('run.sh', 'touch ran\n');
  const denied = await world.run(['rehearse', '--script', 'run.sh', '--org', 'o1'], 'allow: [read]\n');
  expect(denied).toMatchObject({ code: 5, error: { code: 'policy_denied' }, sent: [] });
  const sandboxed = await world.run(['rehearse', '--sandbox', '--script', 'run.sh'], 'allow: [read]\n');
  expect(sandboxed).toMatchObject({ code: 5, error: { code: 'policy_denied' }, sent: [] });
  expect(readdirSync(world.home)).not.toContain('ran');
});

/** Every file below the home, with its bytes. */
function state(): Map<string, string> {
  const names = readdirSync(world.home, { recursive: true }).map(String);
  const whole = names.filter((name) => !filled.test(name) && statSync(join(world.home, name)).isFile());
  return new Map(whole.sort().map((name) => [name, readFileSync(join(world.home, name), 'latin1')]));
}

describe('a command that is declared to read', () => {
  it.each(reading)('leaves no file behind: docs $path', async ({ path, command }) => {
    rmSync(world.home, { recursive: true, force: true });
    mkdirSync(world.home);
    for (const [name, text] of Object.entries(files)) world.write(name, text);
    world.write('.config/docs/config.json', '{"version":1}');
    const before = state();
    const words = lineOf(path, command) ?? [];
    await world.run(path === 'completion' ? words.filter((word) => !changing.includes(word)) : words);
    expect(state()).toEqual(before);
  });
});
