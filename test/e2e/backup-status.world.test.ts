import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { failureOf, homeOfFile, makeKey } from './backup-home.js';
import { screenHere } from './screen-here.js';

/** `docs backup status`: a monitor. */

const home = homeOfFile({ backup: true });

interface Status {
  ageSeconds: number | null;
  spaces: { title: string; state: string; olderFacts: object; changed: boolean }[];
}

/** Without the platform: the address is one that nobody listens at. */
const env = { DOCS_BASE_URL: 'http://127.0.0.1:9', DOCS_TOKEN: '' };
const status = async (...words: string[]) => {
  const ran = await home.run(['backup', 'status', 'b', '--json', ...words], { env });
  return { ...ran, found: JSON.parse(ran.stdout) as Status };
};
/** Makes the last run one that finished so many hours ago. */
function finished(hours: number): void {
  const path = home.at('b', 'manifest.json');
  const at = new Date(Date.now() - hours * 3_600_000).toISOString();
  writeFileSync(path, readFileSync(path, 'utf8').replace(/"finishedAt": "[^"]*"/, `"finishedAt": "${at}"`));
}

test('says when the last run finished, and fails if that is longer ago than --older-than', async () => {
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
  expect(wrong.stderr).toContain('--older-than: invalid duration "soon"');
  expect((await home.run(['backup', 'status', 'nowhere'])).code).toBe(2);
});

test('on a terminal it reads as sentences, and a space is looked up in the backup alone', async () => {
  finished(2);
  const shown = await screenHere(home, ['backup', 'status', 'b'], { env });
  expect(shown.code).toBe(0);
  expect(shown.screen).toMatch(/^Acme Docs: whole; the last run finished 2 hours ago\.\n/);
  expect(shown.screen).toContain('5 spaces, 19 pages, 2 files, 7 members.');
  expect(shown.screen).not.toContain('Age seconds');
  const record = await screenHere(home, ['backup', 'status', 'b', '-o', 'table'], { env });
  expect(record.screen).toContain('Age seconds');
  // Replies are kept for some hours: that is as usual, and nothing for the mail of a cron job.
  await home.backedUp();
  const quiet = await home.run(['backup', 'status', 'b', '--quiet'], { env });
  expect(quiet).toMatchObject({ code: 0, stderr: '' });
  const noted = await home.run(['backup', 'status', 'b'], { env });
  expect(noted.stderr).toMatch(/^Welcome \(\S+\): replies as of 20/m);
  const search = ['backup', 'search', 'b', 'quickstart', '--space', 'welcome'];
  expect(await screenHere(home, search, { env })).toMatchObject({
    code: 0,
    screen: expect.stringContaining('Quickstart'),
  });
});

test('names what is partial, and what is older than the run', async () => {
  home.refuse(`/spaces/${await home.space('Product Guide')}/comments`, 500);
  expect((await home.backUp('--no-retry')).code).toBe(3);
  const { code, found, stderr } = await status();
  expect(code).toBe(17);
  expect(found).toMatchObject({ state: 'partial', failed: 1, notWhole: 1, problems: ['partial'] });
  const olderFacts = { comments: expect.any(String) };
  expect(found.spaces).toContainEqual(
    expect.objectContaining({ title: 'Product Guide', state: 'partial', olderFacts }),
  );
  expect(failureOf(stderr).message).toBe('partial: 1 thing could not be read');
  const told = await home.run(['backup', 'status', 'b']);
  expect(told.stderr).toMatch(/^Product Guide \(\S+\): partial, comments as of 20/m);
});

test('finds a manifest that was changed, and says who signed', async () => {
  makeKey(home, 'key');
  expect((await home.backUp('--sign', 'key')).code).toBe(0);
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

test('names ten spaces with older facts, and counts the others', async () => {
  await home.backedUp();
  const path = home.at('b', 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as { spaces: { id: string; title: string }[] };
  const welcome = manifest.spaces.find(({ title }) => title === 'Welcome');
  manifest.spaces.push(...Array.from({ length: 11 }, (_, at) => ({ title: '', ...welcome, id: `w${at}` })));
  writeFileSync(path, JSON.stringify(manifest));
  const { stderr } = await home.run(['backup', 'status', 'b'], { env });
  expect(stderr).toMatch(/^\d+ more spaces with older facts; --json lists all\.$/m);
});
