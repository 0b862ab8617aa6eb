import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { JobFolder } from '../../src/jobs/job-folder.js';
import { machineState } from '../../src/policy/place.js';
import { systemPolicies } from '../../src/settings/paths.js';
import { settingKeys } from '../../src/settings/setting-keys.js';
import { fakeIo } from '../fake-io.js';
import { opened } from '../opened.js';
import { seedId } from '../sandbox/client.js';
import { openGateWorld } from './gate-world.js';

/** Which policies are in force, and what happens where one of them is invalid. */

const world = opened(openGateWorld);
beforeEach(() => world.write('.config/docs/config.json', '{"version":1}'));

const welcome = seedId('space welcome');
const change = ['spaces', 'update', welcome, '--title', 'Hello'];
const open = 'version: 1\ndefault: allow\n';
const closed = 'version: 1\nallow: [read]\n';
const denied = { code: 5, error: { code: 'policy_denied' }, sent: [] };

describe('a policy is found', () => {
  it('by --policy, relative to the working folder', async () => {
    world.write('strict.yaml', closed);
    const found = await world.run([...change, '--policy', 'strict.yaml']);
    expect(found).toMatchObject(denied);
    expect(found.error?.details?.file).toBe(join(world.home, 'strict.yaml'));
    expect(found.error?.hint).toBe('docs policy explain --policy strict.yaml');
  });

  it('by DOCS_POLICY; empty is unset', async () => {
    const path = world.write('strict.yaml', closed);
    expect(await world.run(change, undefined, { env: { DOCS_POLICY: path } })).toMatchObject(denied);
    expect(await world.run(change, undefined, { env: { DOCS_POLICY: '' } })).toMatchObject({ code: 0 });
  });

  it('by DOCS_POLICY, which names no file of whatever folder docs runs in', async () => {
    world.write('clone/agent.yaml', open);
    const path = world.write('agent.yaml', closed);
    const cwd = join(world.home, 'clone');
    for (const words of [change, ['teams', 'list'], ['mcp', 'serve'], ['policy', 'explain']]) {
      const found = await world.run(words, undefined, { cwd, env: { DOCS_POLICY: 'agent.yaml' } });
      expect(found).toMatchObject({ code: 14, sent: [], error: { code: 'policy_relative' } });
      expect(found.error?.hint).toBe(`export DOCS_POLICY=${join(cwd, 'agent.yaml')}`);
    }
    expect(await world.run(change, undefined, { cwd, env: { DOCS_POLICY: path } })).toMatchObject(denied);
  });

  it.each(settingKeys.filter(({ inProjectFile }) => inProjectFile !== true).map(({ property }) => property))(
    'and no project chooses %s',
    async (property) => {
      world.write('project/.docs.json', JSON.stringify({ [property]: 'x' }));
      const found = await world.run(change, undefined, { cwd: join(world.home, 'project') });
      expect(found).toMatchObject({ code: 14, sent: [] });
    },
  );

  it('and no project chooses where state or tokens lie', async () => {
    for (const key of [
      'state',
      'stateDir',
      'token',
      'credential',
      'policies',
      'profiles',
      'caFile',
      'proxy',
    ]) {
      world.write('project/.docs.json', JSON.stringify({ [key]: 'x' }));
      const found = await world.run(change, undefined, { cwd: join(world.home, 'project') });
      expect(found, key).toMatchObject({ code: 14, sent: [] });
    }
  });

  it('by the profile, which keeps the absolute path', async () => {
    const path = world.write('strict.yaml', closed);
    expect(await world.run(['config', 'set', 'policy', 'strict.yaml'])).toMatchObject({ code: 0 });
    const settings = readFileSync(join(world.home, '.config/docs/config.json'), 'utf8');
    expect(JSON.parse(settings)).toMatchObject({ profiles: { default: { policy: path } } });
    expect(await world.run(change)).toMatchObject(denied);
    expect(await world.run(['config', 'unset', 'policy'])).toMatchObject(denied);
  });

  it('by the profile, whichever a project chooses in its place', async () => {
    const policies = { p: { policy: world.write('strict.yaml', closed) }, q: {} };
    const settings = (profiles: object) => JSON.stringify({ version: 1, profile: 'p', profiles });
    world.write('project/.docs.json', '{"profile":"q"}');
    const inProject = { cwd: join(world.home, 'project') };
    world.write('.config/docs/config.json', settings(policies));
    expect(await world.run(change, undefined, inProject)).toMatchObject(denied);
    // The profile that it chooses has a policy, too: both hold.
    const open = { policy: world.write('open.yaml', 'version: 1\ndefault: allow\n') };
    world.write('.config/docs/config.json', settings({ ...policies, q: open }));
    expect(await world.run(change, undefined, inProject)).toMatchObject(denied);
    world.write('.config/docs/config.json', settings({ p: open, q: policies.p }));
    expect(await world.run(change, undefined, inProject)).toMatchObject(denied);
    world.write('project/.docs.json', '{}');
    expect(await world.run(change, undefined, inProject)).toMatchObject({ code: 0 });
  });

  it('by the profile, at the same place in every folder', async () => {
    const profiles = { default: { policy: 'strict.yaml' } };
    world.write('.config/docs/config.json', JSON.stringify({ version: 1, profiles }));
    world.write('.config/docs/strict.yaml', closed);
    world.write('strict.yaml', open);
    expect(await world.run(change)).toMatchObject(denied);
  });

  it('on the machine, by a path that no variable names', async () => {
    const systemPolicies = [world.write('etc/policy.yaml', closed)];
    expect(await world.run(change, undefined, { systemPolicies })).toMatchObject(denied);
    expect(await world.run([...change, '--profile', 'other'], undefined, { systemPolicies })).toMatchObject(
      denied,
    );
  });

  it('not in the folder of a project, which may not name one', async () => {
    world.write('project/.docs.json', '{"policy":"open.yaml"}');
    const found = await world.run(change, undefined, { cwd: join(world.home, 'project') });
    expect(found).toMatchObject({ code: 14, error: { code: 'untrusted_project_file' }, sent: [] });
    expect(found.error?.message).toContain('"policy"');
  });

  it('is at a fixed place on every platform', () => {
    expect(machineState('/etc/docs/policy.yaml', 'linux')).toBe('/var/lib/docs');
    expect(machineState('C:\\ProgramData\\docs\\policy.yaml', 'win32')).toBe('C:\\ProgramData\\docs\\state');
    expect(systemPolicies({ platform: 'linux', env: { ProgramData: '/tmp' } })).toEqual([
      '/etc/docs/policy.yaml',
    ]);
    expect(systemPolicies({ platform: 'win32', env: { ProgramData: 'D:\\Data' } })).toEqual([
      'C:\\ProgramData\\docs\\policy.yaml',
      'D:\\Data\\docs\\policy.yaml',
    ]);
  });
});

