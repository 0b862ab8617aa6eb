import { afterAll, beforeAll, beforeEach, test } from 'vitest';
import { stands } from '../../src/cli/declare/define.js';
import { sshKey } from '../ssh-key.js';
import { origin, type SavedWorld, savedWorld, variables } from './world.js';

/**
 * Takes the saved files of this version: `node scripts/take-fixtures.mjs [kind/name …]`. Each is what commands leave in a
 * home, on a platform that the seed `tiny` made. They are taken once; what is there is what later versions must read,
 * so one is taken again only where the version that made it never read it either.
 */

const id = (word: string): string => stands[word] ?? word;
const only = (process.env.DOCS_TAKE ?? '').split(' ').filter(Boolean);

const roles = ['bruno', 'chiara', 'deniz', 'emil'].map((name) => `${name}@acme.example`);
/** Four changes, one after the other. */
const update = ['members', 'update', ...roles, '--role', 'read', '--yes', '--concurrency', '1'];
const saved = ['--save-plan', 'plan.json', '--yes'];
const plan = ['apply', 'plan.json', '--yes', '--concurrency', '1'];
const retitle = ['teams', 'update', id('t1'), '--title', 'Authors'];
const members = `team,user,role\n${id('t1')},${id('m2')},owner\n${id('t2')},${id('m1')},member\n`;

/** A folder of the organization with changes of several kinds: references to what is created, and a value of the environment. */
async function editedFolder(world: SavedWorld): Promise<void> {
  await world.ok(['pull']);
  const edit = (file: string, change: (text: string) => string) =>
    world.write(`org/${file}`, change(world.read(`org/${file}`)));
  Object.assign(world.env, variables);
  edit('teams.yaml', (text) => `${text}  - key: translators\n    title: Translators\n`);
  edit('people.yaml', (text) =>
    text.replace(/(emil@acme\.example\n +role: comment\n +teams: )\[support\]/, '$1[support, translators]'),
  );
  edit('org.yaml', (text) => `env: [SSO_URL]\n${text}`);
  edit('saml.yaml', (text) => text.replace(/sso_url: .*/, 'sso_url: !env SSO_URL'));
}

/** A policy under which changes of roles need the approval of a person, in a home that is signed in. */
async function approval(world: SavedWorld): Promise<void> {
  const key = sshKey('lovelace@acme.example');
  world.write('id_ed25519', key.private);
  const by = `approve:\n  valid: 12h\n  by:\n    - { email: lovelace@acme.example, key: "${key.public.trim()}" }\n`;
  world.write('policy.yaml', `version: 1\ndefault: allow\nask: [members update]\n${by}`);
  const { DOCS_TOKEN: stdin = '', DOCS_ORG: org = '' } = world.env;
  for (const name of ['DOCS_BASE_URL', 'DOCS_TOKEN', 'DOCS_ORG']) delete world.env[name];
  await world.ok(['auth', 'login', '--base-url', origin, '--with-token'], { stdin });
  await world.ok(['orgs', 'use', org]);
  world.env.DOCS_POLICY = world.at('policy.yaml');
}

/** Without the larger spaces, for what is about other things than content. */
async function fewer(world: SavedWorld): Promise<void> {
  for (const word of ['s1', 's2']) await world.ok(['spaces', 'delete', id(word), '--yes']);
  world.forget();
}

