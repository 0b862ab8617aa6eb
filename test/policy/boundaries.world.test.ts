import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { sha256 } from '../../src/base/hash.js';
import { run } from '../../src/main.js';
import { hashOfPlan, writePlan } from '../../src/plans/file.js';
import type { Plan } from '../../src/plans/plan.js';
import { type Boundary, boundaries, promises } from '../../src/policy/boundaries.js';
import { mcpOfFile } from '../agents/mcp/mcp-world.js';
import { effectsOf, watchEffects } from '../e2e/examples/effects.js';
import { fakeIo } from '../fake-io.js';
import { opened } from '../opened.js';
import { seedId } from '../sandbox/client.js';
import { approvalOf, fileOf, person } from './approval/world.js';
import { openGateWorld } from './gate-world.js';

/**
 * The table of promises and callers, a test for each cell: where a promise holds, what the caller tries is refused; where
 * it does not, or only under a condition, the test shows the way around it.
 */

const mcp = await mcpOfFile({ hasPolicy: true });
const world = opened(openGateWorld);
beforeEach(() => world.reset());

const [ada, bob, eve] = ['ada', 'bob', 'eve'].map((name) => person(`${name}@acme.example`)) as [
  ReturnType<typeof person>,
  ReturnType<typeof person>,
  ReturnType<typeof person>,
];
const team = seedId('team writers');
const site = seedId('site docs');
const renamed = (title: string) => ['teams', 'update', team, '--title', title];
const created = (title: string) => ['teams', 'create', '--title', title];
const by = [ada, bob].map(({ email, key }) => `    - { email: ${email}, key: "${key}" }\n`).join('');
const asks = `default: allow\nask: ["teams create"]\napprove:\n  valid: 12h\n  by:\n${by}`;

/** The policy of the machine, which a caller of docs cannot write, and the user of the shell can. */
const file = () => join(world.home, 'etc/policy.yaml');
const place = () => join(world.home, 'etc/state');
const protect = (text: string) => world.write('etc/policy.yaml', `version: 1\n${text}`);
/** @param env what the caller chooses beside arguments */
const docs = (words: readonly string[], env: Record<string, string> = {}) =>
  world.run(words, undefined, { systemPolicies: [file()], env: { DOCS_ORG: seedId('org acme'), ...env } });
/** Whatever else a caller may choose: another policy, another state folder, another home. */
const chosen = () => ({
  DOCS_POLICY: world.write('open.yaml', 'version: 1\ndefault: allow\n'),
  XDG_STATE_HOME: join(world.home, 'elsewhere'),
  XDG_CONFIG_HOME: join(world.home, 'other-settings'),
});

/** The same for the agent: the policy is in force by the environment of the server. */
function under(text: string): string {
  const path = join(mcp.home, 'policy.yaml');
  writeFileSync(path, `version: 1\n${text}`, { mode: 0o600 });
  mcp.io.env = { ...mcp.io.env, DOCS_POLICY: path };
  return path;
}
const call = async (tool: string, argv: readonly string[]) => {
  const { isError, error, value } = await mcp.call(tool, { argv });
  return { code: isError ? error.code : 'ok', value };
};
const denied = { code: 5, error: { code: 'policy_denied' }, writes: [] };

function approve(plan: string, policy: string, ...people: (typeof ada)[]): void {
  const about = JSON.parse(readFileSync(plan, 'utf8')) as Plan;
  const statement = {
    when: new Date(Date.parse(about.madeAt) + 1).toISOString(),
    policies: [sha256(readFileSync(policy))],
  };
  writeFileSync(`${plan}.approvals`, fileOf(...people.map((one) => approvalOf(about, [], one, statement))));
}
const plan = () => join(world.home, 'plan.json');
async function planned(title: string, ...people: (typeof ada)[]): Promise<void> {
  rmSync(plan(), { force: true });
  expect(await docs([...created(title), '--save-plan', 'plan.json'])).toMatchObject({ code: 0, writes: [] });
  approve(plan(), file(), ...people);
}
const apply = (env: Record<string, string> = {}) => docs(['apply', 'plan.json', '--yes'], env);
/** The tree of a site as a file that arranges it. */
async function treeOf(): Promise<string> {
  const io = fakeIo({ cwd: world.home, env: { ...world.env, DOCS_ORG: seedId('org acme') } });
  expect(await run(['sites', 'tree', site, '--no-urls'], { ...io, systemPolicies: [] })).toBe(0);
  return io.stdout.text;
}
/** Undo, journals and claims are the caller's own. */
async function undone(): Promise<void> {
  expect(await docs(['undo', 'last', '--yes'])).toMatchObject({ code: 0 });
  rmSync(join(world.home, '.local'), { recursive: true });
}

