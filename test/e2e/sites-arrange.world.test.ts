import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idOf } from '../organization/generated/rows.js';
import { World } from '../organization/generated/world.js';
import { comparable, type Drawn, nested, rowsOf, stateWith } from '../site-tree/sites.js';
import { startIn } from './org-sessions.js';

/** `docs sites arrange` as its users meet it: what is sent, what is said, killed at any request, and taken back. */

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const site = idOf('site 0');
const section = (group: number, spaces: number) => ({ group, spaces, default: 0 });
const drawn: Drawn = {
  ...{ published: true, groups: 1, seeds: [] },
  sections: [section(-1, 2), section(0, 2), section(0, 1), section(-1, 2)],
};
const before = stateWith(drawn);

/** The lines of the tree, to be edited. */
const linesOf = async () => (await world.ok(['sites', 'tree', site, '--no-urls'])).trimEnd().split('\n');
const write = (text: string) => writeFileSync(join(world.folder, 'tree.txt'), text);
const changesOf = (sent: readonly string[]) =>
  sent.filter((one) => !one.startsWith('GET') && !one.endsWith('/ping'));
const treeNow = async () => comparable(nested(await rowsOf(world, site)));

/** One section out of its group and up, another renamed, a space to another section, a new section. */
async function edited(): Promise<string> {
  const lines = await linesOf();
  const at = (path: string) => lines.findIndex((line) => line.includes(` /${path} `));
  const block = (start: number, count: number) => lines.slice(start, start + count);
  const [own, spaces] = [block(at('section-2'), 1), block(at('section-2') + 1, 1)];
  const left = lines.filter((line) => !own.includes(line) && !spaces.includes(line));
  const space = left.findLast((line) => line.includes(' /page-1 ')) ?? '';
  const rest = left.filter((line) => line !== space).map((line) => line.replace('/section-3 ', '/third '));
  const out = [...own, ...spaces].map((line) => line.slice(2));
  const home = rest.findIndex((line) => line.includes(' /section-0 '));
  const moved = space.replace('/page-1 ', '/page-9 ').replace(/^ +/, '  ');
  return [...out, ...rest.slice(0, home + 1), moved, ...rest.slice(home + 1)].join('\n');
}