describe('every one that is found must allow', () => {
  const places = ['flag', 'variable', 'profile', 'machine'] as const;

  it.each(places)('that of the %s holds beside open ones of all others', async (strict) => {
    const path = (place: string) => world.write(`${place}.yaml`, place === strict ? closed : open);
    world.write(
      '.config/docs/config.json',
      JSON.stringify({ version: 1, profile: 'p', profiles: { p: { policy: path('profile') } } }),
    );
    const io = { env: { DOCS_POLICY: path('variable') }, systemPolicies: [path('machine')] };
    const found = await world.run([...change, '--policy', path('flag')], undefined, io);
    expect(found).toMatchObject(denied);
    expect(found.error?.details?.file).toBe(join(world.home, `${strict}.yaml`));
  });
});

describe('an invalid policy', () => {
  const lines: [string, string[]][] = [
    ['a change', change],
    ['a read', ['orgs', 'list']],
    ['a local command', ['jobs', 'list']],
    ['a command that lists commands', ['commands']],
    ['the sandbox, for what is written here', ['config', 'set', 'output', 'json', '--sandbox']],
  ];

  it.each(lines)('stops %s', async (_, words) => {
    const found = await world.run(words, 'alow: [read]\n');
    expect(found).toMatchObject({ code: 14, error: { code: 'policy_invalid' }, sent: [], stdout: '' });
  });

  it('that is not there stops everything, too', async () => {
    const found = await world.run(change, undefined, { env: { DOCS_POLICY: '/nowhere/policy.yaml' } });
    expect(found).toMatchObject({ code: 14, error: { code: 'policy_not_found' }, sent: [] });
  });

  it.each([['--help'], ['spaces', 'delete', '--help'], ['--version']])(
    'lets docs %s through',
    async (...words) => {
      expect(await world.run(words, 'alow: [read]\n')).toMatchObject({ code: 0 });
    },
  );

  it('is what docs doctor tells, which sends nothing then', async () => {
    const found = await world.run(['doctor'], 'alow: [read]\n');
    expect(found.sent).toEqual([]);
    expect(found.code).not.toBe(0);
    expect(found.stdout + found.stderr).toContain('alow');
  });
});

