import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { docsLine } from '../started.js';
import { allow, change, clean, failureOf, filesIn, homeOfFile, killAt, perSpace } from './backup-home.js';

/** `docs backup run` as a process: ended by signals, two at once, on a full disk, signed for ssh-keygen. */

const home = homeOfFile();
const words = ['backup', 'run', '--out', 'b', '--json', '--concurrency', '1'];
const status = async () => {
  const ran = await home.run(['backup', 'status', 'b', '--max-age', '26h', '--json']);
  return { ...ran, found: JSON.parse(ran.stdout) as Record<string, unknown> };
};

test('killed, the next run continues with what is whole', async () => {
  await killAt(home, words, (_, count) => count === 90);
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
  expect(await home.verified('--offline')).toMatchObject(clean);
  expect([...filesIn(home.at('b')).keys()].filter((path) => /\.tmp$|\.running$/.test(path))).toEqual([]);
});

test('SIGINT prints the progress', async () => {
  const ended = await killAt(home, words, (_, count) => count === 70, 'SIGINT');
  expect(ended).toMatchObject({ signal: 'SIGINT', stdout: '' });
  expect(failureOf(ended.stderr)).toMatchObject({
    ...{ code: 'interrupted', exitCode: 130, hint: 'docs backup run --out b' },
    message: expect.stringMatching(/^interrupted: \d of 5 spaces done; the next run continues there$/),
  });
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

test('a pack is the same in every time zone', async () => {
  await home.backedUp();
  const pack = (name: string) => ['backup', 'pack', 'b', '--space', 'Welcome', '--out', name];
  await home.ok(pack('here.zip'));
  const far = new Date().getTimezoneOffset() === -840 ? 'UTC' : 'Pacific/Kiritimati';
  expect((await home.start(pack('there.zip'), { TZ: far }).ended).code).toBe(0);
  const [here, there] = ['here.zip', 'there.zip'].map((name) => readFileSync(home.at(name)));
  expect(there?.equals(here ?? Buffer.of())).toBe(true);
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
  expect(await home.verified('--offline')).toMatchObject(clean);
});