describe('sites arrange', () => {
  it('shows moves, addresses and redirects, sends nothing in a dry run, and writes a plan that is applied', async () => {
    world.load(before);
    write(await edited());
    world.sent();
    const dry = await world.docs([
      'sites',
      'arrange',
      site,
      '@tree.txt',
      '--dry-run',
      '--redirects',
      'r.csv',
    ]);
    expect(dry).toMatchObject({ code: 0 });
    expect(changesOf(world.sent())).toEqual([]);
    expect(dry.stdout).toContain('It is removed from the site and added to the other section');
    expect(dry.stdout).toContain('/section-3/');
    expect(dry.stdout).toContain('→ https://');
    expect(dry.stdout).toMatch(/published URLs change/);
    expect(dry.stderr).toContain('did not write r.csv');
    await world.ok(['sites', 'arrange', site, '@tree.txt', '--save-plan', 'p.json', '--redirects', 'r.csv']);
    const csv = readFileSync(join(world.folder, 'r.csv'), 'utf8');
    expect(csv).toMatch(/^from,to\n/);
    expect(csv).toMatch(/\/section-3\/,https:.*\/third\//);
    expect(changesOf(world.sent())).toEqual([]);
    await world.ok(['apply', 'p.json', '--yes']);
    world.sent();
    const again = await world.docs(['sites', 'arrange', site, '@tree.txt', '--yes']);
    expect(again).toMatchObject({ code: 0 });
    expect(changesOf(world.sent())).toEqual([]);
  });

  it('writes the redirects once the changes are agreed to, and never over them where nothing is to do', async () => {
    world.load(before);
    write(await edited());
    const words = ['sites', 'arrange', site, '@tree.txt', '--redirects', 'agreed.csv'];
    const file = join(world.folder, 'agreed.csv');
    const asked = await world.docs(words);
    expect(asked).toMatchObject({ code: 2 });
    expect(existsSync(file)).toBe(false);
    await world.ok([...words, '--yes']);
    const redirects = readFileSync(file, 'utf8');
    expect(redirects.split('\n').length).toBeGreaterThan(2);
    await world.ok([...words, '--yes']);
    expect(readFileSync(file, 'utf8')).toBe(redirects);
  });

  it('removes nothing that a text lacks without --prune, and then only from the site', async () => {
    world.load(before);
    const lines = await linesOf();
    const gone = lines.findLast((line) => line.includes(' /page-1 ')) ?? '';
    write(lines.filter((line) => line !== gone).join('\n'));
    world.sent();
    const refused = await world.docs(['sites', 'arrange', site, '@tree.txt', '--yes']);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('lacks 1 part of the site Handbook; nothing was changed');
    expect(changesOf(world.sent())).toEqual([]);
    await world.ok(['sites', 'arrange', site, '@tree.txt', '--prune', '--yes']);
    expect(changesOf(world.sent())).toEqual([expect.stringMatching(/^DELETE .*\/site-spaces\//)]);
  });

  it.each([
    [
      'an unknown id',
      (lines: string[]) => lines.map((line) => line.replace(/section [\w-]+\]/, 'section nope]')),
      'has no section nope',
    ],
    ['an id twice', (lines: string[]) => [...lines, lines[1] ?? ''], 'already'],
    [
      'the title of a space',
      (lines: string[]) => lines.map((line) => line.replace(/^( +).*( \/page-0)/, '$1Other $2')),
      'change it with "docs spaces update',
    ],
    [
      'two equal paths',
      (lines: string[]) => lines.map((line) => line.replace('/section-3', '/section-0')),
      'the path /section-0 is that of line',
    ],
    [
      'two defaults',
      (lines: string[]) =>
        lines.map((line) => (line.startsWith(' ') ? line : line.replace(/(\[section [\w-]+\])$/, '$1 *'))),
      'one opens first',
    ],
    ['no line at all', () => ['# nothing'], 'has no lines of a tree'],
  ])('refuses %s, with its line, and sends nothing', async (_, edit, message) => {
    world.load(before);
    write(edit(await linesOf()).join('\n'));
    world.sent();
    const refused = await world.docs(['sites', 'arrange', site, '@tree.txt', '--yes']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(message);
    expect(changesOf(world.sent())).toEqual([]);
  });

  it('killed at any change, resumed: the same tree, nothing twice', async () => {
    world.load(before);
    const start = await treeNow();
    const text = await edited();
    write(text);
    world.sent();
    const words = ['sites', 'arrange', site, '@tree.txt', '--yes', '--json'];
    await world.ok(words);
    const whole = changesOf(world.sent()).length;
    expect(whole).toBeGreaterThan(4);
    const wanted = await treeNow();
    for (let change = 1; change <= whole; change += 1) {
      world.load(before);
      write(text);
      world.sent();
      expect(await killedAt(change, words)).toBe('SIGKILL');
      const { code, stderr } = await startIn(world, ['jobs', 'resume', 'last', '--json']).ended;
      expect({ change, code, stderr: code === 0 ? '' : stderr }).toEqual({ change, code: 0, stderr: '' });
      // The platform answered each of them once: what it never saw is sent again, and nothing else.
      const unseen = change % 2;
      expect({ change, sent: changesOf(world.sent()).length - unseen }).toEqual({ change, sent: whole });
      expect({ change, tree: await treeNow() }).toEqual({ change, tree: wanted });
    }
    await world.ok(['undo', 'last', '--yes']);
    expect(await treeNow()).toBe(start);
  });
});

/** Every other change reaches the platform although the process ends. */
async function killedAt(change: number, words: readonly string[]): Promise<NodeJS.Signals | null> {
  const running = startIn(world, words);
  let seen = 0;
  world.onRequest = (sent) => {
    if (changesOf([sent]).length === 0) return;
    seen += 1;
    if (seen !== change) return;
    running.kill('SIGKILL');
    if (change % 2 === 1) throw new Error('The platform never saw this one.');
  };
  const { signal } = await running.ended;
  world.onRequest = () => {};
  return signal;
}
