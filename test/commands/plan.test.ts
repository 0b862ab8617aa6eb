import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groups } from '../../src/commands/index.js';
import { complete } from '../../src/completion/run-completion.js';
import { run } from '../../src/main.js';
import { hashOfPlan, writePlan } from '../../src/plans/file.js';
import type { Plan } from '../../src/plans/plan.js';
import { type FakeIoOptions, fakeIo } from '../fake-io.js';
import { planOf, remark, sample } from '../plans/show/sample-plan.js';

/** `docs plan`, which is a command and holds one, and `docs plan show`: offline, in every format. */

let home: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'docs-plan-'));
  const save = (name: string, plan: Plan) =>
    writePlan(fakeIo(), join(home, name), { ...plan, hash: hashOfPlan(plan) });
  await save('plan.json', sample);
  await save('empty.json', planOf([]));
  const finding = { code: 'guarded', message: 'One admin would be left.' };
  const guarded = remark({ id: 'o9', kind: 'organization', key: 'guards', finding });
  await save('guarded.json', planOf([...sample.operations.slice(0, 1), guarded]));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function docs(words: string[], options: FakeIoOptions = {}) {
  const io = fakeIo({ cwd: home, ...options, env: { HOME: home, ...options.env } });
  const code = await run(words, io);
  return { code, stdout: io.stdout.text, stderr: io.stderr.text };
}

describe('docs plan', () => {
  it('has help of its own that lists the commands below it', async () => {
    const { stdout } = await docs(['plan', '--help']);
    expect(stdout).toContain('Usage: docs plan [flags]');
    expect(stdout).toMatch(/More flags:\n {2}.*--save-plan, /);
    expect(stdout).toMatch(/Commands:\n {2}show <file> +Show a saved plan\n {2}adopt <item…> /);
    expect((await docs(['help', 'plan'])).stdout).toBe(stdout);
    expect((await docs(['plan', 'show', '--help'])).stdout).toContain('Usage: docs plan show <file>');
  });

  it('knows no other word', async () => {
    const { code, stderr } = await docs(['plan', 'sohw', 'plan.json']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        'unknown command "sohw" for "docs plan". Did you mean docs plan show plan.json?',
      ),
    ]);
  });

  it('names docs pull where there is no org.yaml', async () => {
    const { code, stderr } = await docs(['plan']);
    expect(code).toBe(2);
    expect(stderr).toContain('org.yaml');
    expect(stderr).toContain('docs pull');
  });

  it('completes its commands, its flags and its formats', async () => {
    const none = async () => [];
    const sources = {
      ids: none,
      profiles: none,
      fields: none,
      offered: none,
      aliases: async () => new Map(),
    };
    const words = async (line: string) =>
      (await complete(line.split(' '), groups, sources)).candidates.map(({ word }) => word);
    expect(await words('plan ')).toEqual(['show', 'adopt', 'drift', 'approve']);
    expect(await words('help plan ')).toEqual(['show', 'adopt', 'drift', 'approve']);
    expect(await words('commands schema plan ')).toEqual(['show', 'adopt', 'drift', 'approve']);
    expect(await words('plan --on')).toEqual(['--only']);
    expect(await words('plan --only ')).toEqual(['change', 'drift']);
    expect(await words('plan -o m')).toEqual(['markdown']);
    expect(await words('plan show x -o m')).toEqual(['markdown']);
    expect(await words('teams list -o m')).toEqual([]);
  });

  it('is among all commands', async () => {
    const { stdout } = await docs(['commands', '--json']);
    const paths = (JSON.parse(stdout) as { path: string }[]).map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['plan', 'plan show', 'apply', 'pull', 'plan drift', 'plan adopt']),
    );
  });
});

describe('-o markdown', () => {
  it.each([['teams', 'list'], ['apply'], ['pull']])('is not a format of docs %s', async (...words) => {
    const { code, stderr } = await docs([...words, '-o', 'markdown', '--json'].slice(0, -1));
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        '--output must be one of table, json, ndjson, yaml, csv, tsv, id, not "markdown"',
      ),
    ]);
  });

  it('is none of the environment or the settings, either', async () => {
    const { code, stderr } = await docs(['teams', 'list'], { env: { DOCS_OUTPUT: 'markdown' } });
    expect([code, stderr]).toEqual([14, expect.stringContaining('"markdown" is not one of table')]);
  });

  it.each([['--fields', 'id'], ['--jq', '.id'], ['--header'], ['--json']])(
    'contradicts %s',
    async (...flags) => {
      const { code } = await docs(['plan', 'show', 'plan.json', '-o', 'markdown', ...flags]);
      expect(code).toBe(2);
    },
  );
});

