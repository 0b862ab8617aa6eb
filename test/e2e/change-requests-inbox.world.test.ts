import { describe, expect, test } from 'vitest';
import { seedId } from '../sandbox/client.js';
import { homeOfFile } from './backup-home.js';
import { screenHere } from './screen-here.js';

/** `docs change-requests inbox`: what waits for the owner of the token. */

const home = homeOfFile({ goesOn: true });

interface Row {
  number: number;
  reasons: string[];
  unanswered: number | null;
}

const [welcome, deniz] = [seedId('space welcome'), seedId('user deniz')];
const command = ['change-requests', 'inbox'];
const as = (role: string) => ({ env: { DOCS_TOKEN: home.tokens[role] ?? '' } });
/** What waits for the holder of a role, as numbers with reasons. */
async function inboxOf(role: string, ...words: string[]): Promise<string[]> {
  const ran = await home.run([...command, '--json', ...words], as(role));
  if (ran.code !== 0) throw new Error(ran.stderr);
  return (JSON.parse(ran.stdout) as Row[]).map(({ number, reasons }) => `${number} ${reasons.join(' ')}`);
}

describe('the inbox', () => {
  test('has what each of them is waited for', async () => {
    expect(await inboxOf('admin')).toEqual(['3 to-review']);
    expect(await inboxOf('edit')).toEqual([]);
    // Chiara commented, and Deniz answered her; the draft is hers.
    expect(await inboxOf('review')).toEqual(['3 unanswered to-review', '2 outdated draft']);
    expect(await inboxOf('read')).toEqual([]);
  });

  test('says who is waited for, and what is needed to act', async () => {
    const [row] = await home.json<object[]>(command);
    expect(row).toEqual({
      id: expect.any(String),
      number: 3,
      subject: 'Describe single sign-on, drop the FAQ',
      status: 'open',
      space: { id: welcome, title: 'Welcome' },
      author: { id: deniz, displayName: 'Deniz Yıldız', email: 'deniz@acme.example' },
      reasons: ['to-review'],
      unanswered: 0,
      comments: 1,
      outdated: false,
      updatedAt: expect.any(String),
      urls: { app: expect.stringContaining('/changes/3') },
    });
  });

  test('an empty one is a friendly sentence and exit 0', async () => {
    const ran = await home.run(command, as('read'));
    expect(ran).toMatchObject({ code: 0, stdout: '' });
    expect(ran.stderr).toMatch(/^All done: nothing waits for you in \d+ spaces\.\n$/);
    expect(await home.run([...command, '--quiet'], as('read'))).toMatchObject({ code: 0, stderr: '' });
  });

  test('an answer of another puts it there, an answer of mine takes it out', async () => {
    const comments = ['--space', welcome, '--change-request', '3'];
    const posted = await home.run(['comments', 'create', ...comments, '--body', 'Which page?', '--json']);
    const comment = (JSON.parse(posted.stdout) as { id: string }).id;
    expect(await inboxOf('edit')).toEqual(['3 unanswered']);
    const reply = ['comments', 'replies', 'create', comment, ...comments, '--body', 'The second.', '--json'];
    expect(await home.run(reply, as('edit'))).toMatchObject({ code: 0 });
    expect(await inboxOf('edit')).toEqual([]);
    expect(await inboxOf('admin')).toEqual(['3 unanswered to-review']);
    await home.ok(['comments', 'update', comment, ...comments, '--resolve']);
    expect(await inboxOf('admin')).toEqual(['3 to-review']);
  });

  test('mine is ready where nothing stands against it and I may merge', async () => {
    const create = ['change-requests', 'create', '--space', welcome, '--subject', 'Mine'];
    const name = String((await home.json<{ number: number }>(create)).number);
    expect(await inboxOf('admin')).toEqual(['3 to-review', `${name} draft`]);
    await home.ok(['change-requests', 'update', name, '--space', welcome, '--status', 'open']);
    expect(await inboxOf('admin')).toEqual([`${name} ready`, '3 to-review']);
    await home.ok(['change-requests', 'update', name, '--space', welcome, '--status', 'archived']);
    expect(await inboxOf('admin')).toEqual(['3 to-review']);
  });

  test('on a terminal of 80 columns space, subject and author can be read', async () => {
    const { code, screen } = await screenHere(home, command, as('review'));
    expect(code).toBe(0);
    expect(screen).toMatch(/^REASONS +SPACE +NO +SUBJECT +AUTHOR$/m);
    expect(screen).toMatch(/^unanswered, to-review +Welcome +3 +Describe single sign-on\S* .*\w$/m);
  });
});

