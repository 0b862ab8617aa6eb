import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BackupHome, backupHome, failureOf, filesIn, perSpace, type Result } from './backup-home.js';

/** `docs backup run` over the sandbox: what is written, what is read again, and what is refused. */

let home: BackupHome;
beforeEach(async () => {
  home = await backupHome();
});
afterEach(() => home.end());

const text = (...names: string[]) => readFileSync(home.at('b', ...names), 'utf8');
const parsed = (...names: string[]): unknown => JSON.parse(text(...names));
const verified = async (...words: string[]) => {
  const { code, stdout } = await home.run(['backup', 'verify', 'b', '--json', ...words]);
  return { code, found: JSON.parse(stdout) as { state: string; path?: string; kind: string }[] };
};
const clean = { code: 0, found: [] };

test('writes everything, readable, for the owner alone, without secrets', async () => {
  const { id, status, spaces, pages, failed } = await home.backedUp();
  expect({ id, status, spaces, pages, failed }).toEqual({
    id: home.org,
    status: 'whole',
    spaces: 5,
    pages: 19,
    failed: [],
  });
  expect(parsed('org.json')).toMatchObject({ object: 'organization', title: 'Acme Docs' });
  expect(parsed('members.json')).toHaveLength(7);
  expect(parsed('teams', 'Writers', 'members.json')).toEqual(
    expect.arrayContaining([expect.objectContaining({ team: { role: 'owner' } })]),
  );
  expect(readdirSync(home.at('b', 'sites', 'Acme Docs')).sort()).toEqual(
    ['adaptive-schema', 'section-groups', 'sections', 'site-spaces', 'site'].map((name) => `${name}.json`),
  );
  expect(text('openapi', 'public-api', 'content.json')).toContain('"openapi"');
  expect(text('spaces', 'Welcome', 'pages', 'guides', 'reviews.md')).toMatch(/^# Reviews\n/);
  expect(parsed('spaces', 'Welcome', 'pages', 'guides', 'reviews.json')).toMatchObject({ title: 'Reviews' });
  expect(readdirSync(home.at('b', 'spaces', 'Welcome', 'files'))).toEqual(['checklist.txt', 'logo.png']);
  const comments = parsed('spaces', 'Welcome', 'comments.json') as { replies: unknown[] }[];
  expect(comments.some(({ replies }) => replies.length > 0)).toBe(true);
  // Found in no collection and no site: an administrator sees it.
  expect(existsSync(home.at('b', 'spaces', 'Board Notes'))).toBe(true);
  for (const path of filesIn(home.at('b')).keys()) {
    expect(`${path} ${lstatSync(home.at('b', path)).mode.toString(8).slice(-3)}`).toBe(`${path} 600`);
    expect(text(path)).not.toMatch(/downloadURL|sbx_|\/files\/[\w-]+\.[\w-]+\./);
  }
  expect(lstatSync(home.at('b', 'spaces')).mode & 0o777).toBe(0o700);
  expect(await verified()).toEqual(clean);
});

test('an open change request has its comments, and the pages that differ', async () => {
  await home.backedUp();
  const requests = home.at('b', 'spaces', 'Welcome', 'change-requests');
  const [first = ''] = readdirSync(requests);
  expect(first).toMatch(/^\d+ /);
  expect(readdirSync(home.at('b', 'spaces', 'Welcome', 'change-requests', first)).sort()).toEqual([
    ...['change-request.json', 'comments.json', 'content.json', 'pages'],
  ]);
  const own = filesIn(`${requests}/${first}/pages`);
  const all = filesIn(home.at('b', 'spaces', 'Welcome', 'pages'));
  for (const [path, hash] of own) expect(all.get(path)).not.toBe(hash);
});

describe('a further run', () => {
  test('reads only what changed, and moves what no longer exists', async () => {
    await home.backedUp();
    const [welcome, guide] = [await home.space('Welcome'), await home.space('Product Guide')];
    const [request = ''] = (await home.ok(['change-requests', 'list', '--space', welcome, '-o', 'id'])).split(
      '\n',
    );
    await home.ok(['change-requests', 'merge', request, '--space', welcome, '--yes']);
    await home.ok(['spaces', 'delete', guide, '--yes']);
    home.gateway.requests.length = 0;
    const { spaces, unchanged, moved } = await home.backedUp();
    expect({ spaces, unchanged }).toEqual({ spaces: 4, unchanged: 3 });
    expect(moved).toBeGreaterThan(1);
    const asked = perSpace(home.gateway.requests);
    const others = [...asked].filter(([id]) => id !== welcome).map(([, lines]) => lines.length);
    // Comments and values of fields; of the space with a computed page, its page tree; the deleted one itself.
    expect(others.sort()).toEqual([1, 2, 2, 3]);
    const [day = ''] = readdirSync(home.at('b', 'deleted'));
    expect(day).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/);
    expect(readdirSync(home.at('b', 'deleted', day, 'spaces')).sort()).toEqual(['Product Guide', 'Welcome']);
    expect(existsSync(home.at('b', 'spaces', 'Product Guide'))).toBe(false);
    expect(await verified()).toEqual(clean);
  });

  test.each([
    ['a resolved comment', ['comments', 'update', 'C', '--resolve', '--space', 'S']],
    ['a reply', ['comments', 'replies', 'create', 'C', '--body', 'Yes.', '--space', 'S']],
    ['an edit in a change request', ['change-requests', 'update', '3', '--subject', 'New', '--space', 'S']],
    ['a value of a field', ['spaces', 'fields', 'set', 'S', 'owner-team=Zoë']],
  ])('sees %s, and reads no page of the space again', async (_, words) => {
    await home.backedUp();
    const space = await home.space('Welcome');
    const open = await home.ok(['comments', 'list', '--space', space, '--status', 'open', '-o', 'id']);
    const named: Record<string, string> = { S: space, C: open.split('\n')[0] ?? '' };
    await home.ok(words.map((word) => named[word] ?? word));
    home.gateway.requests.length = 0;
    expect((await home.backedUp()).unchanged).toBe(4);
    expect((await home.backedUp()).unchanged).toBe(5);
    expect(home.gateway.requests.filter((line) => /spaces\/[\w-]+\/content\/page\//.test(line))).toEqual([]);
    expect(await verified()).toEqual(clean);
  });

  test('renames the folder of a renamed space, and restores a missing file', async () => {
    await home.backedUp();
    await home.ok(['spaces', 'update', await home.space('Welcome'), '--title', 'Hello']);
    rmSync(home.at('b', 'spaces', 'Product Guide', 'space.json'));
    home.gateway.requests.length = 0;
    expect((await home.backedUp()).unchanged).toBe(3);
    // Its folder was renamed, so its pages were there.
    expect(home.gateway.requests.filter((line) => line.includes('/content/page/'))).toEqual([]);
    expect(existsSync(home.at('b', 'spaces', 'Welcome'))).toBe(false);
    expect(await verified()).toEqual(clean);
  });

  test('--full reads all again, repairs changed files, and writes nothing else', async () => {
    await home.backedUp();
    const page = home.at('b', 'spaces', 'Welcome', 'pages', 'faq.md');
    const before = filesIn(home.at('b'));
    writeFileSync(page, readFileSync(page, 'utf8').replace('e', '3'));
    expect((await home.backedUp()).unchanged).toBe(5);
    expect((await verified()).found.map(({ state, path }) => [state, path])).toEqual([
      ['changed', 'spaces/Welcome/pages/faq.md'],
    ]);
    expect((await home.backedUp('--full')).unchanged).toBe(0);
    const after = filesIn(home.at('b'));
    for (const files of [before, after]) files.delete('manifest.json');
    expect(after).toEqual(before);
  });
});

describe('what could not be read', () => {
  test.each([403, 500])(
    'a space that answers %i is listed, exit 3, and the rest is there',
    async (status) => {
      await home.backedUp();
      const guide = await home.space('Product Guide');
      rmSync(home.at('b'), { recursive: true });
      home.gateway.rule = (line) => (line.includes(`/spaces/${guide}/`) ? status : undefined);
      const ran = await home.backUp('--no-retry');
      expect(ran.code).toBe(3);
      const { status: state, failed, pages } = JSON.parse(ran.stdout) as Result;
      expect({ state, pages }).toEqual({ state: 'partial', pages: 15 });
      expect(failed[0]).toMatchObject({
        kind: 'space',
        id: guide,
        title: 'Product Guide',
        error: { status },
      });
      expect(failureOf(ran.stderr)).toMatchObject({
        code: 'not_all_read',
        exitCode: 3,
        hint: 'docs backup run --out b',
        details: { failed },
      });
      home.gateway.rule = () => undefined;
      const { code, found } = await verified('--offline');
      expect(code).toBe(17);
      expect(new Set(found.map((finding) => finding.state))).toEqual(new Set(['not-read']));
      expect((await home.backedUp()).unchanged).toBe(4);
      expect(await verified()).toEqual(clean);
    },
  );

  test('its files of the last run stay', async () => {
    await home.backedUp();
    const before = filesIn(home.at('b', 'spaces'));
    const guide = await home.space('Product Guide');
    home.gateway.rule = (line) => (line.includes(`/spaces/${guide}/`) ? 500 : undefined);
    expect((await home.backUp('--no-retry', '--full')).code).toBe(3);
    const after = filesIn(home.at('b', 'spaces'));
    for (const files of [before, after]) files.delete('Product Guide/manifest.json');
    expect(after).toEqual(before);
  });

  test('a page, the members, a collection: each is reported on its own', async () => {
    home.gateway.rule = (line) => (/members\?|collections\/[\w-]+\/spaces/.test(line) ? 403 : undefined);
    const ran = await home.run(['backup', 'run', '--out', 'b', '--no-retry']);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toMatch(/^Not read: members /m);
    expect(ran.stderr).toMatch(/^Not read: collection /m);
    expect(ran.stdout).toMatch(/\tpartial\t/);
  });

  test('a space that is not found is kept if a list could not be read', async () => {
    await home.backedUp();
    home.gateway.rule = (line) => (/\/(collections|sites|members)\b/.test(line) ? 500 : undefined);
    expect((await home.backUp('--no-retry')).code).toBe(3);
    expect(readdirSync(home.at('b', 'spaces'))).toHaveLength(5);
    expect(existsSync(home.at('b', 'deleted'))).toBe(false);
  });

  test('so is one that cannot be read by itself, as it was', async () => {
    await home.backedUp();
    const before = filesIn(home.at('b', 'spaces', 'Welcome'));
    const welcome = await home.space('Welcome');
    const failing = new RegExp(`/(collections|sites|members)\\b|/spaces/${welcome}\\b`);
    home.gateway.rule = (line) => (failing.test(line) ? 500 : undefined);
    expect((await home.backUp('--no-retry')).code).toBe(3);
    expect(filesIn(home.at('b', 'spaces', 'Welcome'))).toEqual(before);
    expect(existsSync(home.at('b', 'deleted'))).toBe(false);
  });

  test('an invalid token ends the run; the backup stays', async () => {
    await home.backedUp();
    const before = filesIn(home.at('b'));
    const ran = await home.run(['backup', 'run', '--out', 'b'], { env: { DOCS_TOKEN: 'sbx_wrong' } });
    expect(ran.code).toBe(4);
    expect(filesIn(home.at('b'))).toEqual(before);
  });
});

test('a download that breaks off is repeated; one that always does is listed', async () => {
  let cuts = 1;
  home.gateway.cuts = (line) => line.includes('/files/') && line.endsWith('logo.png') && cuts-- > 0;
  expect((await home.backedUp()).files).toBe(2);
  expect(await verified()).toEqual(clean);
  cuts = 99;
  const ran = await home.run(['backup', 'run', '--out', 'c', '--json', '--no-retry']);
  expect(ran.code).toBe(3);
  const { failed } = JSON.parse(ran.stdout) as Result;
  expect(failed.map(({ kind, title }) => [kind, title])).toEqual([['file', 'logo.png']]);
  expect([...filesIn(home.at('c')).keys()].filter((path) => path.endsWith('.png'))).toEqual([]);
});

describe('content that changes while it is read', () => {
  test('is read again, so that it is of one revision', async () => {
    const welcome = await home.space('Welcome');
    const [request = ''] = (await home.ok(['change-requests', 'list', '--space', welcome, '-o', 'id'])).split(
      '\n',
    );
    let merged: Promise<unknown> | undefined;
    home.gateway.rule = (line) => {
      if (!line.includes(`/spaces/${welcome}/content/page/`)) return undefined;
      merged ??= home.ok(['change-requests', 'merge', request, '--space', welcome, '--yes']);
      return merged.then(() => undefined);
    };
    await home.backedUp();
    expect(merged).toBeDefined();
    expect(await verified()).toEqual(clean);
    await home.ok(['backup', 'run', '--out', 'c']);
    const diff = await home.run(['backup', 'diff', 'b', 'c', '--exit-code']);
    expect(diff).toMatchObject({ code: 0, stdout: '' });
  });
});

test('killed at any point, the next run continues with what is whole', async () => {
  const finished = (): string[] => {
    if (!existsSync(home.at('b', 'spaces'))) return [];
    return readdirSync(home.at('b', 'spaces')).filter((name) =>
      existsSync(home.at('b', 'spaces', name, 'manifest.json')),
    );
  };
  for (const at of [3, 60, 90, 110]) {
    home.gateway.requests.length = 0;
    const running = home.start(['backup', 'run', '--out', 'b', '--concurrency', '1']);
    home.gateway.rule = (_, count) => {
      if (count === at) running.child.kill('SIGKILL');
      return undefined;
    };
    await running.ended;
  }
  home.gateway.rule = () => undefined;
  const whole = finished();
  home.gateway.requests.length = 0;
  expect((await home.backedUp()).unchanged).toBeGreaterThanOrEqual(whole.length);
  expect(whole.length).toBeGreaterThan(0);
  for (const name of whole) {
    const { id } = parsed('spaces', name, 'space.json') as { id: string };
    const asked = perSpace(home.gateway.requests).get(id) ?? [];
    expect(asked.filter((line) => /\/content\/(page|files)\//.test(line))).toEqual([]);
  }
  expect(await verified()).toEqual(clean);
  expect([...filesIn(home.at('b')).keys()].filter((path) => /\.tmp$|\.running$/.test(path))).toEqual([]);
});

test('SIGINT while permissions are read says how far it is, and what is kept', async () => {
  const running = home.start(['backup', 'run', '--out', 'b', '--json', '--concurrency', '1']);
  home.gateway.rule = (_, count) => {
    if (count < 5) return undefined;
    running.child.kill('SIGINT');
    return new Promise(() => {}); // Answered never: not even a slow machine reads on.
  };
  const { signal, stderr } = await running.ended;
  expect(signal).toBe('SIGINT');
  expect(failureOf(stderr).message).toBe(
    'interrupted: no space read yet, permissions of 0 of 7 members read; files of earlier runs are kept, and the next run starts again',
  );
  home.gateway.rule = () => undefined;
  await home.backedUp();
  expect(await verified()).toEqual(clean);
});

test.each([
  ['SIGINT', 'interrupted', 130],
  ['SIGTERM', 'terminated', 143],
] as const)(
  '%s ends it and prints the progress, and the next run continues',
  async (signal, code, exitCode) => {
    const running = home.start(['backup', 'run', '--out', 'b', '--json', '--concurrency', '1']);
    home.gateway.rule = (_, count) => {
      if (count === 70) running.child.kill(signal);
      return undefined;
    };
    const ended = await running.ended;
    expect(ended).toMatchObject({ signal, stdout: '' });
    expect(failureOf(ended.stderr)).toMatchObject({
      code,
      exitCode,
      hint: 'docs backup run --out b',
    });
    expect(failureOf(ended.stderr).message).toMatch(
      /^(interrupted|terminated): \d of 5 spaces done; the next run continues there$/,
    );
    home.gateway.rule = () => undefined;
    expect((await home.backedUp()).unchanged).toBeGreaterThan(0);
    expect(await verified()).toEqual(clean);
  },
);
