import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BackupHome, backupHome, failureOf } from './backup-home.js';
import { onTerminal } from './terminal.js';

/** `docs backup status`: a monitor. */

let home: BackupHome;
beforeEach(async () => {
  home = await backupHome();
});
afterEach(() => home.end());

interface Status {
  state: string;
  finishedAt: string | null;
  ageSeconds: number | null;
  running: string | null;
  spaces: { title: string; state: string; olderFacts: object; changed: boolean }[];
  problems: string[];
}

/** Without the platform: the address is one that nobody listens at. */
const away = { DOCS_BASE_URL: 'http://127.0.0.1:9', DOCS_TOKEN: '' };
const status = async (...words: string[]) => {
  const { code, stdout, stderr } = await home.run(['backup', 'status', 'b', '--json', ...words], {
    env: away,
  });
  return { code, stderr, found: JSON.parse(stdout) as Status };
};
const edit = (change: (text: string) => string) => {
  const path = home.at('b', 'manifest.json');
  writeFileSync(path, change(readFileSync(path, 'utf8')));
};
const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const finished = (hours: number) =>
  edit((text) => text.replace(/"finishedAt": "[^"]*"/, `"finishedAt": "${ago(hours)}"`));

test('says when the last run finished, and fails if that is longer ago than --max-age', async () => {
  await home.backedUp();
  const { code, found } = await status('--max-age', '26h');
  expect(code).toBe(0);
  expect(found).toMatchObject({
    id: home.org,
    state: 'whole',
    running: null,
    signedBy: null,
    notWhole: 0,
    older: 0,
    spaces: [],
    problems: [],
  });
  expect(found.ageSeconds).toBeLessThan(3600);
  finished(30);
  expect(await status()).toMatchObject({ code: 0 });
  const late = await status('--max-age', '26h');
  expect(late).toMatchObject({ code: 17, found: { problems: ['older'] } });
  expect(failureOf(late.stderr)).toMatchObject({
    code: 'backup_not_current',
    message: 'older than 26h: the last run finished 30 hours ago',
    hint: 'docs backup run --out b',
  });
  expect(await status('--max-age', '2d')).toMatchObject({ code: 0 });
  // A clock that is wrong must not keep a monitor quiet.
  finished(-48);
  expect(await status('--max-age', '26h')).toMatchObject({ code: 17, found: { problems: ['older'] } });
  const wrong = await home.run(['backup', 'status', 'b', '--max-age', 'soon']);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('--max-age: invalid duration "soon"');
  expect((await home.run(['backup', 'status', 'nowhere'])).code).toBe(2);
});

test('on a terminal it reads as sentences, and a space is looked up in the backup alone', async () => {
  await home.backedUp();
  const at = { env: { ...home.env, ...away, DOCS_PAGER: 'cat' }, cwd: home.path };
  const shown = await onTerminal(['backup', 'status', 'b'], at).ended;
  expect(shown.code).toBe(0);
  expect(shown.screen).toMatch(
    /^Acme Docs: whole; the last run finished (?:\d+ seconds?|\d minutes?) ago\.\n/,
  );
  expect(shown.screen).toContain('5 spaces, 19 pages, 2 files, 7 members.');
  expect(shown.screen).not.toContain('Age seconds');
  const record = await onTerminal(['backup', 'status', 'b', '-o', 'table'], at).ended;
  expect(record.screen).toContain('Age seconds');
  // Replies are kept for some hours: that is as usual, and nothing for the mail of a cron job.
  await home.backedUp();
  const quiet = await home.run(['backup', 'status', 'b', '--quiet'], { env: away });
  expect(quiet).toMatchObject({ code: 0, stderr: '' });
  const noted = await home.run(['backup', 'status', 'b'], { env: away });
  expect(noted.stderr).toMatch(/^Welcome \(\S+\): replies as of 20/m);
  const found = await onTerminal(['backup', 'search', 'b', 'quickstart', '--space', 'welcome'], at).ended;
  expect(found).toMatchObject({ code: 0, screen: expect.stringContaining('Quickstart') });
});

test('names what is partial, and what is older than the run', async () => {
  const space = await home.space('Product Guide');
  await home.backedUp();
  home.gateway.rule = (line) => (line.includes(`/spaces/${space}/comments`) ? 500 : undefined);
  expect((await home.backUp('--no-retry')).code).toBe(3);
  const { code, found, stderr } = await status();
  expect(code).toBe(17);
  expect(found).toMatchObject({ state: 'partial', failed: 1, notWhole: 1, problems: ['partial'] });
  expect(found.spaces).toContainEqual(
    expect.objectContaining({
      title: 'Product Guide',
      state: 'partial',
      olderFacts: { comments: expect.any(String) },
    }),
  );
  expect(failureOf(stderr).message).toBe('partial: 1 thing could not be read');
  const told = await home.run(['backup', 'status', 'b']);
  expect(told.stderr).toMatch(/^Product Guide \(\S+\): partial, comments as of 20/m);
});

test('tells a run that goes on from one that was cut off', async () => {
  await home.backedUp();
  const before = (await status()).found.finishedAt;
  let during: ReturnType<typeof status> | undefined;
  const running = home.start(['backup', 'run', '--out', 'b', '--full', '--concurrency', '1']);
  home.gateway.rule = (_, count) => {
    if (count < 20) return undefined;
    during ??= status('--max-age', '26h').finally(() => running.child.kill('SIGKILL'));
    return during.then(() => undefined);
  };
  home.gateway.requests.length = 0;
  await running.ended;
  expect(await during).toMatchObject({
    code: 0,
    found: { state: 'unfinished', finishedAt: before, running: `pid ${running.child.pid}`, problems: [] },
  });
  const { code, found, stderr } = await status('--max-age', '26h');
  expect(code).toBe(17);
  expect(found).toMatchObject({ finishedAt: before, running: null, problems: ['unfinished'] });
  expect(failureOf(stderr).message).toMatch(/^unfinished: the run of \S+ was cut off$/);
});

const hasSshKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;

test.runIf(hasSshKeygen)('finds a manifest that was changed, and says who signed', async () => {
  spawnSync('ssh-keygen', ['-q', '-N', '', '-t', 'ed25519', '-f', 'key'], { cwd: home.path });
  await home.backedUp('--sign', 'key');
  expect((await status()).found).toMatchObject({ signedBy: expect.stringMatching(/^SHA256:/), problems: [] });
  rmSync(home.at('b', 'spaces', 'Welcome', 'manifest.json'));
  expect((await status()).found).toMatchObject({
    problems: ['changed'],
    spaces: [{ title: 'Welcome', changed: true }],
  });
  finished(1);
  const { code, found, stderr } = await status();
  expect(code).toBe(17);
  expect(found).toMatchObject({ signedBy: null, problems: ['changed'] });
  expect(failureOf(stderr)).toMatchObject({
    message: 'a manifest was changed since the last run',
    hint: 'docs backup verify b',
  });
});