describe('the journal', () => {
  const off = { env: { DOCS_JOURNAL: 'off' } };

  it.each([
    ['a change', change],
    ['a raw request', ['api', 'PATCH', `/v1/spaces/${welcome}`, '-f', 'title=Hello', '--yes']],
    ['an offboarding', ['members', 'offboard', 'u1', '--org', 'o1', '--yes']],
  ])('cannot be off under a policy: %s', async (_, words) => {
    const found = await world.run(words, 'default: allow\n', off);
    expect(found).toMatchObject({ code: 14, error: { code: 'journal_required' }, writes: [] });
    expect(found.error?.hint).toBe('unset DOCS_JOURNAL');
  });

  it('may be off for reads', async () => {
    expect(await world.run(['orgs', 'list'], 'default: allow\n', off)).toMatchObject({ code: 0 });
    expect(await world.run([...change, '--dry-run'], 'default: allow\n', off)).toMatchObject({ code: 0 });
  });

  it('has the hashes of the policies', async () => {
    expect(await world.run(change, 'default: allow\n# journalled\n')).toMatchObject({ code: 0 });
    const folder = new JobFolder(fakeIo({ env: { HOME: world.home } }));
    const jobs = folder.readAll(() => {});
    const hash = createHash('sha256')
      .update(readFileSync(join(world.home, 'policy.yaml')))
      .digest('hex');
    expect(jobs.map(({ header }) => header.actor?.policy)).toContainEqual([hash]);
  });
});

describe('what is exempt', () => {
  it('is the sandbox', async () => {
    const env = { DOCS_BASE_URL: '', DOCS_TOKEN: '' };
    const words = ['teams', 'create', '--title', 'Testers', '--sandbox'];
    expect(await world.run(words, 'allow: []\n', { env })).toMatchObject({ code: 0, sent: [] });
  });

  it('but not what is written on this machine beside it', async () => {
    const words = ['config', 'set', 'output', 'json', '--sandbox'];
    expect(await world.run(words, 'allow: [read]\n')).toMatchObject(denied);
    expect(readFileSync(join(world.home, '.config/docs/config.json'), 'utf8')).not.toContain('output');
  });

  it('is no loopback address', async () => {
    const base = ['--base-url', world.sandbox.url];
    expect(await world.run([...change, ...base], 'allow: [read]\n')).toMatchObject(denied);
  });
});

describe('the requests in the background', () => {
  it('of completion pass the policy, too', async () => {
    const name = 'a'.repeat(32);
    await world.run(['teams', 'list', '--org', 'o1'], 'allow: []\n');
    const ran = await world.run(['__complete-ids', name, 'team', '--org=o1'], 'deny: [read]\n');
    expect(ran.sent).toEqual([]);
  });

  it('look for titles only after the command has passed', async () => {
    const words = ['spaces', 'delete', 'Welcome', '--by-title', '--yes'];
    expect(await world.run(words, 'allow: [read]\n')).toMatchObject(denied);
    const blind = await world.run(words, 'allow: ["spaces delete"]\n');
    expect(blind.sent.filter((one) => one.startsWith('GET'))).toEqual([]);
  });
});