const scenarios: Readonly<Record<string, (world: SavedWorld) => Promise<unknown>>> = {
  'plans/command': (world) => world.ok([...retitle, ...saved]),
  'plans/bulk': (world) => {
    world.write('teams.csv', members);
    return world.ok(['bulk', 'teams', 'members', 'set', '--from', 'teams.csv', ...saved]);
  },
  async 'plans/organization'(world) {
    await editedFolder(world);
    await world.ok(['plan', ...saved]);
  },
  async 'plans/undo'(world) {
    await world.ok(update);
    await world.ok(['undo', 'last', ...saved]);
  },
  async 'plans/links-fix'(world) {
    world.edit(({ page_versions: pages = [] }) => {
      const quickstart = pages.find(({ slug }) => slug === 'quickstart');
      Object.assign(quickstart ?? {}, {
        markdown: 'See [Publishing](old/publishing.md) and [this](gone.md).',
      });
    });
    const base = ['--import-base', 'https://files.example.com/fixes'];
    await world.ok(['links', 'fix', '--match-titles', '--as-change-request', ...base, ...saved]);
  },
  'plans/release': (world) => {
    return world.ok(['release', 'cut', '2.1', '--site', id('w1'), '--from', 'API', ...saved]);
  },
  'plans/offboarding': (world) => {
    const evidence = ['--evidence', '/tmp/docs-saved-evidence'];
    return world.ok(['members', 'offboard', 'farah@acme.example', ...evidence, ...saved]);
  },
  async 'plans/approved'(world) {
    await approval(world);
    await world.ok(['members', 'update', id('m1'), '--role', 'comment', ...saved]);
    const asked = world.onTerminal(['approve', 'plan.json', '--key', 'id_ed25519']);
    await asked.shows('Approve ');
    asked.type('y\r');
    const { code, screen } = await asked.ended;
    if (code !== 0) throw new Error(screen);
  },
  'journals/done': (world) => world.ok(update),
  'journals/unfinished': (world) => world.killedAt(3, 'lost after', update),
  async 'journals/failed'(world) {
    const second = new RegExp(`^PATCH .*/members/${id('m1')}$`);
    world.gateway.rule = (line) => (second.test(line) ? 403 : undefined);
    const { code } = await world.run(update);
    if (code !== 3) throw new Error(`exit ${code}`);
  },
  async 'journals/undo'(world) {
    await world.ok(update);
    await world.ok(['undo', 'last', '--yes']);
  },
  async 'journals/undo-unfinished'(world) {
    await world.ok(update);
    await world.killedAt(3, 'lost before', ['undo', 'last', '--yes', '--concurrency', '1']);
  },
  async 'journals/bulk'(world) {
    world.write('teams.csv', members);
    const bulk = ['bulk', 'teams', 'members', 'set', '--from', 'teams.csv', '--yes', '--concurrency', '1'];
    await world.killedAt(2, 'lost before', bulk);
  },
  async 'journals/plan'(world) {
    world.write('teams.csv', members);
    await world.ok(['bulk', 'teams', 'members', 'set', '--from', 'teams.csv', ...saved]);
    await world.killedAt(2, 'lost after', plan);
  },
  async 'journals/organization'(world) {
    await editedFolder(world);
    await world.ok(['plan', ...saved]);
    await world.killedAt(2, 'lost after', plan);
  },
  async 'journals/organization-done'(world) {
    await editedFolder(world);
    await world.ok(['plan', ...saved]);
    await world.ok(plan);
  },
  async 'journals/offboarding'(world) {
    const words = ['members', 'offboard', 'chiara@acme.example', '--reassign-teams-to', 'deniz@acme.example'];
    await world.killedAt(2, 'lost after', [...words, '--evidence', 'evidence', '--yes']);
  },
  async 'journals/sso-link'(world) {
    world.write('users', roles.join('\n'));
    const words = ['sso', 'link', '--from', 'users', '--canary', 'chiara@acme.example', '--batch', '2'];
    await world.killedAt(3, 'lost after', [...words, '--yes']);
  },
  async 'journals/release'(world) {
    const words = ['release', 'cut', '2.1', '--site', id('w1'), '--from', 'API', '--yes'];
    await world.killedAt(3, 'lost after', words);
  },
  async 'audit/chain'(world) {
    await world.ok(update);
    await world.ok(['undo', 'last', '--yes']);
    await world.killedAt(1, 'lost after', ['teams', 'create', '--title', 'Guild']);
    const [team] = (await world.json<{ id: string; title: string }[]>(['teams', 'list'])).filter(
      ({ title }) => title === 'Guild',
    );
    await world.ok(['jobs', 'settle', 'last', '0', '--is', team?.id ?? '', '--yes']);
  },
  async 'settings/profiles'(world) {
    const { DOCS_TOKEN: stdin = '', DOCS_ORG: org = '' } = world.env;
    for (const name of ['DOCS_BASE_URL', 'DOCS_TOKEN', 'DOCS_ORG']) delete world.env[name];
    await world.ok(['auth', 'login', '--base-url', origin, '--with-token'], { stdin });
    await world.ok(['auth', 'login', '--profile', 'work', '--base-url', origin, '--with-token'], {
      stdin: stdin.replace('admin', 'edit'),
    });
    await world.ok(['auth', 'switch', 'default']);
    await world.ok(['orgs', 'use', org]);
    await world.ok(['sites', 'use', id('w1')]);
    await world.ok(['config', 'set', 'page-size', '50']);
    await world.ok(['config', 'alias', 'set', 'editors', 'members list --role edit']);
    world.write('project/.docs.json', `{ "space": "${id('s2')}" }\n`);
  },
  async 'policy/budget'(world) {
    const rules =
      'allow: [read, "teams *"]\ndeny: ["members update role=admin"]\nprotect: ["team:Support"]\n';
    world.write('policy.yaml', `version: 1\ndefault: deny\n${rules}budget: { writes: 2/day }\n`);
    world.env.DOCS_POLICY = world.at('policy.yaml');
    for (const title of ['Authors', 'Editors'])
      await world.ok(['teams', 'update', id('t1'), '--title', title]);
  },
  async 'organization/pulled'(world) {
    await editedFolder(world);
    await world.ok(['apply', '--yes']);
    // By hand, after the lock.
    await world.ok(['teams', 'update', id('t2'), '--title', 'Help desk']);
  },
  async 'sandbox/export'(world) {
    await world.ok(['--sandbox', 'teams', 'create', '--title', 'Guild']);
    await world.ok(['--sandbox', 'members', 'update', id('m2'), '--role', 'read']);
    world.write('state.json', await world.ok(['sandbox', 'export']));
  },
  async 'shards/answers'(world) {
    for (const shard of ['1/2', '2/2'])
      await world.ok(['members', 'review', '--shard', shard, '--parts', 'parts', '--quiet']);
  },
  async 'backup/plain'(world) {
    await world.ok(['backup', 'run', '--out', 'b']);
    await world.ok(['backup', 'pack', 'b', '--space', 'welcome', '--out', 'welcome.zip']);
  },
  async 'backup/kept'(world) {
    const key = sshKey('ada@acme.example');
    world.write('id_ed25519', key.private);
    world.write('signers', `ada@acme.example ${key.public}`);
    const run = ['backup', 'run', '--out', 'b', '--keep', '5', '--sign', 'id_ed25519'];
    await fewer(world);
    await world.ok(run);
    await world.ok(['spaces', 'update', id('s3'), '--title', 'Handbook']);
    await world.ok(['spaces', 'delete', 'Board Notes', '--by-title', '--yes']);
    world.forget();
    world.time.set(86_400_000);
    await world.ok(run);
  },
  async 'backup/parts'(world) {
    await fewer(world);
    for (const shard of ['1/2', '2/2']) await world.ok(['backup', 'run', '--out', 'parts', '--shard', shard]);
  },
};

let world: SavedWorld;
beforeAll(async () => {
  world = await savedWorld();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

const chosen = Object.entries(scenarios).filter(([name]) => only.some((word) => name.startsWith(word)));
test.each(chosen)('%s', async (name, scenario) => {
  await scenario(world);
  world.save(name);
});
