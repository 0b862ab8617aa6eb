import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DocsError } from '../../../src/base/errors.js';
import type { Globals } from '../../../src/cli/declare/session.js';
import { runCommand } from '../../../src/cli/run/pipeline.js';
import { fakeIo } from '../../fake-io.js';
import { opened } from '../../opened.js';
import { openGateWorld } from '../../policy/gate-world.js';
import { seedId } from '../../sandbox/client.js';
import { idle } from './example/idle.js';

/** The report that CONTRIBUTING has as its example, in each medium. */

const world = opened(openGateWorld);
const acme = seedId('org acme');

async function run(globals: Globals, options: Record<string, unknown> = {}, isTerminal = false) {
  const terminals = isTerminal ? (['stdout'] as const) : [];
  const io = fakeIo({ cwd: world.home, env: world.env, terminals });
  const entry = { name: 'idle', summary: '', topic: 'People', load: async () => idle } as const;
  const line = { io, globals, argv: [], groups: [entry], runLine: async () => 0 };
  const failure = await runCommand(line, 'idle', { args: {}, options: { org: acme, ...options } }).then(
    () => undefined,
    (cause: unknown) => cause as DocsError,
  );
  return { failure, stdout: io.stdout.text, stderr: io.stderr.text };
}

it('declares its flags, formats and exits', () => {
  const { options, formats, exits } = idle;
  expect(options.map(({ name }) => name)).toEqual(['out', 'html', 'org', 'sort-by']);
  expect([formats, exits]).toEqual([['markdown', 'html'], ['partial']]);
});

describe('a report', () => {
  it('is a document on a terminal and in Markdown, and rows elsewhere', async () => {
    const shown = await run({ color: false }, {}, true);
    expect(shown.stdout).toBe('Teams without access\n\nTeams (1)\n  Support  3  58r3X1FgDS0A1SsD1Tls\n');
    expect((await run({ output: 'markdown' })).stdout).toMatch(
      /^### Teams without access\n[\s\S]*\| Support \| 3 \|/,
    );
    expect(JSON.parse((await run({ output: 'json' })).stdout)).toMatchObject([{ title: 'Support' }]);
    const piped = await run({}, {}, false);
    expect(piped.stdout).toMatch(/^Support\t3\t\S+\t58r3X1FgDS0A1SsD1Tls\n$/);
    expect(piped.stderr).toBe('1 team without access.\n');
  });

  it('writes a page, which another file is not replaced by', async () => {
    const { stderr } = await run({}, { html: 'idle.html' });
    expect(stderr).toMatch(/^Wrote idle\.html .*\n1 team without access\.\n$/);
    expect(readFileSync(join(world.home, 'idle.html'), 'utf8')).toContain(
      '<h1 dir="auto">1 team without access</h1>',
    );
    world.write('mine.txt', 'text');
    const { failure } = await run({}, { html: 'mine.txt' });
    expect(failure?.code).toBe('file_exists');
    await run({ dryRun: true }, { html: 'other.html' });
    expect(existsSync(join(world.home, 'other.html'))).toBe(false);
  });

  it('that was not read in full prints, warns, and fails', async () => {
    world.control.faults.add({ match: 'GET /v1/orgs/*/teams', status: 403, times: 1 });
    const { failure, stdout, stderr } = await run({});
    expect(failure).toMatchObject({ kind: 'partial', code: 'not_all_read' });
    expect(failure?.failure.details?.unread).toMatchObject([{ kind: 'teams-of', id: acme }]);
    expect([stdout, stderr]).toEqual(['', expect.stringMatching(/^Not read: teams of .*\n$/)]);
  });

  it('refuses what it has no column for, before it reads', async () => {
    const before = world.seen.length;
    const { failure } = await run({ fields: 'nothing' });
    expect(failure?.code).toBe('unknown_field');
    expect(world.seen.slice(before).filter((one) => one.includes('/teams'))).toEqual([]);
  });
});
