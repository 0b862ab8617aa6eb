import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { origin, savedWorld, variables } from './world.js';

const world = await savedWorld();
afterAll(() => world.close());

/** A saved audit chain: three jobs, one of them settled by hand. */
describe('an audit chain', () => {
  const head = 'cebbf9d7ba38e6d61cd1b1bf37f29f7c76f68b710cfa5150bae2cda78482c20a';
  const jobs = '.local/state/docs/jobs';
  const verify = async (...words: string[]) => {
    const { code, stdout } = await world.run(['audit', 'verify', '--json', ...words]);
    const { findings, ...rest } = JSON.parse(stdout) as { findings: { is: string }[] };
    return { code, ...rest, findings: findings.map(({ is }) => is) };
  };

  test('it is whole, up to its head, and goes on', async () => {
    world.lay('audit/chain');
    expect(await verify('--head', head)).toMatchObject({
      code: 0,
      state: 'whole',
      events: 8,
      head,
      findings: [],
    });
    const list = await world.json<{ seq: number; event: string; detail: string }[]>(['audit', 'list']);
    expect(list.map(({ event, detail }) => `${event} ${detail}`.trim()).reverse()).toEqual([
      'chain-begun',
      'job-begun',
      'job-ended 4 ok',
      expect.stringMatching(/^job-begun undoes \d{8}-\d{6}-[0-9a-f]{6}$/),
      'job-ended 4 ok',
      'job-begun',
      'settled item 0',
      'job-ended 1 ok',
    ]);
    expect(await world.ok(['audit', 'export'])).toBe(world.read('.local/state/docs/audit.jsonl'));
    await world.ok(['teams', 'create', '--title', 'Later']);
    expect(await verify()).toMatchObject({ code: 0, state: 'whole', events: 10 });
  });

  test('a journal that was changed, and a line that was removed, are found', async () => {
    world.lay('audit/chain');
    const [name = ''] = readdirSync(world.at(jobs)).sort();
    const journal = join(jobs, name);
    writeFileSync(world.at(journal), world.read(journal).replace('"read"', '"edit"'));
    expect(await verify()).toMatchObject({ code: 17, findings: ['journal-changed'] });
    world.lay('audit/chain');
    const lines = world.read('.local/state/docs/audit.jsonl').split('\n');
    writeFileSync(world.at('.local/state/docs/audit.jsonl'), lines.toSpliced(3, 1).join('\n'));
    expect((await verify()).findings).toContain('line-removed');
  });
});

/** A saved folder of the organization with its lock, after which somebody renamed a team by hand. */
describe('a folder of the organization', () => {
  beforeEach(() => {
    world.lay('organization/pulled');
    Object.assign(world.env, variables);
  });

  test('the lock tells a change by hand from one in the files', async () => {
    world.write('org/teams.yaml', world.read('org/teams.yaml').replace('title: Writers', 'title: Authors'));
    const plan = await world.ok(['plan']);
    expect(plan).toContain('Plan for Acme Docs: 1 to change, 1 to revert (drift)');
    expect(plan).toContain('~ writers  title: Writers → Authors');
    expect(plan).toContain('≠ support  title: Help desk → Support  (changed by hand)');
  });

  test('only what was changed by hand is drift, a value of the environment among what is as it was', async () => {
    const { code, stdout } = await world.run(['drift']);
    expect(code).toBe(17);
    expect(stdout).toContain('Plan for Acme Docs: 1 to revert (drift)');
    expect(stdout).toContain('Compared 39 items and 144 fields with the last pull or apply');
    world.env.SSO_URL = 'https://elsewhere.example/sso';
    expect(await world.ok(['plan'])).toContain('~ acme-staff  sso_url: !env SSO_URL');
  });

  test('a pull keeps what the files say, takes what was changed by hand, and finds each item again', async () => {
    await world.ok(['pull']);
    expect(world.read('org/teams.yaml')).toContain('title: Help desk');
    expect(world.read('org/saml.yaml')).toContain('sso_url: !env SSO_URL');
    expect(await world.ok(['plan'])).toContain('nothing to do');
    expect(world.forwarder.done).toEqual([]);
  });

  test('apply reverts it', async () => {
    await world.ok(['apply', '--yes']);
    expect(world.forwarder.done).toEqual(['PATCH /v1/orgs/jtBm07Y5RKnqZVIW3UZg/teams/58r3X1FgDS0A1SsD1Tls']);
  });
});