describe('what is read', () => {
  test('the spaces in one list, only lists that have something, comments only where there are any', async () => {
    await inboxOf('admin', '--as', deniz);
    const sent = home.gateway.requests;
    const lists = sent.filter((line) => line.includes('/change-requests?'));
    expect(sent.filter((line) => /\/spaces\?/.test(line))).toEqual([
      `GET /v1/orgs/${home.org}/members/${deniz}/spaces?limit=1000`,
    ]);
    expect(lists).toHaveLength(2);
    expect(sent.filter((line) => line.includes('/comments?'))).toHaveLength(1);
    expect(sent.filter((line) => line.includes('/replies?'))).toHaveLength(1);
    expect(sent).toHaveLength(5);
  });

  test('--reason shows and reads only what it needs', async () => {
    const chiara = ['--as', seedId('user chiara')];
    expect(await inboxOf('review', '--reason', 'to-review', ...chiara)).toEqual(['3 to-review']);
    expect(home.gateway.requests.filter((line) => /comments|status=draft/.test(line))).toEqual([]);
    expect(await inboxOf('review', '--reason', 'draft', '--reason', 'outdated')).toEqual([
      '2 outdated draft',
    ]);
    expect(await home.run([...command, '--reason', 'bored'])).toMatchObject({ code: 2 });
  });
});

describe('whose inbox it is', () => {
  test('that of the member named, also by email', async () => {
    expect(await inboxOf('admin', '--as', 'chiara@acme.example')).toEqual([
      '3 unanswered to-review',
      '2 outdated draft',
    ]);
    expect(await home.run([...command, '--as', 'nobody5'])).toMatchObject({ code: 6 });
  });

  test('where a ping does not tell, --as is asked for, and nothing is guessed', async () => {
    home.refuse('/ping', 403);
    const ran = await home.run([...command, '--json']);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(JSON.parse(ran.stderr)).toMatchObject({
      error: { code: 'unknown_member', message: expect.stringContaining('Name the member with --as.') },
    });
    expect(await home.run([...command, '--as', deniz])).toMatchObject({ code: 0 });
  });

  test('a dry run sends no ping', async () => {
    expect(await home.run([...command, '--dry-run'])).toMatchObject({ code: 2 });
    expect(home.gateway.requests.join()).not.toContain('ping');
  });
});

describe('what the platform does not give', () => {
  test.each([
    [403, 5],
    [404, 6],
  ])('where its list of spaces is answered with %i, all lists stand in for it', async (status, exitCode) => {
    home.refuse(/\/members\/[\w-]+\/spaces/, status);
    const ran = await home.run([...command, '--json'], as('review'));
    // Those of the administrators are refused as well, so spaces may be missing.
    expect(ran.code).toBe(3);
    expect((JSON.parse(ran.stdout) as Row[]).map(({ number }) => number)).toEqual([3, 2]);
    expect((await home.run([...command, '--as', deniz], as('review'))).code).toBe(exitCode);
  });

  test('comments that cannot be read are named; what else waits is listed', async () => {
    home.refuse('/comments', 500);
    const ran = await home.run([...command, '--no-retry'], as('review'));
    expect(ran.code).toBe(3);
    expect(ran.stdout).toContain('to-review');
    expect(ran.stderr).toMatch(/^Not read: comments of change request Describe single sign-on/m);
    expect(ran.stderr).not.toContain('All done');
  });

  test('odd answers: no author, no counters, no date, an unknown status of outdated', async () => {
    home.gateway.rewrite = (line, text) => {
      if (!line.includes('/change-requests?')) return text;
      const { items } = JSON.parse(text) as { items: Record<string, unknown>[] };
      const bare = items.map(({ id: own, status, subject }) => ({
        id: own,
        status,
        subject,
        outdated: 'maybe',
      }));
      return JSON.stringify({ items: bare });
    };
    const ran = await home.run([...command, '--json']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ran.stdout)).toMatchObject([
      { number: null, author: null, updatedAt: null, outdated: null, comments: null, reasons: ['to-review'] },
    ]);
    expect(await home.run(command)).toMatchObject({ code: 0 });
  });

  test.each(['[null]', '[{}]', '[{"id":"c9","status":"open"}]'])('comments %s', async (items) => {
    home.gateway.rewrite = (line, text) => (line.includes('/comments?') ? `{"items":${items}}` : text);
    const ran = await home.run([...command, '--json'], as('review'));
    expect(ran.code).toBe(3);
    expect(JSON.parse(ran.stdout)).not.toHaveLength(0);
  });
});
