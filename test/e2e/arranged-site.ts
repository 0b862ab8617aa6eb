import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { idOf } from '../organization/generated/rows.js';
import type { World } from '../organization/generated/world.js';
import { comparable, type Drawn, nested, rowsOf, stateWith } from '../site-tree/sites.js';
import { startIn } from './org-sessions.js';

/** A site whose tree is arranged anew: as it is, as a text wants it, and killed on the way. */

export const site = idOf('site 0');
const section = (group: number, spaces: number) => ({ group, spaces, default: 0 });
const drawn: Drawn = {
  ...{ published: true, groups: 1, seeds: [] },
  sections: [section(-1, 2), section(0, 2), section(0, 1), section(-1, 2)],
};
export const before = stateWith(drawn);

/** The lines of the tree, to be edited. */
export const linesOf = async (world: World) =>
  (await world.ok(['sites', 'tree', site, '--no-urls'])).trimEnd().split('\n');
export const write = (world: World, text: string) => writeFileSync(join(world.folder, 'tree.txt'), text);
export const changesOf = (sent: readonly string[]) =>
  sent.filter((one) => !one.startsWith('GET') && !one.endsWith('/ping'));
const treeNow = async (world: World) => comparable(nested(await rowsOf(world, site)));

/** One section out of its group and up, another renamed, a space to another section, a new section. */
export async function edited(world: World): Promise<string> {
  const lines = await linesOf(world);
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

/**
 * Killed at these of so many changes and resumed: the same tree, nothing twice; and undone at the end.
 */
export async function killedAtEach(
  world: World,
  changes: (whole: number) => readonly number[],
): Promise<void> {
  world.load(before);
  const start = await treeNow(world);
  const text = await edited(world);
  write(world, text);
  world.sent();
  const words = ['sites', 'arrange', site, '@tree.txt', '--yes', '--json'];
  await world.ok(words);
  const whole = changesOf(world.sent()).length;
  expect(whole).toBeGreaterThan(4);
  const wanted = await treeNow(world);
  for (const change of changes(whole)) {
    world.load(before);
    write(world, text);
    world.sent();
    expect(await killedAt(world, change, words)).toBe('SIGKILL');
    const { code, stderr } = await startIn(world, ['jobs', 'resume', 'last', '--json']).ended;
    expect({ change, code, stderr: code === 0 ? '' : stderr }).toEqual({ change, code: 0, stderr: '' });
    // The platform answered each of them once: what it never saw is sent again, and nothing else.
    const unseen = change % 2;
    expect({ change, sent: changesOf(world.sent()).length - unseen }).toEqual({ change, sent: whole });
    expect({ change, tree: await treeNow(world) }).toEqual({ change, tree: wanted });
  }
  await world.ok(['undo', 'last', '--yes']);
  expect(await treeNow(world)).toBe(start);
}

/** Every other change reaches the platform although the process ends. */
async function killedAt(
  world: World,
  change: number,
  words: readonly string[],
): Promise<NodeJS.Signals | null> {
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
