import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../src/base/hash.js';
import type { ChainLine } from '../../src/policy/audit/chain.js';
import { memberHome } from './member-home.js';

/** The audit chain as commands write it, read it and verify it. */

const { platform, home } = await memberHome(40, { USER: 'ada' });
const chain = join(home.path, '.local', 'state', 'docs', 'audit.jsonl');

const lines = () => readFileSync(chain, 'utf8').split('\n').slice(0, -1);
const events = () => lines().map((line) => JSON.parse(line) as ChainLine);
const kinds = () => events().map(({ event }) => event);
const update = (id: string, role = 'read') => ['members', 'update', id, '--role', role, '--yes'];

interface Told {
  state: string;
  events: number;
  head: string;
  removed: number;
  unfinished: number;
  torn: number;
  count: number;
  findings: { is: string; line?: number; job?: string; message: string }[];
}

/** `docs audit verify`: what it prints, what it says beside, how it ends. */
async function verify(...more: string[]): Promise<Told & { code: number | null; stderr: string }> {
  const { code, stdout, stderr } = await home.run(['audit', 'verify', '--json', ...more]);
  return { ...(JSON.parse(stdout) as Told), code, stderr };
}

test('who changed what is in the chain, in the journal, and in what lists them', async () => {
  await home.ok(update('u1'));
  const agent = { env: { CLAUDECODE: '1' } };
  expect((await home.run(update('u2'), agent)).code).toBe(0);
  expect((await home.run(update('u3'), { env: { CI: 'true', GITHUB_ACTIONS: 'true' } })).code).toBe(0);

  const jobs = await home.json<{ id: string; actor: object }[]>(['jobs', 'list']);
  expect(jobs.map(({ actor }) => actor)).toEqual([
    { kind: 'ci', name: 'github-actions' },
    { kind: 'agent', name: 'ada', client: 'claude-code' },
    { kind: 'person', name: 'ada' },
  ]);
  expect(await home.json(['jobs', 'show', jobs[1]?.id ?? ''])).toMatchObject({
    actor: { client: 'claude-code' },
  });

  const list = await home.json<{ seq: number; event: string; detail: string }[]>(['audit', 'list']);
  expect(list.map(({ seq }) => seq)).toEqual([7, 6, 5, 4, 3, 2, 1]);
  expect(list[0]).toMatchObject({ event: 'job-ended', job: jobs[0]?.id, detail: '1 ok' });
  const seqs = async (...words: string[]) =>
    (await home.json<{ seq: number }[]>(['audit', 'list', ...words])).map(({ seq }) => seq);
  expect(await seqs('--actor', 'agent')).toEqual([5, 4]);
  expect(await seqs('--actor', 'claude-code', '--event', 'job-begun')).toEqual([4]);
  expect(await seqs('--actor', 'github-actions')).toEqual([7, 6]);
  expect(await seqs('--job', jobs[2]?.id ?? '')).toEqual([3, 2]);
  expect(await seqs('--limit', '2')).toEqual([7, 6]);
  expect(await seqs('--since', '1h')).toHaveLength(7);
  expect(await seqs('--since', '2099-01-01')).toEqual([]);
  expect((await home.run(['audit', 'list', '--since', 'soon'])).code).toBe(2);
  expect(await home.ok(['audit', 'export', '-o', 'ndjson'])).toBe(readFileSync(chain, 'utf8'));
  expect(await home.ok(['audit', 'export'])).toBe(readFileSync(chain, 'utf8'));
  expect(await home.json<unknown[]>(['audit', 'export'])).toHaveLength(7);
});

test('verify prints the hash to keep, and says what goes unseen without it', async () => {
  expect(await verify()).toMatchObject({
    code: 0,
    state: 'none',
    events: 0,
    stderr: expect.stringContaining('no audit chain in'),
  });
  await home.ok(update('u1'));
  const { head, code, stderr } = await verify();
  expect({ code, head }).toEqual({ code: 0, head: sha256(lines().at(-1) ?? '') });
  expect(stderr).toContain(`docs audit verify --head ${head}`);
  expect(await home.ok(['audit', 'verify', '--jq', '.head'])).toContain(head);
  await home.ok(update('u2'));
  expect(await verify('--head', head)).toMatchObject({ code: 0, stderr: '' });
  expect((await home.run(['audit', 'verify', '--head', 'abc'])).code).toBe(2);

  const all = lines();
  writeFileSync(chain, `${all.slice(0, 2).join('\n')}\n`);
  rmSync(home.journals, { recursive: true });
  const cut = await verify('--head', head);
  expect(cut).toMatchObject({ code: 17, state: 'broken' });
  expect(cut.findings.map(({ is }) => is)).toContain('head-unknown');
});

