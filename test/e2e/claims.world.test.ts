import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { formsOf } from '../faults/invariants.js';
import { seedId } from '../sandbox/client.js';
import { sandboxHome } from './sandbox-home.js';

/** What the guide and help claim, where they were wrong before: each claim is named by its words. */

const { home, sandbox, changes, reset } = await sandboxHome();
beforeEach(reset);

const run = (line: string, env: Record<string, string> = {}) => home.run(line.split(' '), { env });
const codes = async (line: string) => (await run(`${line} --quiet`)).code;
const { faults } = sandbox.control;
const writers = seedId('team writers');
const member = (name: string) => `${name}@acme.example`;

const state = join(home.path, '.local', 'state', 'docs');
const journals = () => {
  const folder = join(state, 'jobs');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [];
  return names.sort().map((name) => join(folder, name));
};
const lastJournal = () => journals().at(-1) ?? '';
const idOfJob = (path: string) => /(\d{8}-\d{6}-\w{6})/.exec(path)?.[1] ?? '';

describe('"contain no token": a change whose body has it is refused before anything keeps or shows it', () => {
  const token = sandbox.tokens.admin;
  const title = ['--title', `a ${token}`];
  writeFileSync(join(home.path, 'teams.csv'), `title\nPress\n${token}\n`);

  it.each([
    ['a dry run', ['teams', 'create', ...title, '--dry-run']],
    ['a saved plan', ['teams', 'create', ...title, '--save-plan', 'plan.json']],
    ['a change', ['teams', 'create', ...title]],
    ['a bulk change', ['bulk', 'teams', 'create', '--from', 'teams.csv']],
    ['its dry run', ['bulk', 'teams', 'create', '--from', 'teams.csv', '--dry-run']],
  ])('%s', async (_, args) => {
    const before = journals().length;
    const { code, stdout, stderr } = await home.run([...args, '--json']);
    expect({ code, stdout, error: JSON.parse(stderr).error.code }).toEqual({
      code: 2,
      stdout: '',
      error: 'token_in_body',
    });
    expect(formsOf(token).filter((form) => stderr.includes(form))).toEqual([]);
    expect({ changes: changes(), journals: journals().length }).toEqual({ changes: [], journals: before });
    expect(existsSync(join(home.path, 'plan.json'))).toBe(false);
    const chain = join(state, 'audit.jsonl');
    expect(existsSync(chain) && readFileSync(chain, 'utf8').includes(token)).toBe(false);
  });

  it('a dry run needs no token', async () => {
    const { code } = await run('teams create --title Press --dry-run', { DOCS_TOKEN: '' });
    expect(code).toBe(0);
  });
});

describe('"if a retry is safe": what is sent again', () => {
  it.each([
    ['a PUT that sets', `teams members set ${writers} ${seedId('user goran')} --role member`, 'PUT *', 0, 2],
    ['a PUT that creates', 'teams create --title Press', 'PUT *', 16, 1],
    ['a DELETE', `teams delete ${writers} --yes`, 'DELETE *', 0, 2],
    ['a PATCH', `teams update ${writers} --title Press`, 'PATCH *', 16, 1],
  ])('of a lost answer: %s', async (_, line, match, code, sent) => {
    faults.add({ match, reset: 'after', times: 1 });
    expect({ code: await codes(line), sent: changes().length }).toEqual({ code, sent });
  });

  it.each([
    ['a PUT that sets', `teams members set ${writers} ${seedId('user goran')} --role member`, 'PUT *', 0, 2],
    ['a PUT that creates', 'teams create --title Press', 'PUT *', 16, 1],
    ['a PATCH', `teams update ${writers} --title Press`, 'PATCH *', 16, 1],
  ])('of a 502: %s', async (_, line, match, code, sent) => {
    faults.add({ match, status: 502, times: 1 });
    expect({ code: await codes(line), sent: changes().length }).toEqual({ code, sent });
  });
});

describe('journals', () => {
  it('"whose end was lost in a crash can be resumed"', async () => {
    await home.ok(['teams', 'create', '--title', 'Press', '--quiet']);
    const path = lastJournal();
    truncateSync(path, readFileSync(path).length - 20);
    expect(await run('jobs resume last')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('is done'),
    });
    expect(await home.json(['teams', 'list', '--jq', 'map(select(.title == "Press")) | length'])).toBe(1);
    expect(await codes('undo last --yes')).toBe(0);
  });

  it('"A journal that was edited cannot be resumed or undone"', async () => {
    await home.ok(['teams', 'update', writers, '--title', 'Press', '--quiet']);
    const path = lastJournal();
    writeFileSync(path, readFileSync(path, 'utf8').replace('Press', 'Pr3ss'));
    for (const line of ['jobs resume last', 'undo last --yes']) expect(await codes(line)).toBe(2);
    expect(await codes(`jobs discard ${idOfJob(path)} --yes`)).toBe(0);
  });

  it('with `journal` off "later changes can be neither resumed nor undone", earlier ones can', async () => {
    await home.ok(['teams', 'create', '--title', 'Earlier', '--quiet']);
    const earlier = idOfJob(lastJournal());
    const count = journals().length;
    await home.ok(['config', 'set', 'journal', 'off', '--quiet']);
    await home.ok(['teams', 'create', '--title', 'Later', '--quiet']);
    expect(journals()).toHaveLength(count);
    expect(await codes(`undo ${earlier} --yes`)).toBe(0);
    await home.ok(['config', 'unset', 'journal', '--quiet']);
    expect(await home.json(['teams', 'list', '--jq', 'map(.title)'])).toEqual([
      'Writers',
      'Support',
      'Later',
    ]);
  });
});

