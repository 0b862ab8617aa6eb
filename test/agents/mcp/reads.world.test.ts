import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Command, camel, type Option } from '../../../src/cli/declare/command.js';
import { stands } from '../../../src/cli/declare/define.js';
import { commandTree } from '../../../src/cli/declare/outline.js';
import { groups } from '../../../src/commands/index.js';
import { shellWords } from '../../commands/shell-words.js';
import { effectsOf, watchEffects } from '../../e2e/examples/effects.js';
import { files as exampleFiles } from '../../e2e/examples/files.js';
import { exceptions, type Need, needOf } from '../../e2e/examples/needs.js';
import { fastClock, runLine } from '../../e2e/examples/run-line.js';
import { lineOf } from '../../policy/gate-lines.js';
import { mcpOfFile } from './mcp-world.js';

/**
 * What an agent with nothing but MCP can do under a policy that only allows to read, by any command that there is: nothing
 * but read. Its rows follow from the declarations.
 */

const mcp = await mcpOfFile({ hasPolicy: true, files: '' });
const tools = ['docs_read', 'docs_plan', 'docs_change'] as const;
const tree = await commandTree(groups);
watchEffects(false);

const folder = () => join(mcp.home, 'handbook');
beforeEach(async () => {
  await mcp.begin({ hasPolicy: true, files: folder() });
  mkdirSync(folder());
  writeFileSync(join(folder(), 'mine.txt'), 'mine');
  writeFileSync(join(mcp.home, 'policy.yaml'), 'version: 1\nallow: [read]\n', { mode: 0o600 });
  mcp.io.env = { ...mcp.io.env, DOCS_POLICY: join(mcp.home, 'policy.yaml') };
});

/** The files of the agent's folder, with what they hold; what is beside it is that of the server. */
function files(): Record<string, string> {
  const names = readdirSync(folder(), { recursive: true, withFileTypes: true });
  const found = names.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(found.map((path) => [path, readFileSync(path, 'utf8')]));
}

/** Of a command: an example, which the seed has everything for; where none can run here, its least line. */
const lines = tree.map(({ path, command }) => {
  const can = command.examples.filter(({ run }) => !/ [<>|] /.test(run));
  const example =
    can.find(({ run }) => !(run in exceptions)) ?? (command.spec === undefined ? undefined : can[0]);
  const least = (lineOf(path, command) ?? []).map((word) => stands[word] ?? word);
  // What each tool gives itself, or is not to be made up for by.
  const run = example?.run.replaceAll(/ --(?:dry-run|list|yes|save-plan \S+)/g, '');
  const words = run === undefined ? least.filter((word) => word !== '--yes') : shellWords(run);
  return { path, command, need: needOf(example?.run ?? path), words };
});

/** Does what an example needs before it, without a policy; what it reads is in the folder. */
async function prepare({ before = [], at }: Need): Promise<void> {
  const { DOCS_POLICY: _, ...env } = mcp.io.env;
  for (const [name, text] of Object.entries(exampleFiles)) {
    mkdirSync(join(folder(), name, '..'), { recursive: true });
    writeFileSync(join(folder(), name), text);
  }
  for (const step of before)
    if (typeof step === 'string')
      await runLine(step, { cwd: folder(), env: env as Record<string, string>, clock: fastClock(at) });
    else step({ cwd: folder(), home: mcp.home });
}

/** Refusals that say what an agent may not do: the line itself was right. */
const refusals = [
  ...['not_a_read', 'not_plannable', 'refused_command', 'refused_file', 'refused_flag'],
  ...['policy_denied', 'policy_required', 'undo_not_exact', 'nothing_to_change'],
];

/** What a line says beside: of what it found, and of what it lacks to be a change. */
const otherwise: Readonly<Record<string, string>> = {
  'links fix': 'missing_flag',
  'sso readiness': 'not_ready',
  'change-requests inbox': 'read_only',
};

describe('a command changes nothing', () => {
  it.each(lines)('docs $path', async ({ path, words, need, command }) => {
    await prepare(need);
    const [before, sent, changed] = [files(), mcp.sent().length, mcp.writes().length];
    const codes: unknown[] = [];
    const { effects } = await effectsOf(async () => {
      for (const tool of tools) {
        const { isError, error } = await mcp.call(tool, { argv: words });
        codes.push(isError ? error.code : 'ok');
      }
    });
    expect(
      mcp
        .writes()
        .slice(changed)
        .filter((one) => !one.endsWith('/ping')),
    ).toEqual([]);
    const after = files();
    const isNew = (name: string) => !(name in before);
    // What a plan writes where it is not told is its evidence, and never in place of another file.
    const writes = command.options.some(
      (one: Option) => one.path?.use === 'writes' && one.path.usual !== undefined,
    );
    expect(Object.keys(after).filter((name) => isNew(name) && !writes)).toEqual([]);
    expect(after).toMatchObject(before);
    const platform = [mcp.io.env.DOCS_BASE_URL, mcp.url].map((url) => new URL(url ?? '').host);
    const elsewhere = effects.filter(
      ({ is, what }) => is === 'program' || (is === 'address' && !platform.includes(what)),
    );
    expect(elsewhere).toEqual([]);
    const told = codes.filter((code) => code !== 'ok' && !refusals.includes(String(code)));
    expect([...new Set(told)]).toEqual(otherwise[path] === undefined ? [] : [otherwise[path]]);
    // So that a read that was let through is one of the platform.
    const [op] = command.spec === undefined ? [] : command.operations;
    if (op?.method === 'GET' && codes.includes('ok')) expect(mcp.sent().length).toBeGreaterThan(sent);
  });
});

/** The line with a flag, before what is passed on. */
function withFlag(words: readonly string[], { name }: Pick<Option, 'name'>, value: string): string[] {
  const at = words.indexOf(`--${name}`);
  const others = at < 0 ? [...words] : words.toSpliced(at, 2);
  const end = others.indexOf('--');
  return others.toSpliced(end < 0 ? others.length : end, 0, `--${name}`, value);
}

const writing = lines.flatMap(({ path, command, words, need }) =>
  command.options
    .filter((one: Command['options'][number]) => one.path?.use === 'writes' && camel(one.name) !== 'savePlan')
    .map((one) => ({ path, flag: one.name, words, need, option: one })),
);

it('writes new files where it may, so that the rest is no accident', async () => {
  const argv = ['access', 'matrix', '--html', join(folder(), 'new.html')];
  expect((await mcp.call('docs_plan', { argv })).error.code).not.toBe('refused_file');
  expect(lines.length).toBe(tree.length);
});

describe('no flag replaces a file, or writes one outside of --files', () => {
  it.each(writing)('docs $path --$flag', async ({ words, need, option }) => {
    await prepare(need);
    const outside = join(mcp.home, 'outside.txt');
    const before = files();
    for (const tool of tools)
      for (const file of [outside, join(folder(), 'mine.txt'), join(mcp.home, 'policy.yaml')])
        await mcp.call(tool, { argv: [...withFlag(words, option, file), '--yes'] });
    expect(existsSync(outside)).toBe(false);
    expect(files()).toMatchObject(before);
    expect(readFileSync(join(mcp.home, 'policy.yaml'), 'utf8')).toBe('version: 1\nallow: [read]\n');
  });
});
