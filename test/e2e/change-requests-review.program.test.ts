import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { changePlatform, type StubContent, small, user } from './change-platform.js';
import { freshHome, type Home } from './program.js';
import type { StubPlatform } from './stub-platform.js';
import { keys, type OnTerminal, onTerminal } from './terminal.js';

/** `docs change-requests review`: the comments beside their pages, and each of the choices on a terminal. */

let home: Home;
let platform: StubPlatform;

beforeAll(() => {
  home = freshHome();
});
afterAll(() => home.remove());
afterEach(() => platform.close());

const place = () => ({
  DOCS_BASE_URL: platform.url,
  DOCS_TOKEN: 'a-token',
  DOCS_ORG: 'o1',
  DOCS_SPACE: 's1',
});
const start = async (content: StubContent, also?: Parameters<typeof changePlatform>[1]) => {
  platform = await changePlatform(content, also);
};
const review = (...words: string[]) =>
  home.run(['change-requests', 'review', '5', ...words], { env: place() });

/** A program for an editor. */
function script(name: string, body: string): string {
  const path = join(home.path, name);
  writeFileSync(path, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  return path;
}

function onDocs(words: string[], env: Record<string, string> = {}): OnTerminal {
  const options = { env: { ...home.env, ...place(), ...env }, cwd: home.path };
  return onTerminal(['change-requests', ...words], options);
}

const allowed = { view: true, edit: true, reply: true, delete: true };
const comments = [
  {
    ...{ object: 'comment', id: 'k1', postedBy: user('Bob \x1b[31m'), postedAt: '2026-01-05T09:00:00.000Z' },
    ...{
      reactions: [],
      replies: 1,
      body: { markdown: 'Why new?\n\x1b]0;x\x07' },
      target: { page: { id: 'intro' } },
    },
    ...{ status: 'open', urls: {}, permissions: allowed },
  },
  {
    ...{ object: 'comment', id: 'k2', postedBy: user('Cyd'), postedAt: '2026-01-05T09:00:00.000Z' },
    ...{ reactions: [], replies: 3, body: { markdown: 'Settled.' }, target: { page: { id: 'intro' } } },
    ...{ status: 'resolved', urls: {}, permissions: allowed },
  },
  {
    ...{ object: 'comment', id: 'k3', postedBy: user('Dee'), postedAt: '2026-01-05T09:00:00.000Z' },
    ...{ reactions: [], replies: 0, body: { markdown: 'All in all fine.' }, target: {} },
    ...{ status: 'open', urls: {}, permissions: allowed },
  },
];
const discussed: StubContent = {
  ...small,
  comments,
  replies: [
    {
      ...{ object: 'comment-reply', id: 'y1', postedBy: user('Ada'), postedAt: '2026-01-05T09:30:00.000Z' },
      ...{ reactions: [], body: { markdown: 'It is faster.' }, urls: {}, permissions: allowed },
    },
  ],
};

describe('review', () => {
  it('shows threads beside their pages and folds resolved ones; nothing is asked in a pipe', async () => {
    await start(discussed);
    const { code, stdout, stderr } = await review();
    expect(stdout).toContain('Change request 5: New words\nopen by Ada, updated ');
    expect(stdout).toMatch(
      /setup\.\n {2}\| Bob ␛\[31m, .* ago k1\n {2}\| Why new\?\n {2}\| ␛\]0;x␇\n {2}\| {3}Ada, .* ago: It is faster\.\n {2}\|\n {2}\| 1 resolved thread\n/,
    );
    expect(stdout).toMatch(
      /Comments on the change request\n {2}\| Dee, .* ago k3\n {2}\| All in all fine\.\n$/,
    );
    expect(stderr).toContain('To merge: docs change-requests merge 5');
    expect(code).toBe(0);
    expect(platform.requests.filter((request) => request.includes('/replies'))).toHaveLength(1);
    expect(platform.requests.every((request) => request.startsWith('GET '))).toBe(true);
    const rows = JSON.parse((await review('--json')).stdout) as { id: string; comments: { id: string }[] }[];
    expect(rows.flatMap(({ id, comments: own }) => own.map((one) => [id, one.id]))).toEqual([
      ['intro', 'k1'],
      ['intro', 'k2'],
      ['c5', 'k3'],
    ]);
  });

  const merging = (result: string) => (method: string, url: URL) => {
    if (method !== 'POST') return undefined;
    if (url.pathname.endsWith('/merge')) return { body: { revision: 'r3', result } };
    return url.pathname.endsWith('/comments') ? { body: comments[2] } : undefined;
  };
  const sent = () => platform.requests.filter((request) => !request.startsWith('GET '));

  it('leaves by Enter alone, and changes nothing', async () => {
    await start(discussed, merging('merge'));
    const terminal = onDocs(['review', '5', '--no-pager']);
    await terminal.shows('❯ Leave');
    terminal.type(keys.enter);
    expect((await terminal.ended).code).toBe(0);
    expect(sent()).toEqual([]);
  });

  it('comments with a text that is typed, whatever it begins with, or from the editor', async () => {
    await start(discussed, merging('merge'));
    const terminal = onDocs(['review', '5', '--no-pager'], {
      EDITOR: script('edit', 'echo "# From the editor" > "$1"'),
    });
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
    const bodies = platform.bodies.filter((body) => body !== undefined);
    expect(bodies).toEqual([
      { body: { markdown: '@ada fine' }, page: 'intro' },
      { body: { markdown: '# From the editor\n' } },
    ]);
  });

  it('keeps a comment that was refused, and names its file', async () => {
    const refuses = (method: string) =>
      method === 'POST' ? { status: 403, body: { error: { code: 403, message: 'No' } } } : undefined;
    await start(discussed, refuses);
    const terminal = onDocs(['review', '5', '--no-pager'], {
      EDITOR: script('edit', 'echo "Long thoughts" > "$1"'),
    });
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
    await start(discussed, merging('merge'));
    const terminal = onDocs(['review', '5', '--no-pager']);
    await terminal.shows('❯ Leave');
    terminal.type(keys.down + keys.enter);
    await terminal.shows('❯ The change request');
    terminal.type(keys.enter);
    await terminal.shows('? Comment:');
    terminal.type(`Fine.${keys.enter}`);
    await terminal.shows('❯ Leave');
    terminal.type(keys.interrupt);
    const { screen } = await terminal.ended;
    expect(screen).toContain('error: Interrupted; 1 comment had been sent. (interrupted, exit 130)');
    expect(screen).not.toContain('nothing was sent');
    expect(sent()).toHaveLength(1);
  });

  it('merges as merge does: asks, and a conflict exits 7', async () => {
    await start(discussed, merging('conflicts'));
    const terminal = onDocs(['review', '5', '--no-pager']);
    await terminal.shows('❯ Leave');
    terminal.type(keys.down + keys.down + keys.enter);
    await terminal.shows('Merge change request 5?');
    expect(sent()).toEqual([]);
    terminal.type(`y${keys.enter}`);
    const { code, screen } = await terminal.ended;
    expect(code).toBe(7);
    expect(screen).toContain('(conflict, exit 7)');
    expect(sent()).toEqual(['POST /v1/spaces/s1/change-requests/5/merge']);
  });
});
