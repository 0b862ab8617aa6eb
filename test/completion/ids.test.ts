import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ContextParameter, contextFlags } from '../../src/cli/declare/global-flags.js';
import { commandTree } from '../../src/cli/declare/outline.js';
import { viewOf } from '../../src/cli/declare/shown.js';
import { walk } from '../../src/cli/parse/walk.js';
import { groups } from '../../src/commands/index.js';
import { cachedIds } from '../../src/completion/ids.js';
import { refreshIds } from '../../src/completion/refresh.js';
import { namedResources, resources } from '../../src/model/resources.js';
import { fieldPaths } from '../../src/output/printed-shapes.js';
import { type FakeIo, fakeIo } from '../fake-io.js';

/** Ids come from a cache that another process fills; here that process is played by `refreshIds`. */

let home: string;
let io: FakeIo;
let started: string[][];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'docs-ids-'));
  started = [];
  io = fakeIo({
    env: { HOME: home, DOCS_BASE_URL: 'https://docs.example' },
    sleep: 'skips',
    now: new Date().toISOString(),
  });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const teams = resources.team;
const folder = () => join(home, '.cache', 'docs', 'completion');
const cacheFile = () => join(folder(), readdirSync(folder()).find((name) => name.endsWith('.json')) ?? '');

async function ids(words: string[] = ['teams', 'get'], kind = teams) {
  const source = cachedIds(io, (line) => started.push([...line]));
  return source(kind, await walk(words, groups));
}

/** Does what the process in the background does, with a platform that has these items. */
async function refresh(items: unknown[], code = 0): Promise<string[]> {
  const seen: string[] = [];
  await refreshIds((started.at(-1) as string[]).slice(1), groups, io, async (argv, inner) => {
    seen.push(...argv);
    inner.stdout.write(JSON.stringify(items));
    return code;
  });
  return seen;
}

describe('ids with their titles', () => {
  it('are requested once and offered the next time', async () => {
    expect(await ids()).toEqual([]);
    expect(io.sleeps.reduce((sum, ms) => sum + ms, 0)).toBe(300);
    expect(await ids()).toEqual([]);
    expect(started).toEqual([['__complete-ids', expect.stringMatching(/^[0-9a-f]{32}$/), 'team']]);

    const argv = await refresh([{ id: 't1', title: 'Writers' }]);
    expect(argv.slice(0, 4)).toEqual(['teams', 'list', '--limit', '500']);
    expect(argv).toEqual(
      expect.arrayContaining(['--json', 'id,title', '--no-input', '--quiet', '--no-retry']),
    );
    expect(await ids()).toEqual([{ word: 't1', note: 'Writers' }]);
    expect(started).toHaveLength(1);
  });

  it('are offered while stale, and requested again', async () => {
    await ids();
    await refresh([{ id: 't1', title: 'Writers' }]);
    await io.sleep(61_000);
    io.sleeps.length = 0;
    expect(await ids()).toEqual([{ word: 't1', note: 'Writers' }]);
    expect(started).toHaveLength(2);
    expect(io.sleeps).toEqual([]);
    await io.sleep(600_000);
    expect(await ids()).toEqual([]);
  });

  it('depend on the flags of the line and nothing else', async () => {
    const sections = resources.section;
    await ids(['sections', 'update', '--site', 'w1'], sections);
    expect(started.at(-1)?.slice(3)).toEqual(['--site=w1']);
    const argv = await refresh([{ id: 'x1', title: 'Guides' }]);
    expect(argv.slice(0, 3)).toEqual(['sections', 'list', '--site=w1']);
    expect(await ids(['sections', 'update', '--site', 'w2'], sections)).toEqual([]);
    expect(await ids(['sections', 'update', '--site', 'w1'], sections)).toEqual([
      { word: 'x1', note: 'Guides' },
    ]);
  });

  it('depend on the resources named before', async () => {
    const replies = resources.reply;
    await ids(['comments', 'replies', 'get', 'k1', '--space=s1'], replies);
    expect(started.at(-1)?.slice(3)).toEqual(['k1', '--space=s1']);
    const argv = await refresh([{ id: 'r1', body: { markdown: 'Fixed' } }]);
    expect(argv.slice(0, 5)).toEqual(['comments', 'replies', 'list', 'k1', '--space=s1']);
    expect(await ids(['comments', 'replies', 'get', 'k2', '--space=s1'], replies)).toEqual([]);
    expect(await ids(['comments', 'replies', 'get', 'k1', '--space=s1'], replies)).toEqual([
      { word: 'r1', note: 'Fixed' },
    ]);
  });

  it('come from the sandbox with --sandbox', async () => {
    io = fakeIo({ env: { HOME: home }, sleep: 'skips', now: new Date().toISOString() });
    await ids(['--sandbox', 'teams', 'get']);
    expect(started.at(-1)?.slice(3)).toEqual(['--sandbox']);
  });

  it('are not requested without a sign-in', async () => {
    io = fakeIo({ env: { HOME: home }, sleep: 'skips' });
    expect(await ids()).toEqual([]);
    expect(started).toEqual([]);
  });

  it('are not requested if the shell has yet to expand a flag', async () => {
    expect(await ids(['teams', 'get', '--org', '$ORG'])).toEqual([]);
    expect(await ids(['teams', 'get', '--org=`cat org`'])).toEqual([]);
    expect(started).toEqual([]);
  });

  it('are empty for a while after a failed list', async () => {
    await ids();
    await refresh([], 4);
    expect(await ids()).toEqual([]);
    expect(started).toHaveLength(1);
  });

  it('are cached with mode 0600', async () => {
    await ids();
    await refresh([{ id: 't1', title: 'Writers' }]);
    expect(statSync(folder()).mode & 0o777).toBe(0o700);
    expect(statSync(cacheFile()).mode & 0o777).toBe(0o600);
  });

  it('are empty if the cache is damaged', async () => {
    await ids();
    await refresh([{ id: 't1', title: 'Writers' }]);
    writeFileSync(cacheFile(), '{"atMs": 1, "ids": [[');
    expect(await ids()).toEqual([]);
  });
});

