import { existsSync, readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BackupHome, backupHome, filesIn } from './backup-home.js';

/** Seven processes at once over a large organization, one of them killed and run again: the same as one run. */

let home: BackupHome;
beforeAll(async () => {
  home = await backupHome({ seed: 'acme' });
});
afterAll(() => home.end());

const of = 7;
const shards = Array.from({ length: of }, (_, at) => `${at + 1}/${of}`);

/** Runs all parts at once, and kills the fourth while one of its requests is held, so that it cannot be done. */
async function runAll(words: readonly string[], held: RegExp, kept: string): Promise<void> {
  let open = (): void => {};
  const gate = new Promise<undefined>((done) => {
    open = () => done(undefined);
  });
  let hold = (): void => {};
  const isHeld = new Promise<void>((done) => {
    hold = done;
  });
  // The fourth starts alone, so that the request which is held is its own.
  home.gateway.rule = (line) => {
    if (!held.test(line)) return undefined;
    hold();
    return gate;
  };
  const victim = home.start([...words, '--shard', `4/${of}`]);
  await isHeld;
  home.gateway.rule = () => undefined;
  const others = shards.filter((shard) => shard !== `4/${of}`);
  const running = others.map((shard) => home.start([...words, '--shard', shard]).ended);
  victim.child.kill('SIGKILL');
  expect((await victim.ended).signal).toBe('SIGKILL');
  open();
  for (const { code } of await Promise.all(running)) expect(code).toBe(0);
  expect(existsSync(home.at('parts', `4-of-${of}`, kept))).toBe(false);
}

const again = (words: readonly string[]) => home.run([...words, '--shard', `4/${of}`]);

/** Joins the parts into a folder, and is killed once its first space is there, with 59 to come. @returns the folder */
async function mergeKilled(): Promise<string> {
  for (let turn = 1; ; turn += 1) {
    const out = `cut-${turn}`;
    const { child, ended } = home.start(['backup', 'merge', 'parts', '--out', out, '--quiet']);
    await expect.poll(() => existsSync(home.at(out, 'spaces')), { interval: 5 }).toBe(true);
    child.kill('SIGKILL');
    // On a busy machine it may have been done before anybody looked.
    if ((await ended).signal === 'SIGKILL') return out;
  }
}

test('a backup in seven parts, one of them killed', async () => {
  const words = ['backup', 'run', '--out', 'parts', '--quiet'];
  await runAll(words, /GET \/v1\/spaces\/[^/]+\/content\/page/, 'part.json');
  const merge = ['backup', 'merge', 'parts', '--out', 'whole', '--json'];
  const missing = await home.run(merge);
  expect(missing).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`part 4 of ${of} is unfinished`),
  });
  expect((await again(words)).code).toBe(0);
  const joined = await home.run(merge);
  expect({ code: joined.code, result: JSON.parse(joined.stdout) }).toMatchObject({
    code: 0,
    result: { status: 'whole', spaces: 60, failed: [] },
  });
  await home.ok(['backup', 'run', '--out', 'one', '--quiet']);
  const [one, whole] = ['one', 'whole'].map((name) => filesIn(home.at(name)));
  for (const files of [one, whole]) files?.delete('manifest.json');
  expect(whole).toEqual(one);
  const manifest = (name: string) =>
    readFileSync(home.at(name, 'manifest.json'), 'utf8').replaceAll(
      /"[^"]*T\d\d:\d\d:\d\d\.\d\d\dZ"/g,
      '"time"',
    );
  expect(manifest('whole')).toBe(manifest('one'));
  expect(await home.ok(['backup', 'diff', 'one', 'whole', '--exit-code'])).toBe('');
  await home.ok(['backup', 'verify', 'whole']);
  await home.ok(['backup', 'status', 'whole', '--max-age', '1h']);
  const cut = await mergeKilled();
  expect((await home.run(['backup', 'verify', cut])).code).not.toBe(0);
  await home.ok(['backup', 'merge', 'parts', '--out', cut, '--quiet']);
  const mended = filesIn(home.at(cut));
  mended.delete('manifest.json');
  expect(mended).toEqual(whole);
  await home.ok(['backup', 'verify', cut]);
  rmSync(home.at('parts'), { recursive: true });
}, 600_000);

test('a check of links in seven parts, one of them killed', async () => {
  const words = ['links', 'check', '--parts', 'parts', '--quiet'];
  await runAll(words, /GET \/v1\/spaces\/[^/]+\/links/, 'answers.ndjson');
  const missing = await home.run(['links', 'check', '--merge', 'parts', '--json']);
  expect(missing).toMatchObject({ code: 3, stdout: '' });
  expect((await again(words)).code).toBe(0);
  for (const format of [['--json'], ['--report', 'markdown'], ['--fail-on', 'broken']]) {
    const one = await home.run(['links', 'check', '--quiet', ...format]);
    home.gateway.requests.length = 0;
    const joined = await home.run(['links', 'check', '--quiet', '--merge', 'parts', ...format]);
    expect(home.gateway.requests).toEqual([]);
    expect(joined).toEqual(one);
  }
}, 600_000);