/** A saved policy, and the ledger of its budget, of which a day's two changes are spent. */
describe('a policy', () => {
  beforeEach(() => {
    world.lay('policy/budget');
    world.env.DOCS_POLICY = world.at('policy.yaml');
  });

  const [writers, support] = ['yX3ldFpdXkLA5PUzg2Ig', '58r3X1FgDS0A1SsD1Tls'];
  const retitle = async (team: string) => {
    const { code, stderr } = await world.run(['teams', 'update', team, '--title', 'Third']);
    return [code, stderr];
  };

  test('it is explained with what is left of its budget', async () => {
    const text = await world.ok(['policy', 'explain']);
    expect(text).toContain('docs members update where role is admin is denied');
    expect(text).toContain('The team Support is never changed or deleted');
    expect(text).toContain('At most 2 can be changed or deleted per day; 0 left');
  });

  test('what was counted still counts, until the day is over', async () => {
    expect(await retitle(writers)).toEqual([
      5,
      expect.stringContaining('the budget of 2 writes per day has 0 left'),
    ]);
    world.time.set(24 * 3_600_000 + 60_000);
    expect(await retitle(writers)).toEqual([0, '']);
    expect(await retitle(support)).toEqual([5, expect.stringContaining('team:Support is protected')]);
  });
});

test('a saved export of a sandbox is one again, and its export is the same', async () => {
  world.lay('sandbox/export');
  await world.ok(['sandbox', 'seed', '--from', 'state.json']);
  expect(await world.ok(['--sandbox', 'teams', 'list', '--fields', 'title'])).toBe(
    'Writers\nSupport\nGuild\n',
  );
  const members = await world.ok(['--sandbox', 'members', 'list', '--fields', 'user.email,role']);
  expect(members).toContain('deniz@acme.example\tread\n');
  expect(JSON.parse(await world.ok(['sandbox', 'export']))).toEqual(JSON.parse(world.read('state.json')));
});

/** Saved settings, credentials and a project file. */
describe('settings', () => {
  const lay = () => {
    world.lay('settings/profiles');
    for (const name of ['DOCS_BASE_URL', 'DOCS_TOKEN', 'DOCS_ORG']) delete world.env[name];
  };
  /** Settings that are not built in, each with its source. */
  const inEffect = async (cwd = world.path) => {
    const { stdout } = await world.run(['config', 'list'], { cwd });
    const rows = stdout.split('\n').map((line) => line.split('\t').slice(0, 3).join('\t'));
    return rows.filter((row) => row !== '' && !row.endsWith('\tdefault'));
  };

  test('each setting is in effect, from where it was set', async () => {
    lay();
    const base = `base-url\t${origin}\tprofile`;
    const org = 'org\tjtBm07Y5RKnqZVIW3UZg\tprofile';
    const site = 'site\tMMeDFTQG7CxSHog1TZLV\tprofile';
    const rest = ['page-size\t50\tsettings'];
    expect(await inEffect()).toEqual([base, org, site, ...rest]);
    const space = 'space\tfqHbvTKt1xFyjibhnCJK\tproject file';
    expect(await inEffect(world.at('project'))).toEqual([base, org, space, site, ...rest]);
  });

  test('both profiles sign in with their tokens', async () => {
    lay();
    const profiles = await world.json<{ name: string; current: boolean; signedIn: boolean; store: string }[]>(
      [...['auth', 'list']],
    );
    expect(profiles.map(({ name, current, signedIn, store }) => [name, current, signedIn, store])).toEqual([
      ['default', true, true, 'file'],
      ['work', false, true, 'file'],
    ]);
    expect(await world.ok(['whoami'])).toContain('ada@acme.example');
    await world.ok(['auth', 'switch', 'work']);
    expect(await world.ok(['whoami'])).toContain('deniz@acme.example');
  });

  test('an alias stands for its words', async () => {
    lay();
    const { code, stdout } = await world.run(['editors', '--fields', 'user.email'], {
      env: { DOCS_ALIASES: 'on' },
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining('deniz@acme.example')]);
  });
});

test('saved parts of a review are joined without the platform, and are what it says now', async () => {
  world.lay('shards/answers');
  const joined = await world.run(['members', 'review', '--merge', 'parts'], {
    env: { DOCS_BASE_URL: '', DOCS_TOKEN: '', DOCS_ORG: '' },
  });
  expect(joined).toMatchObject({
    code: 0,
    stderr:
      'Joins 2 parts, read from 2026-03-02T09:00:00.000Z to 2026-03-02T09:00:00.000Z.\n7 members to review.\n',
  });
  expect(joined.stdout).toBe(await world.ok(['members', 'review']));
  const file = 'parts/1-of-2/answers.ndjson';
  world.write(file, world.read(file).replace('"status":200', '"status":201'));
  expect((await world.run(['members', 'review', '--merge', 'parts'])).code).not.toBe(0);
});