describe('answers of a hostile platform', () => {
  it('are text in a title and never an id', async () => {
    await ids();
    await refresh([
      { id: 't1', title: '$(touch /tmp/x) `id`\n\u001b[31m\u202e\ttab' },
      { id: '$(touch /tmp/x)', title: 'Bad id' },
      { id: 'a b', title: 'Bad id' },
      { id: '-rf', title: 'Bad id' },
      { id: ":files ~/'", title: 'Bad id' },
      { id: 't2', title: { text: 'no text' } },
      { id: 't3', title: `${'😀'.repeat(80)}` },
      null,
    ]);
    expect(await ids()).toEqual([
      { word: 't1', note: '$(touch /tmp/x) `id` ␛[31m<U+202E> tab' },
      { word: 't2', note: '' },
      { word: 't3', note: `${'😀'.repeat(59)}…` },
    ]);
  });

  it('are ignored if they are not a list', async () => {
    await ids();
    await refresh({ items: [] } as unknown as unknown[]);
    expect(await ids()).toEqual([]);
    expect(JSON.parse(readFileSync(cacheFile(), 'utf8')).ids).toEqual([]);
  });

  it('cannot choose the file to write', async () => {
    await refreshIds(['../../evil', 'team'], groups, io, async () => 0);
    await refreshIds(['a'.repeat(32), 'no-such-kind'], groups, io, async () => 0);
    expect(readdirSync(home)).toEqual([]);
  });
});

describe('every kind', async () => {
  const tree = await commandTree(groups);
  it.each(namedResources)(
    '$name is listed by docs $command.words, which knows id and title',
    ({ command: { words: list, id, title }, parents }) => {
      const command = tree.find(({ path }) => path === list)?.command;
      const operation = command?.operations[0];
      if (command === undefined || operation === undefined) throw new Error(`no such list: ${list}`);
      const { fields } =
        command.spec === undefined ? fieldPaths(command.returns?.items) : viewOf(command, operation);
      expect(fields).toEqual(expect.arrayContaining([id, title]));
      const flags = command.options.map(({ name }) => name);
      const needed = parents.flatMap((parent) =>
        parent in contextFlags ? contextFlags[parent as ContextParameter] : [],
      );
      expect(flags).toEqual(expect.arrayContaining(needed));
    },
  );
});
