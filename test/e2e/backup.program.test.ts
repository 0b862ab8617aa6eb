import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { docsLine } from '../started.js';
import { allow } from './backup-forged.js';
import { clean, failureOf, filesIn, homeOfFile, killAt, perSpace } from './backup-home.js';
import { backedUpAs, change, expectAsItWas } from './backup-runs.js';

/** `docs backup run` as a process: ended by signals, two at once, on a full disk, signed for ssh-keygen. */

const home = homeOfFile();
const words = ['backup', 'run', '--out', 'b', '--json', '--concurrency', '1'];
const status = async () => {
  const ran = await home.run(['backup', 'status', 'b', '--max-age', '26h', '--json']);
  return { ...ran, found: JSON.parse(ran.stdout) as Record<string, unknown> };
};

test('killed at any point, the next run continues with what is whole', async () => {
  for (const at of [3, 60, 90, 110]) await killAt(home, words, (_, count) => count === at);
  const whole = readdirSync(home.at('b', 'spaces')).filter((name) =>
    existsSync(home.at('b', 'spaces', name, 'manifest.json')),
  );
  expect((await home.backedUp()).unchanged).toBeGreaterThanOrEqual(whole.length);
  expect(whole.length).toBeGreaterThan(0);
  for (const name of whole) {
    const { id } = home.parsed<{ id: string }>('b', 'spaces', name, 'space.json');
    const asked = perSpace(home.gateway.requests).get(id) ?? [];
    expect(asked.filter((line) => /\/content\/(page|files)\//.test(line))).toEqual([]);
  }
  expect(await home.verified()).toMatchObject(clean);
  expect([...filesIn(home.at('b')).keys()].filter((path) => /\.tmp$|\.running$/.test(path))).toEqual([]);
});

test('SIGINT while permissions are read says how far it is, and what is kept', async () => {
  const { signal, stderr } = await killAt(home, words, (_, count) => count === 5, 'SIGINT');
  expect(signal).toBe('SIGINT');
  expect(failureOf(stderr).message).toBe(
    'interrupted: no space read yet, permissions of 0 of 7 members read; files of earlier runs are kept, and the next run starts again',
  );
  await home.backedUp();
  expect(await home.verified()).toMatchObject(clean);
});

test.each([
  ['SIGINT', 'interrupted', 130],
  ['SIGTERM', 'terminated', 143],
] as const)('%s prints the progress, and the next run continues', async (signal, code, exitCode) => {
  const ended = await killAt(home, words, (_, count) => count === 70, signal);
  expect(ended).toMatchObject({ signal, stdout: '' });
  const hint = 'docs backup run --out b';
  expect(failureOf(ended.stderr)).toMatchObject({ code, exitCode, hint });
  expect(failureOf(ended.stderr).message).toMatch(
    /^(interrupted|terminated): \d of 5 spaces done; the next run continues there$/,
  );
  expect((await home.backedUp()).unchanged).toBeGreaterThan(0);
  expect(await home.verified()).toMatchObject(clean);
});

test('killed at any point of a run with --keep, the earlier runs are whole', async () => {
  await backedUpAs(home, 1, '--keep', '9');
  await change(home);
  for (const at of [2, 14, 22, 28]) {
    expect(await killAt(home, words, (_, count) => count === at)).toMatchObject({ signal: 'SIGKILL' });
    await expectAsItWas(home, 1);
  }
  const [{ run: latest }] = (await home.json(['backup', 'log', 'b'])) as [{ run: number }];
  await backedUpAs(home, latest + 1);
  await expectAsItWas(home, 1);
  await expectAsItWas(home, latest + 1, 'latest');
  expect(await home.verified('--offline')).toMatchObject(clean);
  const shown = await home.json<unknown[]>(['backup', 'show', 'b', 'latest']);
  const differences = await home.json<unknown[]>(['backup', 'diff', 'copy1', `copy${latest + 1}`]);
  expect(shown).toHaveLength(differences.length);
});

test('a space that a killed run had in hand is no forgery', async () => {
  await home.backedUp();
  const welcome = await home.space('Welcome');
  await home.merge();
  await killAt(home, words, (line) => line.includes(`/spaces/${welcome}/content/page/`));
  expect(await home.backedUp()).toMatchObject({ status: 'whole', distrusted: [] });
  expect(await home.verified('--offline')).toMatchObject(clean);
});

test('while one process writes the folder, another is refused, and touches no earlier run; status tells', async () => {
  await home.backedUp('--keep', '9');
  const { finishedAt } = (await status()).found;
  await change(home);
  const meanwhile = () => Promise.all([home.backUp('--keep', 'none'), status()]);
  let during: ReturnType<typeof meanwhile> | undefined;
  const running = home.start(words);
  home.gateway.rule = (line) => {
    if (!line.includes('/content/page/')) return undefined;
    during ??= meanwhile();
    return during.then(() => undefined);
  };
  expect((await running.ended).code).toBe(0);
  const [second, told] = (await during) ?? [];
  expect(second?.code).toBe(13);
  expect(failureOf(second?.stderr ?? '')).toMatchObject({ code: 'backup_running', exitCode: 13 });
  expect(told).toMatchObject({
    code: 0,
    found: { state: 'unfinished', finishedAt, running: `pid ${running.child.pid}`, problems: [] },
  });
  expect(readdirSync(home.at('b', 'versions', 'runs'))).toEqual(['1.json']);
  expect(await home.verified('--offline')).toMatchObject(clean);
});

test('status tells a run that was cut off', async () => {
  await home.backedUp();
  const { finishedAt } = (await status()).found;
  await killAt(home, [...words, '--full'], (_, count) => count === 20);
  const { code, found, stderr } = await status();
  expect(code).toBe(17);
  expect(found).toMatchObject({ finishedAt, running: null, problems: ['unfinished'] });
  expect(failureOf(stderr).message).toMatch(/^unfinished: the run of \S+ was cut off$/);
});

test('a pack is the same in every time zone', async () => {
  await home.backedUp();
  const packs = ['UTC', 'Asia/Tokyo'].map(async (TZ, at) => {
    const pack = ['backup', 'pack', 'b', '--space', 'Welcome', '--out', `${at}.zip`];
    expect((await home.run(pack, { env: { TZ } })).code).toBe(0);
    return readFileSync(home.at(`${at}.zip`)).toString('base64');
  });
  const [one, other] = await Promise.all(packs);
  expect(other).toBe(one);
});

const hasSshKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;

test.runIf(hasSshKeygen)('a signed run that is cut off continues, and ssh-keygen takes it', async () => {
  const keygen = (...more: string[]) => execFileSync('ssh-keygen', more, { cwd: home.path, stdio: 'pipe' });
  keygen('-q', '-N', '', '-C', '', '-t', 'ed25519', '-f', 'key');
  allow(home, readFileSync(home.at('key.pub'), 'utf8').trim());
  await killAt(home, [...words, '--sign', 'key'], (_, count) => count === 110);
  const ran = await home.backUp('--sign', 'key');
  expect(ran).toMatchObject({ code: 0, stderr: '' });
  const [, fingerprint] = keygen('-l', '-f', 'key').toString().split(' ');
  const result = JSON.parse(ran.stdout) as { unchanged: number };
  expect(result).toMatchObject({ status: 'whole', signedBy: fingerprint });
  expect(result.unchanged).toBeGreaterThan(0);
  const verified = await home.verified('--offline', '--allowed-signers', 'allowed');
  expect(verified).toMatchObject(clean);
  expect(verified.stderr).toContain(`Signed by ada@example.com (${fingerprint}).`);
  const check = ['-Y', 'verify', '-f', 'allowed', '-I', 'ada@example.com', '-n', 'docs-backup'];
  const input = readFileSync(home.at('b', 'manifest.json'));
  const theirs = spawnSync('ssh-keygen', [...check, '-s', 'b/manifest.json.sig'], { cwd: home.path, input });
  expect(theirs.status, String(theirs.stderr)).toBe(0);
});

/** A disk of its own takes the rights to mount one. */
const mayMount = process.platform === 'linux' && spawnSync('unshare', ['-rm', 'true']).status === 0;

test.skipIf(!mayMount)('a full disk is exit 13, and leaves whole files only', async () => {
  mkdirSync(home.at('b'));
  const run = ['backup', 'run', '--out', home.at('b'), '--json'].join(' ');
  const script = [
    `mount -t tmpfs -o size=160k,mode=700 tmpfs '${home.at('b')}'`,
    `${docsLine} ${run} > '${home.at('stdout')}' 2> '${home.at('stderr')}'`,
    `echo $? > '${home.at('code')}'`,
    `cp -r '${home.at('b')}' '${home.at('kept')}'`,
  ].join('; ');
  const child = spawn('unshare', ['-rm', 'sh', '-c', script], { env: home.env, cwd: home.path });
  await new Promise((done) => child.on('close', done));
  const read = (name: string) => readFileSync(home.at(name), 'utf8');
  expect(read('code')).toBe('13\n');
  expect(failureOf(read('stderr'))).toMatchObject({ code: 'disk_full', exitCode: 13 });
  for (const path of filesIn(home.at('kept')).keys()) if (path.endsWith('.json')) home.parsed('kept', path);
  // With room it goes on there.
  cpSync(home.at('kept'), home.at('b'), { recursive: true });
  expect((await home.backedUp()).status).toBe('whole');
  expect(await home.verified()).toMatchObject(clean);
});