test('exit 17 names the line that was changed, and the journal', async () => {
  await home.ok(update('u1'));
  await home.ok(update('u2'));
  const all = lines();
  writeFileSync(
    chain,
    `${all.map((line, at) => (at === 2 ? line.replace('"ok":1', '"ok":2') : line)).join('\n')}\n`,
  );
  expect(await verify()).toMatchObject({ code: 17, findings: [{ is: 'line-changed', line: 3 }] });
  writeFileSync(chain, `${all.join('\n')}\n`);
  const [path = ''] = home.journalPaths();
  appendFileSync(path, '{"item":0,"is":"failed","at":"2026-01-01T00:00:00.000Z"}\n');
  const { code, stderr, findings } = await verify();
  expect({ code, findings }).toMatchObject({
    code: 17,
    findings: [{ is: 'journal-changed', job: events()[1]?.job }],
  });
  expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
    error: { code: 'audit_findings', exitCode: 17, hint: 'docs audit list --limit 20' },
  });
  rmSync(chain);
  expect(await verify()).toMatchObject({ code: 17, findings: [{ is: 'chain-removed' }] });
});

describe('a run that was killed', () => {
  const killed = async () => {
    const running = home.begin(['members', 'update', '@ids', '--role', 'read', '--yes']);
    platform.onChange = (count) => {
      if (count === 10) running.kill('SIGKILL');
      return count < 10 ? 'done' : 'lost after';
    };
    await running.ended;
    platform.onChange = () => 'done';
  };

  test('leaves an unfinished job, which resume closes', async () => {
    await killed();
    const before = await verify();
    expect(before).toMatchObject({ code: 0, unfinished: 1, findings: [] });
    expect(before.stderr).toContain('is unfinished');
    expect((await home.run(['jobs', 'resume', 'last'])).code).toBe(0);
    expect(kinds()).toEqual(['chain-begun', 'job-begun', 'job-resumed', 'job-ended']);
    expect(await verify()).toMatchObject({ code: 0, unfinished: 0, findings: [] });
  });

  test('leaves a job that the next change ends, and a torn line that it records', async () => {
    await killed();
    appendFileSync(chain, '{"seq":3,"at":"2026-01');
    expect(await verify()).toMatchObject({
      code: 0,
      findings: [],
      stderr: expect.stringContaining('is torn'),
    });
    await home.ok(update('u40', 'admin'));
    const after = lines().slice(3);
    expect(after.map((line) => (JSON.parse(line) as ChainLine).event)).toEqual([
      ...['torn', 'job-ended', 'job-begun', 'job-ended'],
    ]);
    expect(await verify()).toMatchObject({ code: 0, torn: 1, unfinished: 0, findings: [] });
  });
});

test('journals that are pruned or discarded are told, and the chain is whole', async () => {
  for (const id of ['u1', 'u2', 'u3']) await home.ok(update(id));
  const [first] = await home.json<{ id: string }[]>(['jobs', 'list']);
  await home.ok(['jobs', 'discard', first?.id ?? '', '--yes']);
  await home.ok(['jobs', 'prune', '--days', '0']);
  expect(existsSync(home.journals) && home.journalPaths()).toEqual([]);
  expect(kinds().slice(-3)).toEqual(['discarded', 'journal-pruned', 'journal-pruned']);
  expect(await verify()).toMatchObject({ code: 0, removed: 3, findings: [] });
  expect(await home.json(['jobs', 'prune', '--days', '0', '--dry-run'])).toMatchObject({ removed: 0 });
});

test('a chain that cannot be written is a warning, and verify tells it', async () => {
  await home.ok(update('u1'));
  chmodSync(chain, 0o400);
  rmSync(chain);
  mkdirSync(chain);
  const { code, stderr } = await home.run(update('u2'));
  expect({ code, changes: platform.changes }).toEqual({ code: 0, changes: ['u1 read', 'u2 read'] });
  expect(stderr).toMatch(
    /^cannot write the audit chain .*: it is a directory; docs audit verify will say so\.$/m,
  );
  expect(stderr.match(/cannot write/g)).toHaveLength(1);
});
