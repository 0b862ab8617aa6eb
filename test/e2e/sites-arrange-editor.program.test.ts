import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { idOf } from '../organization/generated/rows.js';
import { World } from '../organization/generated/world.js';
import { stateWith } from '../site-tree/sites.js';
import { keys, type OnTerminal, onTerminal } from './terminal.js';

/** `docs sites arrange <site>` with an editor: what somebody wrote is there until the site is as it says. */

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

const site = idOf('site 0');
const section = { group: -1, spaces: 1, default: 0 };
beforeEach(() => {
  world.load(stateWith({ published: true, groups: 0, seeds: [], sections: [section, section] }));
  world.sent();
});

/** A script as the editor; the file is `$1`. */
function editing(script: string): OnTerminal {
  const path = join(world.folder, 'edit');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o700);
  const env = { ...world.env, PATH: process.env.PATH ?? '', TMPDIR: world.folder, EDITOR: path };
  return onTerminal(['sites', 'arrange', site], { env, cwd: world.folder, columns: 200 });
}

const rename = 'sed "s# /section-1 # /guides #" "$1" > "$1.new" && mv "$1.new" "$1"';
const changes = () => world.sent().filter((one) => !one.startsWith('GET') && !one.endsWith('/ping'));
const shownIn = ({ screen }: OnTerminal) => screen.text().replaceAll(/\s+/g, ' ');
/** What is in the file that was named. */
const keptText = (terminal: OnTerminal) =>
  readFileSync(/Your text is in (\S+);/.exec(shownIn(terminal))?.[1] ?? '', 'utf8');

// What else an editor may do is in editor.program.test.ts.
it.each([
  ['fails', `${rename}; exit 3`, 13, 'it exited with code 3'],
  ['leaves nonsense', `${rename}; echo nonsense >> "$1"`, 2, 'neither a group, a section nor a space'],
])('an editor that %s: the text is kept and its file named', async (_, script, code, message) => {
  const terminal = editing(script);
  expect(await terminal.ended).toMatchObject({ code });
  expect(shownIn(terminal)).toContain(message);
  expect(keptText(terminal)).toContain(' /guides ');
  expect(keptText(terminal)).toMatch(/to change nothing\.\n#\n[^#]/);
  expect(changes()).toEqual([]);
});

it.each([
  ['leaves the text as it is', ':', 0],
  ['fails before it writes', 'exit 3', 13],
])('an editor that %s: nothing is kept', async (_, script, code) => {
  const terminal = editing(script);
  expect(await terminal.ended).toMatchObject({ code });
  expect(shownIn(terminal)).not.toContain('Your text is in');
  expect(changes()).toEqual([]);
});

it('an editor that empties the file changes nothing', async () => {
  const terminal = editing(': > "$1"');
  expect(await terminal.ended).toMatchObject({ code: 2 });
  expect(shownIn(terminal)).toContain('the text is empty');
  expect(shownIn(terminal)).not.toContain('Your text is in');
  expect(changes()).toEqual([]);
});

it('asks about what was edited: no keeps the text, yes sends it', async () => {
  const refused = editing(rename);
  await refused.shows('Apply 1 change?');
  refused.type(`n${keys.enter}`);
  expect(await refused.ended).toMatchObject({ code: 2 });
  expect(keptText(refused)).toContain(' /guides ');
  expect(changes()).toEqual([]);
  const agreed = editing(rename);
  await agreed.shows('Apply 1 change?');
  agreed.type(`y${keys.enter}`);
  expect(await agreed.ended).toMatchObject({ code: 0 });
  expect(shownIn(agreed)).not.toContain('Your text is in');
  expect(changes()).toHaveLength(1);
});

it('refuses a text that would take back what somebody else changed meanwhile', async () => {
  const terminal = editing(`echo open; read line; ${rename}`);
  await terminal.shows('open');
  const tree = (await world.ok(['sites', 'tree', site])).replace(' /section-0 ', ' /theirs ');
  writeFileSync(join(world.folder, 'theirs.txt'), tree);
  await world.ok(['sites', 'arrange', site, '@theirs.txt', '--yes']);
  changes();
  terminal.type(keys.enter);
  expect(await terminal.ended).toMatchObject({ code: 7 });
  expect(shownIn(terminal)).toContain('changed while you edited its tree');
  expect(keptText(terminal)).toContain(' /guides ');
  expect(changes()).toEqual([]);
});