/** Another maker, and the hash that fits: whoever can write a plan can do that. */
async function rewriteMaker(maker: Plan['by']): Promise<void> {
  const own = { ...(JSON.parse(readFileSync(plan(), 'utf8')) as Plan), by: maker };
  rmSync(plan());
  await writePlan(fakeIo({ cwd: world.home }), plan(), { ...own, hash: hashOfPlan(own) });
}

/** An approved plan whose only request failed. */
async function failed(): Promise<void> {
  protect(asks);
  await planned('X', ada, bob);
  world.control.faults.add({ match: 'PUT *', status: 503, times: 20 });
  expect((await apply()).code).not.toBe(0);
  world.control.faults.clear();
}
/** The journal says that the request was done. */
function claimDone(): void {
  const folder = join(world.home, '.local/state/docs/jobs');
  const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.jsonl'));
  const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  const last = JSON.parse(lines.at(-1) ?? '') as object;
  const done = { ...last, is: 'ok', answer: { id: 'x', title: 'X' }, error: undefined };
  writeFileSync(join(folder, name), `${[...lines.slice(0, -1), JSON.stringify(done)].join('\n')}\n`);
}
/** As a process leaves the chain that is killed: without the end of its job. */
function withoutEnd(): void {
  const chain = join(place(), 'audit.jsonl');
  const lines = readFileSync(chain, 'utf8').trimEnd().split('\n');
  expect(lines.at(-1)).toContain('job-ended');
  writeFileSync(chain, `${lines.slice(0, -1).join('\n')}\n`);
}