describe('docs plan show', () => {
  it('shows a picture with who made it, and says that it was not applied', async () => {
    const { code, stdout, stderr } = await docs(['plan', 'show', 'plan.json']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Plan for Acme Docs: 2 to create, 2 to change/);
    expect(stdout).toContain('Plan p-9f3ab2c4d5e6f708, made 2026-11-22 10:12:03 UTC by ada@acme.example');
    expect(stdout).toContain(
      '\npeople  people.yaml\n  ~ ada@acme.example    role: read → admin\n      PATCH /v1/orgs/',
    );
    expect(stdout).toContain('\nsections  sites/acme-docs.yaml\n');
    expect(stderr).toBe('Not applied on this machine; "docs apply plan.json" applies it.\n');
  });

  it('says where nothing can be applied', async () => {
    const { stdout, stderr } = await docs(['plan', 'show', 'empty.json']);
    expect(stdout).toContain('Plan for Acme Docs: nothing to do\n');
    expect(stderr).toBe('Nothing in this plan can be applied.\n');
  });

  it('says that docs apply refuses a plan that would break a guard, and why', async () => {
    const { code, stderr } = await docs(['plan', 'show', 'guarded.json']);
    expect([code, stderr]).toEqual([0, '"docs apply" refuses this plan: One admin would be left.\n']);
  });

  it('has colours on a terminal, and fits its width', async () => {
    const { stdout } = await docs(['plan', 'show', 'plan.json'], { terminals: ['stdout'], columns: 80 });
    expect(stdout).toContain('\u001b[33m~\u001b[39m ada@acme.example');
    const plain = await docs(['plan', 'show', 'plan.json', '--no-color'], {
      terminals: ['stdout'],
      columns: 80,
    });
    expect(plain.stdout).not.toContain('\u001b');
    expect(plain.stdout).toContain('      email_domains  +acme.dev -old.example\n');
  });

  it('prints the plan itself as JSON, and filters it', async () => {
    const { stdout } = await docs(['plan', 'show', 'plan.json', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ id: 'p-9f3ab2c4d5e6f708', counts: sample.counts });
    expect(JSON.parse(stdout).operations).toHaveLength(sample.operations.length);
    expect((await docs(['plan', 'show', 'plan.json', '--jq', '.counts.update'])).stdout).toBe('2\n');
    expect((await docs(['plan', 'show', 'plan.json', '-o', 'yaml'])).stdout).toContain(
      'id: p-9f3ab2c4d5e6f708\n',
    );
  });

  it('prints an operation a row, with the fields asked for', async () => {
    const fields = 'action,kind,key,fields.role.after,address';
    const { stdout } = await docs(['plan', 'show', 'plan.json', '--fields', fields]);
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'update\tpeople\tada@acme.example\tadmin\tpeople/ada@acme.example',
      'drift\tpeople\tgrace@acme.example\tread\tpeople/grace@acme.example',
      'create\tteams\twriters\t\tteams/writers',
      'create\tmemberships\tada@acme.example\towner\tmemberships/writers/ada@acme.example',
    ]);
    const ids = await docs(['plan', 'show', 'plan.json', '-o', 'id']);
    expect(ids.stdout.trim().split('\n')).toEqual(sample.operations.map(({ id }) => id));
    const lines = (await docs(['plan', 'show', 'plan.json', '-o', 'ndjson'])).stdout.trim().split('\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      ...sample.operations[0],
      change: 'role: read → admin',
    });
    const csv = await docs(['plan', 'show', 'plan.json', '-o', 'csv']);
    expect(csv.stdout).toMatch(/^action,kind,key,change,undo,risk,finding\.message,id\nupdate,people,/);
    expect(
      JSON.parse((await docs(['plan', 'show', 'plan.json', '--json', '--fields', 'key'])).stdout)[2],
    ).toEqual({
      key: 'writers',
    });
  });

  it('refuses a field that no operation has', async () => {
    const { code, stderr } = await docs(['plan', 'show', 'plan.json', '--fields', 'kimd']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean kind?')]);
  });

  it('writes Markdown', async () => {
    const { stdout } = await docs(['plan', 'show', 'plan.json', '-o', 'markdown']);
    expect(stdout).toMatch(/^### Plan for Acme Docs\n/);
  });

  it('works with a broken settings file, and without a home', async () => {
    const { code } = await docs(['plan', 'show', 'plan.json'], { env: { HOME: join(home, 'none') } });
    expect(code).toBe(0);
  });

  it('says what a file is that is not a plan', async () => {
    writeFileSync(join(home, 'no-plan.json'), '{"a": 1}');
    const { code, stderr } = await docs(['plan', 'show', 'no-plan.json']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('no-plan.json')]);
    expect((await docs(['plan', 'show', 'nowhere.json'])).code).toBe(13);
  });
});

describe('docs commands schema', () => {
  it('prints the schema of plans, and those of files', async () => {
    const plan = JSON.parse((await docs(['schema', 'plan'])).stdout);
    expect(plan.properties.operations).toBeDefined();
    const teams = JSON.parse((await docs(['schema', 'file:teams'])).stdout);
    expect(JSON.stringify(teams)).toContain('manage');
    expect((await docs(['schema', 'file:teams.yaml'])).stdout).toBe(
      (await docs(['schema', 'file:teams'])).stdout,
    );
  });

  it('prints the schemas of the command plan by part', async () => {
    const input = JSON.parse((await docs(['schema', 'plan', '--part', 'input'])).stdout);
    expect(JSON.stringify(input)).toContain('only');
  });

  it('suggests the nearest file', async () => {
    const { code, stderr } = await docs(['schema', 'file:team']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean file:teams?')]);
  });
});
