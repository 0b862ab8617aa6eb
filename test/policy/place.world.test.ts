import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../src/main.js';
import type { ChainLine } from '../../src/policy/audit/chain.js';
import { fakeIo } from '../fake-io.js';
import { opened } from '../opened.js';
import { seedId } from '../sandbox/client.js';
import { openGateWorld } from './gate-world.js';

/** Where the chain and the ledger of a policy lie: where the policy says, and never where the caller does. */

const world = opened(openGateWorld);
beforeEach(() => world.reset());

const welcome = seedId('space welcome');
const rename = (title: string) => ['spaces', 'update', welcome, '--title', title];
const budget = 'version: 1\ndefault: allow\nbudget: { writes: 1/day }\n';
const at = (name: string) => join(world.home, name);
const machine = (text = budget) => ({ systemPolicies: [world.write('etc/policy.yaml', text)] });
/** Another state folder, as a caller may choose one. */
const moved = { env: { XDG_STATE_HOME: join('/', 'dev', 'shm', `docs-moved-${process.pid}`) } };
const events = (place: string) =>
  readFileSync(join(place, 'audit.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ChainLine);

describe('a policy of the machine', () => {
  it('counts and records beside itself, whatever state folder the caller chooses', async () => {
    const { systemPolicies } = machine();
    expect(await world.run(rename('One'), undefined, { systemPolicies })).toMatchObject({ code: 0 });
    const again = await world.run(rename('Two'), undefined, { systemPolicies, ...moved });
    rmSync(moved.env.XDG_STATE_HOME, { recursive: true, force: true });
    expect(again).toMatchObject({ code: 5, error: { code: 'policy_denied' }, sent: [] });
    expect(existsSync(at('etc/state/budget.jsonl'))).toBe(true);
    expect(existsSync(at('.local/state/docs/audit.jsonl'))).toBe(false);
    const chain = events(at('etc/state'));
    expect(chain.map(({ event }) => event)).toEqual(['chain-begun', 'job-begun', 'job-ended', 'denied']);
    expect(chain[1]).toMatchObject({
      journals: at('.local/state/docs/jobs'),
      uid: process.getuid?.(),
    });
  });

  it('is what docs audit reads while it is in force', async () => {
    const { systemPolicies } = machine();
    expect(await world.run(rename('One'), undefined, { systemPolicies })).toMatchObject({ code: 0 });
    const verified = await world.run(['audit', 'verify'], undefined, { systemPolicies, ...moved });
    expect(verified).toMatchObject({ code: 0 });
    expect(JSON.parse(verified.stdout)).toMatchObject({ state: 'whole', events: 3, place: at('etc/state') });
    const listed = await world.run(['audit', 'list'], undefined, { systemPolicies, ...moved });
    expect(JSON.parse(listed.stdout)).toHaveLength(3);
    // What it has recorded is missing in no other chain.
    const own = await world.run(['audit', 'verify']);
    expect(own).toMatchObject({ code: 0 });
    expect(JSON.parse(own.stdout)).toMatchObject({ state: 'none', events: 0, count: 0 });
  });

  it('takes no missing chain for a whole one', async () => {
    const { systemPolicies } = machine();
    const verified = await world.run(['audit', 'verify'], undefined, { systemPolicies });
    expect(verified).toMatchObject({ code: 17, error: { code: 'audit_findings' } });
    expect(JSON.parse(verified.stdout)).toMatchObject({
      state: 'broken',
      findings: [{ is: 'chain-missing' }],
    });
  });

  it('lets a job go on in the chain in which it began', async () => {
    expect(await world.run(rename('One'))).toMatchObject({ code: 0 });
    const { systemPolicies } = machine('version: 1\ndefault: allow\n');
    expect(await world.run(['undo', 'last', '--yes'], undefined, { systemPolicies })).toMatchObject({
      code: 0,
    });
    for (const run of [{}, { systemPolicies }])
      expect(await world.run(['audit', 'verify'], undefined, run)).toMatchObject({ code: 0 });
    const [own, theirs] = [events(at('.local/state/docs')), events(at('etc/state'))];
    expect(own.map(({ event }) => event)).toEqual(['chain-begun', 'job-begun', 'job-ended']);
    expect(theirs.map(({ event }) => event)).toEqual(['chain-begun', 'job-begun', 'job-ended']);
  });
});

describe('docs audit under a policy with a chain of its own', () => {
  /** A change of the user alone, then one under the policy of the machine, then one of the user again. */
  async function changed() {
    const { systemPolicies } = machine('version: 1\ndefault: allow\n');
    for (const [title, hour, io] of [
      ['One', 1, {}],
      ['Two', 2, { systemPolicies }],
      ['Three', 3, {}],
    ] as const) {
      const now = `2025-06-15T0${hour}:00:00Z`;
      expect(await world.run(rename(title), undefined, { ...io, now })).toMatchObject({ code: 0 });
    }
    return { systemPolicies };
  }
  const [theirs, own] = ['etc/state', '.local/state/docs'];

  it('lists both, in the order of time, and says which is whose', async () => {
    const io = await changed();
    const list = async (...words: string[]) =>
      JSON.parse((await world.run(['audit', ...words], undefined, io)).stdout) as (ChainLine & {
        place: string;
      })[];
    const newest = await list('list');
    expect(newest.map(({ place, seq }) => [place, seq])).toEqual([
      ...[5, 4].map((seq) => [at(own), seq]),
      ...[3, 2, 1].map((seq) => [at(theirs), seq]),
      ...[3, 2, 1].map((seq) => [at(own), seq]),
    ]);
    expect(await list('export')).toEqual(newest.toReversed());
    const raw = { ...fakeIo({ cwd: world.home, env: world.env }), ...io };
    expect(await run(['audit', 'export'], raw)).toBe(0);
    const chains = [own, theirs].map((place) => readFileSync(join(at(place), 'audit.jsonl'), 'utf8'));
    const lines = newest.toReversed().map(({ place, seq }) => {
      return chains[place === at(own) ? 0 : 1]?.split('\n')[seq - 1];
    });
    expect(raw.stdout.text.trimEnd().split('\n')).toEqual(lines);
    expect(raw.stderr.text).toContain(`${at(theirs)} and ${at(own)}`);
    expect(await list('list', '--limit', '3')).toHaveLength(3);
  });

  it('verifies both, and takes the head of either', async () => {
    const io = await changed();
    const verify = async (...words: string[]) => {
      const { code, stdout, stderr, error } = await world.run(['audit', 'verify', ...words], undefined, io);
      return { code, stderr, error, ...(JSON.parse(stdout) as { chains: { head: string }[] }) };
    };
    const found = await verify();
    expect(found).toMatchObject({
      ...{ code: 0, state: 'whole', place: at(theirs), events: 3 },
      chains: [
        { place: at(theirs), state: 'whole', events: 3 },
        { place: at(own), state: 'whole', events: 5 },
      ],
    });
    for (const { head } of found.chains) {
      expect(found.stderr).toContain(`--head ${head}`);
      expect(await verify('--head', head)).toMatchObject({ code: 0, stderr: '' });
    }
    expect(await verify('--head', 'a'.repeat(64))).toMatchObject({ code: 17, count: 1 });
    const path = join(at(own), 'audit.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"ok":1', '"ok":2'));
    const [, broken] = found.chains;
    expect(await verify('--head', broken?.head ?? '')).toMatchObject({
      ...{ code: 17, state: 'broken', error: { code: 'audit_findings' } },
      chains: [{ state: 'whole' }, { state: 'broken' }],
      findings: [{ is: 'line-changed', line: 3, place: at(own), message: expect.stringContaining(at(own)) }],
    });
  });
});

describe('a policy that names its place', () => {
  const named = (place: string, more = '') => `default: allow\nstate: ${place}\n${more}`;

  it('counts and records there, and a second one in its own', async () => {
    mkdirSync(at('shared'));
    const { systemPolicies } = machine();
    const both = await world.run(rename('One'), named(at('shared/'), 'budget: { writes: 5/day }\n'), {
      systemPolicies,
    });
    expect(both).toMatchObject({ code: 0 });
    for (const place of ['shared', 'etc/state']) {
      expect(events(at(place)).map(({ event }) => event)).toEqual(['chain-begun', 'job-begun', 'job-ended']);
      expect(readFileSync(at(`${place}/budget.jsonl`), 'utf8').split('\n')).toHaveLength(2);
    }
    // Nothing is reserved in the one where the other has nothing left.
    const over = await world.run(rename('Two'), named(at('shared'), 'budget: { writes: 5/day }\n'), {
      systemPolicies,
    });
    expect(over).toMatchObject({ code: 5, sent: [] });
    expect(readFileSync(at('shared/budget.jsonl'), 'utf8').split('\n')).toHaveLength(2);
  });

  it.each([
    ['', 'audit_unwritable'],
    ['budget: { writes: 5/day }\n', 'budget_unusable'],
  ])('changes nothing where it cannot be written: %j', async (more, code) => {
    const place = at('no/such/place');
    const found = await world.run(rename('One'), named(place, more));
    expect(found).toMatchObject({ code: 13, writes: [], error: { code } });
    expect(found.error?.message).toContain('does not exist');
    expect(found.error?.hint).toBe(`sudo install -d -m 1777 ${place}`);
  });

  it('does not use a directory in which others can remove files', async () => {
    mkdirSync(at('shared'), { mode: 0o777 });
    chmodSync(at('shared'), 0o777);
    const found = await world.run(rename('One'), named(at('shared')));
    expect(found).toMatchObject({ code: 14, writes: [], error: { code: 'unsafe_path' } });
    chmodSync(at('shared'), 0o1777);
    expect(await world.run(rename('One'), named(at('shared')))).toMatchObject({ code: 0 });
    expect(statSync(at('shared/audit.jsonl')).mode & 0o777).toBe(0o666);
  });

  it('is named by docs doctor and docs policy explain', async () => {
    mkdirSync(at('shared'));
    const row = async (place: string) => {
      const { stdout } = await world.run(['doctor'], named(place));
      const rows: { check: string }[] = JSON.parse(stdout);
      return rows.filter(({ check }) => check === 'policy state');
    };
    expect(await row(at('shared'))).toMatchObject([{ state: 'ok', detail: at('shared') }]);
    const missing = at('no/such');
    expect(await row(missing)).toMatchObject([
      { state: 'problem', hint: `sudo install -d -m 1777 ${missing}` },
    ]);
    const { stdout } = await world.run(['policy', 'explain'], named(at('shared')));
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ about: 'state', line: 3 }));
  });

  it('takes no relative path', async () => {
    const found = await world.run(rename('One'), named('state'));
    expect(found).toMatchObject({ code: 14, error: { code: 'policy_invalid' }, sent: [] });
  });

  it('takes no file that a command is asked to write', async () => {
    mkdirSync(at('shared'));
    const target = join(at('shared'), 'audit.jsonl');
    const found = await world.run(
      ['teams', 'create', '--title', 'X', '--save-plan', target, '--yes'],
      named(at('shared')),
    );
    expect(found).toMatchObject({ code: 2, error: { code: 'own_file' } });
  });
});