const cells: Readonly<Record<string, Readonly<Record<Boundary, () => Promise<void>>>>> = {
  deny: {
    async mcp() {
      under('default: allow\ndeny: ["teams update"]\n');
      expect((await call('docs_change', renamed('X'))).code).toBe('policy_denied');
      const raw = ['api', 'PATCH', `/v1/orgs/${seedId('org acme')}/teams/${team}`, '-f', 'title=X'];
      expect((await call('docs_change', raw)).code).not.toBe('ok');
      expect(mcp.writes()).toEqual([]);
    },
    async runs() {
      protect('default: allow\ndeny: ["teams update"]\n');
      expect(await docs([...renamed('X'), '--policy', 'open.yaml'], chosen())).toMatchObject(denied);
      const path = `/v1/orgs/${seedId('org acme')}/te%61ms/${team}`;
      const raw = await docs(['api', 'PATCH', path, '-f', 'title=X'], chosen());
      expect(raw).toMatchObject({ code: expect.not.stringMatching('0'), writes: [] });
    },
    async shell() {
      protect('default: allow\ndeny: ["teams update"]\n');
      protect('default: allow\n');
      expect(await docs(renamed('X'))).toMatchObject({ code: 0 });
    },
  },
  ask: {
    async mcp() {
      under(asks);
      const { value } = await call('docs_plan', created('X'));
      const { error } = await mcp.call('docs_apply', { plan: value.plan });
      expect([error.code, mcp.writes()]).toEqual(['plan_unapproved', []]);
    },
    async runs() {
      protect(asks);
      expect(await docs(created('X'), chosen())).toMatchObject(denied);
      await planned('X');
      expect(await apply(chosen())).toMatchObject({ error: { code: 'plan_unapproved' }, writes: [] });
    },
    async shell() {
      protect(asks.replace('teams create', 'teams delete'));
      expect(await docs(created('X'))).toMatchObject({ code: 0 });
    },
  },
  protect: {
    async mcp() {
      under(`default: allow\nprotect: ["team:Writers"]\n`);
      for (const argv of [renamed('X'), ['teams', 'delete', team]]) {
        const { value } = await call('docs_plan', argv);
        expect((await mcp.call('docs_apply', { plan: value.plan })).isError).toBe(true);
      }
      expect(mcp.writes()).toEqual([]);
    },
    async runs() {
      const member = seedId('user goran');
      protect(`default: allow\nprotect: ["team:Writers", "member:${member}"]\n`);
      expect(await docs(renamed('X'), chosen())).toMatchObject(denied);
      expect(await docs(['members', 'update', member, '--role', 'read'], chosen())).toMatchObject(denied);
      // By what a body does, not by what its path names.
      const support = seedId('team support');
      expect(
        await docs(['teams', 'members', 'update', support, '--remove', member, '--yes'], chosen()),
      ).toMatchObject(denied);
    },
    async shell() {
      protect(`default: allow\nprotect: ["team:Writers"]\n`);
      protect('default: allow\n');
      expect(await docs(renamed('X'))).toMatchObject({ code: 0 });
    },
  },
  budget: {
    async mcp() {
      under('default: allow\nbudget: { writes: 1/day }\n');
      expect((await call('docs_change', renamed('X'))).code).toBe('ok');
      expect((await call('docs_change', renamed('Y'))).code).toBe('policy_denied');
      expect(mcp.writes()).toHaveLength(1);
    },
    async runs() {
      protect('default: allow\nbudget: { writes: 1/day }\n');
      expect(await docs(renamed('X'))).toMatchObject({ code: 0 });
      expect(await docs(renamed('Y'), chosen())).toMatchObject(denied);
    },
    async shell() {
      protect('default: allow\nbudget: { writes: 1/day }\n');
      expect(await docs(renamed('X'))).toMatchObject({ code: 0 });
      rmSync(join(place(), 'budget.jsonl'));
      expect(await docs(renamed('Y'))).toMatchObject({ code: 0 });
    },
  },
  approval: {
    async mcp() {
      under(asks);
      const { value } = await call('docs_plan', created('X'));
      for (const tool of ['docs_read', 'docs_plan', 'docs_change'])
        expect((await call(tool, ['approve', String(value.file)])).code).not.toBe('ok');
      expect(existsSync(`${value.file}.approvals`)).toBe(false);
    },
    async runs() {
      protect(asks);
      await planned('X', eve, { ...eve, email: ada.email });
      expect(await apply(chosen())).toMatchObject({ error: { code: 'plan_unapproved' }, writes: [] });
    },
    async shell() {
      // A key that lies in reach signs without anybody.
      protect(asks);
      await planned('X', ada, bob);
      expect(await apply()).toMatchObject({ code: 0 });
    },
  },
  own: {
    async mcp() {
      under(asks);
      const { value } = await call('docs_plan', created('X'));
      const { by: maker } = JSON.parse(readFileSync(String(value.file), 'utf8')) as Plan;
      // Whoever the agent says it is, the plan is one of an agent, or of nobody who is known.
      expect(maker === 'unknown' || maker.via === 'mcp').toBe(true);
      expect((await call('docs_change', ['approve', String(value.file)])).code).not.toBe('ok');
    },
    async runs() {
      protect(asks);
      // A maker without a named key.
      await planned('X');
      await rewriteMaker({ id: 'u1', email: eve.email });
      approve(plan(), file(), eve);
      expect(await apply(chosen())).toMatchObject({ error: { code: 'plan_unapproved' }, writes: [] });
      // One with a named key is held back, unless the plan says that somebody else made it.
      const others = { CLAUDECODE: '1', AI_AGENT: 'agent' };
      await rewriteMaker({ id: 'u1', email: ada.email, kind: 'agent', client: 'agent' });
      approve(plan(), file(), ada);
      expect(await apply(others)).toMatchObject({ error: { code: 'plan_self_approved' }, writes: [] });
      await rewriteMaker({ id: 'u2', email: bob.email });
      approve(plan(), file(), ada);
      expect(await apply()).toMatchObject({ code: 0 });
    },
    async shell() {
      protect(asks);
      await planned('X');
      await rewriteMaker({ id: 'u1', email: ada.email });
      approve(plan(), file(), ada);
      expect(await apply()).toMatchObject({ error: { code: 'plan_self_approved' } });
      protect(asks.replace(ada.email, 'other@acme.example'));
      approve(plan(), file(), { ...ada, email: 'other@acme.example' });
      expect(await apply()).toMatchObject({ code: 0 });
    },
  },
  done: {
    async mcp() {
      under(asks);
      for (const argv of [
        ['jobs', 'settle', 'last', '0', '--not-done'],
        ['jobs', 'discard', 'last'],
      ])
        expect((await call('docs_read', argv)).code).not.toBe('ok');
    },
    async runs() {
      await failed();
      claimDone();
      expect(await docs(['jobs', 'resume', 'last'])).toMatchObject({
        error: { code: 'journal_changed' },
        writes: [],
      });
      withoutEnd();
      const { code, stderr, writes } = await docs(['jobs', 'resume', 'last']);
      expect([code, writes]).toEqual([0, []]);
      expect(stderr).toContain('1 request was done earlier, by its journal alone');
    },
    async shell() {
      await failed();
      claimDone();
      // Without a record nothing tells what the journal was.
      rmSync(join(place(), 'audit.jsonl'));
      expect(await docs(['jobs', 'resume', 'last'])).toMatchObject({ code: 0, writes: [] });
    },
  },
  once: {
    async mcp() {
      const policy = under(asks);
      const { value } = await call('docs_plan', created('X'));
      approve(String(value.file), policy, ada, bob);
      expect((await mcp.call('docs_apply', { plan: value.plan })).isError).toBe(false);
      expect((await mcp.call('docs_apply', { plan: value.plan })).isError).toBe(true);
      expect(mcp.writes()).toHaveLength(1);
    },
    async runs() {
      protect(asks);
      await planned('X', ada, bob);
      expect(await apply()).toMatchObject({ code: 0 });
      await undone();
      expect(await apply(chosen())).toMatchObject({ error: { code: 'plan_applied' }, writes: [] });
    },
    async shell() {
      protect(asks);
      await planned('X', ada, bob);
      expect(await apply()).toMatchObject({ code: 0 });
      await undone();
      rmSync(join(place(), 'approvals.jsonl'));
      expect(await apply()).toMatchObject({ code: 0 });
    },
  },
  audit: {
    async mcp() {
      under('default: allow\ndeny: ["teams update"]\n');
      await call('docs_change', renamed('X'));
      const chain = readFileSync(join(mcp.home, '.local/state/docs/audit.jsonl'), 'utf8');
      expect(chain).toMatch(/"event":"denied".*"kind":"agent"|"kind":"agent".*"event":"denied"/);
    },
    async runs() {
      protect('default: allow\ndeny: ["teams update"]\n');
      await docs(renamed('X'), chosen());
      await docs(created('Y'), chosen());
      const chain = readFileSync(join(place(), 'audit.jsonl'), 'utf8');
      expect(chain).toMatch(/"denied"[\s\S]*"job-ended"/);
      expect(await docs(['audit', 'verify'], chosen())).toMatchObject({ code: 0 });
    },
    async shell() {
      protect('default: allow\n');
      await docs(created('Y'));
      const { head } = JSON.parse((await docs(['audit', 'verify'])).stdout) as { head: string };
      // The whole record is made again: only a head that was kept elsewhere shows that.
      rmSync(place(), { recursive: true });
      rmSync(join(world.home, '.local'), { recursive: true });
      await docs(created('Z'));
      expect(await docs(['audit', 'verify'])).toMatchObject({ code: 0 });
      expect(await docs(['audit', 'verify', '--head', head])).toMatchObject({ code: 17 });
    },
  },
  files: {
    async mcp() {
      // Everything lies in what --files allows, so that nothing else refuses it.
      await mcp.begin({ hasPolicy: true, files: mcp.home });
      const at = (name: string) => join(mcp.home, name);
      const tree = at('tree.txt');
      writeFileSync(tree, await treeOf());
      writeFileSync(at('mine.txt'), 'mine');
      const policy = under('allow: [read]\n');
      await call('docs_change', renamed('X'));
      const chain = at('.local/state/docs/audit.jsonl');
      const kept = [policy, chain, tree, at('mine.txt')].map((path) => [path, readFileSync(path, 'utf8')]);
      const arranged = (path: string) => ['sites', 'arrange', site, `@${tree}`, '--redirects', path];
      for (const [path = ''] of kept)
        for (const tool of ['docs_read', 'docs_plan', 'docs_change'])
          for (const argv of [['access', 'matrix', '--html', path], arranged(path)])
            expect((await call(tool, [...argv, '--yes'])).code).not.toBe('ok');
      // The chain grows by the denials.
      for (const [path = '', text = ''] of kept)
        expect(readFileSync(path, 'utf8').startsWith(text)).toBe(true);
      for (const path of [policy, tree, at('mine.txt')])
        expect(kept).toContainEqual([path, readFileSync(path, 'utf8')]);
      // What is open to everything else keeps its own files, and only those.
      under('default: allow\nallow: [files]\n');
      for (const path of [policy, chain])
        expect((await call('docs_plan', arranged(path))).code).toBe('own_file');
      expect((await call('docs_plan', arranged(at('new.csv')))).code).toBe('ok');
    },
    async runs() {
      protect('allow: [read]\n');
      const mine = world.write('mine.txt', 'mine');
      const out = (path: string) => [...created('X'), '--save-plan', path, '--yes'];
      expect(await docs(out(file()))).toMatchObject({ error: { code: 'own_file' } });
      expect((await docs(out(mine))).code).not.toBe(0);
      expect(readFileSync(mine, 'utf8')).toBe('mine');
    },
    async shell() {
      protect('allow: [read]\n');
      writeFileSync(file(), 'version: 1\ndefault: allow\n');
      expect(await docs(created('X'))).toMatchObject({ code: 0 });
    },
  },
  programs: {
    async mcp() {
      under('allow: [read]\n');
      for (const argv of [
        ['rehearse', '--script', 'run.sh'],
        ['sandbox', 'exec', '--', 'true'],
      ])
        for (const tool of ['docs_read', 'docs_plan', 'docs_change'])
          expect((await call(tool, argv)).code).not.toBe('ok');
    },
    async runs() {
      protect('allow: [read]\n');
      world.write('run.sh', 'touch ran\n');
      for (const words of [
        ['rehearse', '--from', 'none', '--script', 'run.sh'],
        ['sandbox', 'exec', '--', 'touch', 'ran'],
      ])
        expect(await docs(words, chosen())).toMatchObject(denied);
      expect(existsSync(join(world.home, 'ran'))).toBe(false);
    },
    async shell() {
      // No test of this layer starts a program: that it was about to is seen.
      watchEffects(false);
      const started = async () => {
        const { effects } = await effectsOf(() => docs(['sandbox', 'exec', '--', 'touch', 'ran']));
        return effects.flatMap(({ is, what }) => (is === 'program' ? [what] : []));
      };
      protect('allow: [read]\n');
      expect(await started()).toEqual([]);
      protect('default: allow\n');
      expect(await started()).toEqual(['touch']);
    },
  },
};

const rows = Object.entries(promises).flatMap(([promise, { holds }]) =>
  (Object.keys(boundaries) as Boundary[]).map((boundary) => ({ promise, boundary, holds: holds[boundary] })),
);

it.each(rows)('$promise, $boundary: $holds', async ({ promise, boundary }) => {
  const test = cells[promise]?.[boundary];
  if (test === undefined) throw new Error(`No test shows what holds: ${promise} × ${boundary}`);
  await test();
});

it('has no test of a promise that nobody makes', () => {
  expect(Object.keys(cells)).toEqual(Object.keys(promises));
});
