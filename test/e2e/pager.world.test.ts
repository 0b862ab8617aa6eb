import { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FakeOutput } from '../fake-io.js';
import { runHere } from './here.js';
import { memberPages, type PagedMembers } from './paged-members.js';
import { freshHome, type Home } from './program.js';

/** Which pager is started for what does not fit on a screen of 24 lines, and when none is. */

let platform: PagedMembers;
let home: Home;
beforeAll(async () => {
  home = freshHome({ DOCS_TOKEN: 't', DOCS_ORG: 'o1' });
  platform = await memberPages();
  home.env.DOCS_BASE_URL = platform.url;
  // None can be started here; each is said to be missing.
  vi.spyOn(ChildProcess.prototype as unknown as { spawn(): number }, 'spawn').mockImplementation(function (
    this: ChildProcess,
  ) {
    process.nextTick(() => this.emit('error', Object.assign(new Error('spawn'), { code: 'ENOENT' })));
    return 0;
  });
});
afterAll(async () => {
  vi.restoreAllMocks();
  await platform.close();
  home.remove();
});

/** @returns what the screen was sent, and the pager that was to be started */
async function shown(words: readonly string[], env: Readonly<Record<string, string>>, terminal = true) {
  const [stdout, stderr] = [new FakeOutput({ terminal, columns: 80 }), new FakeOutput({ terminal })];
  stdout.rows = 24;
  const all = { ...home.env, TERM: 'xterm-256color', ...env };
  const { code } = await runHere(words, all, home.path, undefined, { stdout, stderr });
  expect(code).toBe(0);
  const [, pager] =
    /Cannot start the pager (\S+): it was not found\. Printing without it\./.exec(stderr.text) ?? [];
  return { text: stdout.text, pager };
}

const list = ['members', 'list'];

describe('the pager is', () => {
  const all = { DOCS_PAGER: 'one', PAGER: 'three' };
  it.each<[string, string | undefined, readonly string[], Record<string, string>]>([
    ['one', 'two', list, all],
    ['two', 'two', list, { PAGER: 'three' }],
    ['two', 'two', ['help', 'policy'], { PAGER: 'three' }],
    ['two', 'two', ['--help'], { PAGER: 'three' }],
    ['three', undefined, list, { PAGER: 'three' }],
  ])('%s with the setting %j for %j %j', async (expected, setting, words, env) => {
    if (setting === undefined) await home.ok(['config', 'unset', 'pager']);
    else await home.ok(['config', 'set', 'pager', setting]);
    expect((await shown(words, env)).pager).toBe(expected);
  });
});

describe('under a policy a pager is', () => {
  it.each([
    ['left out, and the text is printed', 'allow: [read]', undefined],
    ['left out where the command is named', 'allow: ["members list"]', undefined],
    ['left out where a rule denies programs', 'default: allow\ndeny: [programs]', undefined],
    ['started where the policy says programs', 'allow: [read, programs]', 'three'],
  ])('%s', async (_, rules, expected) => {
    const path = join(home.path, 'policy.yaml');
    writeFileSync(path, `version: 1\n${rules}\n`);
    await home.ok(['config', 'unset', 'pager']);
    const { pager, text } = await shown(list, { PAGER: 'three', DOCS_POLICY: path });
    expect(pager).toBe(expected);
    expect(text.split('\n').length).toBeGreaterThan(24);
  });

  it('left out of help, too', async () => {
    const path = join(home.path, 'policy.yaml');
    writeFileSync(path, 'version: 1\nallow: [read]\n');
    expect((await shown(['help', 'policy'], { PAGER: 'three', DOCS_POLICY: path })).pager).toBeUndefined();
  });
});

describe('no pager is started', () => {
  it.each<[string, string[], Record<string, string>]>([
    ['for what fits', ['--role', 'admin'], {}],
    ['with --no-pager', ['--no-pager'], {}],
    ['with --no-input', ['--no-input'], {}],
    ['with DOCS_PAGER=cat', [], { DOCS_PAGER: 'cat' }],
    ['with an empty DOCS_PAGER', [], { DOCS_PAGER: '' }],
    ['in CI', [], { CI: 'true' }],
    ['for an agent', [], { CLAUDECODE: '1' }],
    ['on a dumb terminal', [], { TERM: 'dumb' }],
  ])('%s', async (_, flags, env) => {
    const { text, pager } = await shown([...list, ...flags], { PAGER: 'three', ...env });
    expect(text).toContain('Member 2 ');
    expect(pager).toBeUndefined();
  });

  it('where the setting is off', async () => {
    await home.ok(['config', 'set', 'pager', 'off']);
    expect((await shown(list, { PAGER: 'three' })).pager).toBeUndefined();
    await home.ok(['config', 'unset', 'pager']);
  });

  it('in a pipe', async () => {
    const { text, pager } = await shown(list, { PAGER: 'three' }, false);
    expect(text.split('\n')).toHaveLength(51);
    expect(pager).toBeUndefined();
  });
});