it('"Items changed since fail unless you name them"', async () => {
  await home.ok(['teams', 'update', writers, '--title', 'One', '--quiet']);
  const job = idOfJob(lastJournal());
  await home.ok(['teams', 'update', writers, '--title', 'Two', '--quiet']);
  const undo = ['undo', job, '--yes', '--json', '--quiet'];
  const { code, stdout } = await home.run(undo);
  expect({ code, results: JSON.parse(stdout) }).toMatchObject({
    code: 3,
    results: [{ status: 'failed', error: { code: 'changed_since' } }],
  });
  await home.ok([...undo, writers]);
  expect(await home.json(['teams', 'get', writers, '--jq', '[.title]'])).toEqual(['Writers']);
});

it('"A plan is applied once", and what its refusal says to try works without the journal', async () => {
  await home.ok(['teams', 'create', '--title', 'Once', '--save-plan', 'once.json', '--quiet']);
  await home.ok(['apply', 'once.json', '--yes', '--quiet']);
  await home.ok(['jobs', 'prune', '--days', '0', '--quiet']);
  const { code, stderr } = await run('apply once.json --yes --json');
  const { hint } = JSON.parse(stderr).error as { hint: string };
  expect({ code, hint }).toEqual({ code: 2, hint: expect.stringContaining('docs audit list --job ') });
  expect(await home.ok(hint.split(' ').slice(1))).toContain('job-ended');
});

describe('organization as code', () => {
  it('without the lock "docs finds the items again … and duplicates nothing"; drift needs it', async () => {
    await home.ok(['pull', '--quiet']);
    const lock = join(home.path, 'org', 'docs.lock.json');
    // Guards that a lock does not know count as new.
    const ids = (text: string) => ({ ...JSON.parse(text).items, 'organization/guards': undefined });
    const before = ids(readFileSync(lock, 'utf8'));
    rmSync(lock);
    expect((await run('plan')).stdout).toBe('Plan for Acme Docs: nothing to do\n');
    expect(await codes('plan drift')).toBe(14);
    await home.ok(['pull', '--quiet']);
    expect(ids(readFileSync(lock, 'utf8'))).toEqual(before);
  });

  it('"drift also compares fields that the files omit"', async () => {
    const file = join(home.path, 'org', 'library.yaml');
    await home.ok(['pull', '--quiet']);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/^ +emoji: .*\n/gm, ''));
    await home.ok(['spaces', 'update', seedId('space welcome'), '--emoji', '🐙', '--quiet']);
    expect(await run('plan')).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to do') });
    expect(await codes('plan drift')).toBe(17);
  });
});

describe('--fields', () => {
  it.each([
    ['+email', 0],
    ['-JOINED', 0],
    ['user.email', 0],
    ['email', 2],
    ['JOINED', 2],
  ])(
    '"After a sign, name a column by its path, the end of its path, or its header": %s',
    async (field, code) => {
      expect(await codes(`members list --fields=${field}`)).toBe(code);
    },
  );
});

describe('people', () => {
  it('"--yes asks nothing and goes on once the canary is linked"', async () => {
    const people = [member('bruno'), member('deniz')].join(' ');
    const { code, stderr } = await run(`sso link ${people} --canary ${member('bruno')} --yes`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('Linked 2 members') });
    expect(changes()).toEqual(['POST', 'POST']);
  });

  it('"It does not check that the team keeps an owner; docs members offboard does"', async () => {
    expect(await codes(`members offboard ${member('bruno')} --yes`)).toBe(2);
    expect(await codes(`teams members delete ${seedId('team support')} ${member('bruno')} --yes`)).toBe(0);
  });

  it('a guest is "a member without a role in the organization"', async () => {
    const guests = await home.json([
      'members',
      'list',
      '--role',
      'guest',
      '--jq',
      'map([.user.email, .role])',
    ]);
    expect(guests).toEqual([[member('goran'), null]]);
  });
});

it('a backup "moves removed items to deleted, or with --keep to an earlier run"', async () => {
  await home.ok(['backup', 'run', '--out', 'kept', '--quiet']);
  const top = () =>
    readdirSync(join(home.path, 'kept')).filter((name) => ['deleted', 'versions'].includes(name));
  await home.ok(['teams', 'delete', writers, '--yes', '--quiet']);
  await home.ok(['backup', 'run', '--out', 'kept', '--quiet']);
  expect(top()).toEqual(['deleted']);
  rmSync(join(home.path, 'kept', 'deleted'), { recursive: true });
  await home.ok(['teams', 'delete', seedId('team support'), '--yes', '--quiet']);
  await home.ok(['backup', 'run', '--out', 'kept', '--keep', '5', '--quiet']);
  expect(top()).toEqual(['versions']);
});

it('"--again reads everything again", as the hint of a damaged backup says', async () => {
  await home.ok(['backup', 'run', '--out', 'backup', '--quiet']);
  writeFileSync(join(home.path, 'backup', 'org.json'), '{}');
  const { code, stderr } = await run('backup verify backup --offline');
  expect({ code, stderr }).toEqual({ code: 17, stderr: expect.stringContaining('--again') });
  await run('backup run --out backup --again --quiet');
  expect(await codes('backup verify backup --offline')).toBe(0);
  expect(await codes('backup diff backup backup --fail-on change')).toBe(0);
});
