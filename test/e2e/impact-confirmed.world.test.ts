import { expect, test } from 'vitest';
import type { Io } from '../../src/base/io.js';
import { forwardedHome } from './forwarded-home.js';
import { sleepHere } from './here.js';
import { spacesPlatform } from './spaces-platform.js';
import { keys, type OnTerminal } from './terminal.js';
import { onTerminalHere } from './terminal-here.js';

/** What a change would break is shown on a terminal of 80 columns before it is confirmed. */

const { home } = await forwardedHome();

const docs = (...words: string[]): OnTerminal => onTerminalHere(words, { cwd: home.path, env: home.env });
const idsOf = async (...words: string[]) => (await home.json<{ id: string }[]>(words)).map(({ id }) => id);

test('a space: beside what goes with it, and nothing twice', async () => {
  const spaces = await home.json<{ id: string; title: string }[]>(['spaces', 'list']);
  const { id = '', title = '' } = spaces.find((one) => one.title === 'Welcome') ?? {};
  const terminal = docs('spaces', 'delete', id);
  await terminal.shows('Type the title or the id to go on:');
  const text = terminal.screen.text();
  expect(text).toContain(`Delete space ${title} (${id})\n  It has `);
  expect(text).toMatch(/\n {2}\d+ published URLs stop working\.\n/);
  expect(text).toMatch(/\n {2}\d+ people lose access\.\n/);
  expect(text).toContain(`\n  "docs impact delete space ${id}" shows all of it.\n`);
  expect(text.match(/change requests? (?:is|are)/g)).toHaveLength(1);
  terminal.type(`${title}${keys.enter}`);
  const { code, screen } = await terminal.ended;
  expect(screen).toContain(`✓ Deleted space ${title} (${id})`);
  expect(code).toBe(0);
});

test('several things, and one by yes or no; Ctrl-C sends nothing', async () => {
  const [first = '', second = ''] = await idsOf('teams', 'list');
  const several = docs('teams', 'delete', first, second);
  await several.shows('Delete 2 teams. Type 2 to go on:');
  expect(several.screen.text()).toContain(`"docs impact delete team ${first} ${second}" shows all`);
  several.type(keys.interrupt);
  expect((await several.ended).screen).toContain('interrupted; nothing was sent');
  const one = docs('teams', 'delete', first);
  await one.shows(`Delete team ${first}?`);
  expect(one.screen.text()).toContain('Undoing the deletion is best effort: the team is recreated');
  one.type(`y${keys.enter}`);
  expect((await one.ended).code).toBe(0);
  expect(await idsOf('teams', 'list')).not.toContain(first);
});

test('the question comes after two seconds, and one line names what the platform did not show by then', async () => {
  const platform = await spacesPlatform((_, { pathname }) =>
    pathname === '/v1/spaces/s2' ? undefined : 'never',
  );
  // The time is over once all that is looked at has been asked for.
  const sleep: Io['sleep'] = async (ms, signal) => {
    if (ms === 2000) await expect.poll(() => platform.requests.length).toBeGreaterThan(3);
    else await sleepHere(ms, signal);
  };
  const env = { ...home.env, DOCS_BASE_URL: platform.url, DOCS_TOKEN: 'a-token', DOCS_ORG: 'o1' };
  const words = ['spaces', 'delete', 's2', '--timeout', '30s'];
  const terminal = onTerminalHere(words, { cwd: home.path, env }, { now: Date.now, sleep });
  await terminal.shows('Type the title or the id to go on:');
  const text = terminal.screen.text();
  expect(text.match(/Could not .*/g)).toEqual([
    'Could not look at the pages, the sites and 1 space within 2 s.',
  ]);
  expect(text).toContain('\n  2 change requests are open.\n');
  expect(text).toContain('\n  "docs impact delete space s2" shows all of it.\n');
  terminal.type(`Handbook${keys.enter}`);
  expect((await terminal.ended).code).toBe(0);
  expect(platform.changes()).toEqual(['DELETE /v1/spaces/s2']);
  await platform.close();
});
