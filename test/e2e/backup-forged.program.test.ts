import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BackupHome, backupHome, failureOf, filesIn, perSpace, type Result } from './backup-home.js';

/** A backup that someone changed: a run never makes it look whole. */

let home: BackupHome;
beforeEach(async () => {
  home = await backupHome();
});
afterEach(() => home.end());

interface Distrusted {
  kind: string;
  title?: string;
  path: string;
}
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const page = () => home.at('b', 'spaces', 'Welcome', 'pages', 'faq.md');
const page0 = () => readFileSync(page(), 'utf8');
const verified = async (...words: string[]) => {
  const { code, stdout, stderr } = await home.run(['backup', 'verify', 'b', '--offline', '--json', ...words]);
  const found = JSON.parse(stdout) as { state: string; kind: string; path?: string }[];
  return { code, stderr, found: found.map(({ state, kind, path }) => [state, kind, path].join(' ')) };
};

/** Changes a page, and its hash and size in the manifest of the space. */
function forgePage(): void {
  const old = hashOf(readFileSync(page()));
  const text = page0().replace(/^#.*$/m, (line) => line.replace(/[aeiou]/gi, 'x'));
  writeFileSync(page(), text);
  replaceIn(['spaces', 'Welcome', 'manifest.json'], old, hashOf(readFileSync(page())));
}

/** The same, and the hash of that manifest in the one at the top. */
function forgeAll(): void {
  const manifest = home.at('b', 'spaces', 'Welcome', 'manifest.json');
  const old = hashOf(readFileSync(manifest));
  forgePage();
  replaceIn(['manifest.json'], old, hashOf(readFileSync(manifest)));
}

function replaceIn(names: string[], from: string, to: string): void {
  const path = home.at('b', ...names);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

describe('a page that was changed together with its hash', () => {
  test('is found by verify, set aside and read again by a run, which says so and exits 17', async () => {
    await home.backedUp();
    const original = page0();
    forgePage();
    const forged = page0();
    expect(forged).not.toBe(original);
    expect(await verified()).toMatchObject({
      code: 17,
      found: ['changed manifest spaces/Welcome/manifest.json'],
    });

    home.gateway.requests.length = 0;
    const ran = await home.backUp();
    expect(ran.code).toBe(17);
    const result = JSON.parse(ran.stdout) as Result & { distrusted: Distrusted[] };
    expect(result).toMatchObject({ status: 'whole', unchanged: 4, failed: [] });
    const [{ path, ...what }] = result.distrusted as [Distrusted];
    expect(what).toMatchObject({ kind: 'space', title: 'Welcome' });
    expect(path).toMatch(/^deleted\/[^/]+\/spaces\/Welcome$/);
    expect(failureOf(ran.stderr)).toMatchObject({
      code: 'backup_changed',
      message:
        '1 space was changed in the backup since the last run; nothing of it was reused, and the backup is whole again',
      details: { distrusted: result.distrusted },
    });
    // Every page was read again, and what was there is kept.
    const asked = perSpace(home.gateway.requests).get(await home.space('Welcome')) ?? [];
    expect(asked.filter((line) => line.includes('/content/page/')).length).toBeGreaterThan(19);
    expect(page0()).toBe(original);
    expect(readFileSync(home.at('b', path, 'pages', 'faq.md'), 'utf8')).toBe(forged);
    expect(await verified()).toMatchObject({ code: 0, found: [] });
    expect(await home.backedUp()).toMatchObject({ unchanged: 5, distrusted: [] });
  });

  test('is told by a dry run, which exits 17 as the run does, and moves nothing', async () => {
    await home.backedUp();
    forgePage();
    const before = filesIn(home.at('b'));
    const ran = await home.backUp('--dry-run');
    expect(ran.code).toBe(17);
    const plan = JSON.parse(ran.stdout) as { title: string; state: string }[];
    expect(plan.filter(({ state }) => state !== 'unchanged')).toMatchObject([
      { title: 'Welcome', state: 'distrusted' },
    ]);
    expect(failureOf(ran.stderr)).toMatchObject({
      code: 'backup_changed',
      message: '1 space was changed in the backup since the last run; a run would reuse nothing of it',
      details: { distrusted: [{ kind: 'space', title: 'Welcome' }], failed: [] },
    });
    const { stderr } = await home.run(['backup', 'run', '--out', 'b', '--dry-run']);
    expect(stderr).toContain('Dry run: 4 unchanged, 1 distrusted; nothing was written.\n');
    expect(stderr).toMatch(/^Changed since the last run: space Welcome \([\w-]+\)$/m);
    expect(filesIn(home.at('b'))).toEqual(before);
  });

  test('stays aside while the space cannot be read', async () => {
    await home.backedUp();
    const welcome = await home.space('Welcome');
    forgePage();
    home.gateway.rule = (line) => (line.includes(`/spaces/${welcome}/content`) ? 500 : undefined);
    const ran = await home.backUp('--no-retry');
    expect(ran.code).toBe(17);
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: 'partial', distrusted: [{ title: 'Welcome' }] });
    expect(existsSync(page())).toBe(false);
    home.gateway.rule = () => undefined;
    expect((await home.backedUp()).status).toBe('whole');
    expect(await verified()).toMatchObject({ code: 0 });
  });
});

