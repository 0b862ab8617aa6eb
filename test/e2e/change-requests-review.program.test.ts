import { readFileSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';
import { discussed, homeOfChanges } from './change-platform.js';
import { keys, type OnTerminal, onTerminal } from './terminal.js';

/** `docs change-requests review` on a terminal: each of its choices. */

const home = homeOfChanges();
const onReview = (env: Record<string, string> = {}): OnTerminal =>
  onTerminal(['change-requests', 'review', '5', '--no-pager'], {
    env: { ...home.env, ...env },
    cwd: home.path,
  });

const merging = (result: string) => (method: string, url: URL) => {
  if (method !== 'POST') return undefined;
  if (url.pathname.endsWith('/merge')) return { body: { revision: 'r3', result } };
  return url.pathname.endsWith('/comments') ? { body: discussed.comments?.[2] } : undefined;
};
const changes = () => home.sent().filter((request) => !request.startsWith('GET '));

it('leaves by Enter alone, and changes nothing', async () => {
  await home.startPlatform(discussed, merging('merge'));
  const terminal = onReview();
  await terminal.shows('❯ Leave');
  terminal.type(keys.enter);
  expect((await terminal.ended).code).toBe(0);
  expect(changes()).toEqual([]);
});

it('comments with a text that is typed, whatever it begins with, or from the editor', async () => {
  await home.startPlatform(discussed, merging('merge'));
  const terminal = onReview({ EDITOR: home.script('edit', 'echo "# From the editor" > "$1"') });
  await terminal.shows('❯ Leave');
  terminal.type(keys.down + keys.enter);
  await terminal.shows('❯ The change request');
  terminal.type(keys.down + keys.enter);
  await terminal.shows('? Comment:');
  terminal.type(`@ada fine${keys.enter}`);
  await terminal.shows('❯ Leave');
  await terminal.shows('All in all fine.');
  terminal.type(keys.down + keys.down + keys.enter);
  await terminal.shows('❯ The change request');
  terminal.type(keys.enter);
  await terminal.shows('❯ Leave');
  terminal.type(keys.enter);
  expect((await terminal.ended).code).toBe(0);
  const bodies = home.bodies().filter((body) => body !== undefined);
  expect(bodies).toEqual([
    { body: { markdown: '@ada fine' }, page: 'intro' },
    { body: { markdown: '# From the editor\n' } },
  ]);
});

it('keeps a comment that was refused, and names its file', async () => {
  const refuses = (method: string) =>
    method === 'POST' ? { status: 403, body: { error: { code: 403, message: 'No' } } } : undefined;
  await home.startPlatform(discussed, refuses);
  const terminal = onReview({ EDITOR: home.script('edit', 'echo "Long thoughts" > "$1"') });
  await terminal.shows('❯ Leave');
  terminal.type(keys.down + keys.down + keys.enter);
  await terminal.shows('❯ The change request');
  terminal.type(keys.enter);
  expect((await terminal.ended).code).not.toBe(0);
  const path =
    /Yourtextisin(\S+?);/.exec(terminal.screen.text().replaceAll(/\s/g, ''))?.[1] ?? terminal.screen.text();
  expect(readFileSync(path, 'utf8')).toBe('Long thoughts\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('Ctrl-C at the question after a comment does not deny the comment', async () => {
  await home.startPlatform(discussed, merging('merge'));
  const terminal = onReview();
  await terminal.shows('❯ Leave');
  terminal.type(keys.down + keys.enter);
  await terminal.shows('❯ The change request');
  terminal.type(keys.enter);
  await terminal.shows('? Comment:');
  terminal.type(`Fine.${keys.enter}`);
  await terminal.shows('❯ Leave');
  terminal.type(keys.interrupt);
  const { screen } = await terminal.ended;
  expect(screen).toContain('error: interrupted; 1 comment had been sent (interrupted, exit 130)');
  expect(screen).not.toContain('nothing was sent');
  expect(changes()).toHaveLength(1);
});

it('merges as merge does: asks, and a conflict exits 7', async () => {
  await home.startPlatform(discussed, merging('conflicts'));
  const terminal = onReview();
  await terminal.shows('❯ Leave');
  terminal.type(keys.down + keys.down + keys.enter);
  await terminal.shows('Merge change request 5?');
  expect(changes()).toEqual([]);
  terminal.type(`y${keys.enter}`);
  const { code, screen } = await terminal.ended;
  expect(code).toBe(7);
  expect(screen).toContain('(conflict, exit 7)');
  expect(changes()).toEqual(['POST /v1/spaces/s1/change-requests/5/merge']);
});