test('a space that a killed run had in hand is no forgery', async () => {
  await home.backedUp();
  const welcome = await home.space('Welcome');
  await home.ok(['change-requests', 'merge', '3', '--space', welcome, '--yes']);
  const running = home.start(['backup', 'run', '--out', 'b', '--concurrency', '1']);
  home.gateway.rule = (line) => {
    if (line.includes(`/spaces/${welcome}/content/page/`)) running.child.kill('SIGKILL');
    return undefined;
  };
  await running.ended;
  home.gateway.rule = () => undefined;
  expect(await home.backedUp()).toMatchObject({ status: 'whole', distrusted: [] });
  expect(await verified()).toMatchObject({ code: 0 });
});

const hasSshKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;
describe.skipIf(!hasSshKeygen)('a signed backup', () => {
  const keygen = (...words: string[]) => execFileSync('ssh-keygen', words, { cwd: home.path, stdio: 'pipe' });
  const makeKey = (name: string) => {
    keygen('-q', '-N', '', '-C', '', '-t', 'ed25519', '-f', name);
    return readFileSync(home.at(`${name}.pub`), 'utf8').trim();
  };
  const allow = (...keys: string[]) =>
    writeFileSync(home.at('allowed'), keys.map((key) => `ada@example.com ${key}\n`).join(''));
  const allowed = ['--allowed-signers', 'allowed'];
  const signed = () => home.backUp('--sign', 'key');

  test('is checked by docs and by ssh-keygen, and signed again by each run', async () => {
    allow(makeKey('key'));
    for (const unchanged of [0, 5]) {
      const ran = await signed();
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      const [, fingerprint] = keygen('-l', '-f', 'key').toString().split(' ');
      expect(JSON.parse(ran.stdout)).toMatchObject({ status: 'whole', unchanged, signedBy: fingerprint });
      const { code, stderr, found } = await verified(...allowed);
      expect({ code, found }).toEqual({ code: 0, found: [] });
      expect(stderr).toContain(`Signed by ada@example.com (${fingerprint}).`);
      const words = ['-Y', 'verify', '-f', 'allowed', '-I', 'ada@example.com', '-n', 'docs-backup'];
      const input = readFileSync(home.at('b', 'manifest.json'));
      const theirs = spawnSync('ssh-keygen', [...words, '-s', 'b/manifest.json.sig'], {
        cwd: home.path,
        input,
      });
      expect(theirs.status, String(theirs.stderr)).toBe(0);
    }
  });

  test('without a signature, or with that of someone else, exits 17', async () => {
    allow(makeKey('key'));
    await home.backedUp();
    const unsigned = await verified(...allowed);
    expect(unsigned).toMatchObject({ code: 17, found: ['unsigned signature manifest.json'] });
    expect(failureOf(unsigned.stderr).hint).toBe('docs backup run --out b --sign <key>');
    await signed();
    allow(makeKey('other'));
    expect(await verified(...allowed)).toMatchObject({
      code: 17,
      found: ['wrong-signer signature manifest.json.sig'],
    });
    expect(await verified()).toMatchObject({ code: 0 });
  });

  test.each([
    ['a plain run', [] as string[]],
    ['a run that signs', ['--sign', 'key']],
  ])('whose manifest was changed is not reused: %s sets all aside', async (_, words) => {
    allow(makeKey('key'));
    await signed();
    const original = page0();
    forgeAll();
    // Without the signature nobody could tell.
    expect(await verified(...allowed)).toMatchObject({
      code: 17,
      found: ['changed signature manifest.json'],
    });
    const planned = await home.backUp('--dry-run', ...words);
    expect(planned.code).toBe(17);
    expect(failureOf(planned.stderr)).toMatchObject({
      message:
        'the signed manifest was changed in the backup since the last run; a run would reuse nothing of it',
      details: { distrusted: [{ kind: 'manifest', id: home.org }] },
    });
    const ran = await home.backUp(...words);
    expect(ran.code).toBe(17);
    const { distrusted, ...rest } = JSON.parse(ran.stdout) as Result & { distrusted: Distrusted[] };
    expect(rest).toMatchObject({ status: 'whole', unchanged: 0, spaces: 5 });
    expect(distrusted).toMatchObject([{ kind: 'manifest' }]);
    expect(page0()).toBe(original);
    const [time = ''] = readdirSync(home.at('b', 'deleted'));
    expect(readdirSync(home.at('b', 'deleted', time))).toEqual(
      expect.arrayContaining(['manifest.json', 'manifest.json.sig', 'members.json', 'spaces']),
    );
    expect(await verified(...allowed)).toMatchObject({ code: words.length === 0 ? 17 : 0 });
    expect(await verified()).toMatchObject({ code: 0 });
  });

  test('whose signature was removed is read again before it is signed', async () => {
    allow(makeKey('key'));
    await signed();
    const original = page0();
    forgeAll();
    rmSync(home.at('b', 'manifest.json.sig'));
    const planned = await home.run(['backup', 'run', '--out', 'b', '--sign', 'key', '--dry-run']);
    expect(planned.code).toBe(0);
    expect(planned.stderr).toContain(
      'The last run was not signed by this key: a run would read everything again.\n',
    );
    const ran = await home.run(['backup', 'run', '--out', 'b', '--sign', 'key']);
    expect(ran.code).toBe(0);
    expect(ran.stderr).toBe(
      'The last run was not signed by this key: nothing of it was reused, everything was read again.\n',
    );
    expect(page0()).toBe(original);
    expect(await verified(...allowed)).toMatchObject({ code: 0 });
  });

  test('that a plain run continues has no signature any more', async () => {
    allow(makeKey('key'));
    await signed();
    expect(await home.backedUp()).toMatchObject({ unchanged: 5 });
    expect(existsSync(home.at('b', 'manifest.json.sig'))).toBe(false);
    expect((await verified(...allowed)).code).toBe(17);
  });

  test('that was cut off continues, signed', async () => {
    allow(makeKey('key'));
    const running = home.start(['backup', 'run', '--out', 'b', '--sign', 'key', '--concurrency', '1']);
    home.gateway.rule = (_, count) => {
      if (count === 110) running.child.kill('SIGKILL');
      return undefined;
    };
    await running.ended;
    home.gateway.rule = () => undefined;
    const ran = await signed();
    expect(ran.code).toBe(0);
    expect((JSON.parse(ran.stdout) as Result).unchanged).toBeGreaterThan(0);
    expect(await verified(...allowed)).toMatchObject({ code: 0, found: [] });
  });

  test('while a list fails keeps the spaces that it does not find', async () => {
    allow(makeKey('key'));
    await home.backedUp();
    home.gateway.rule = (line) => (/\/members\b/.test(line) ? 500 : undefined);
    const ran = await home.backUp('--sign', 'key', '--no-retry');
    expect(ran.code).toBe(3);
    expect(readdirSync(home.at('b', 'spaces'))).toHaveLength(5);
  });

  test.each([
    ['no key', 'allowed', 'bad_key'],
    ['a missing file', 'nowhere', 'no_such_file'],
  ])('with %s is refused before anything is sent', async (_, key, code) => {
    writeFileSync(home.at('allowed'), 'nothing\n');
    home.gateway.requests.length = 0;
    const ran = await home.backUp('--sign', key);
    expect(failureOf(ran.stderr).code).toBe(code);
    expect(existsSync(home.at('b'))).toBe(false);
    expect(home.gateway.requests).toEqual([]);
  });
});
