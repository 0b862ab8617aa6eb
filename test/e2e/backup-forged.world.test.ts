import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  allow,
  clean,
  failureOf,
  filesIn,
  forgeAll,
  forgePage,
  homeOfFile,
  makeKey,
  pageIn,
  perSpace,
  type Result,
} from './backup-home.js';

/** A backup that someone changed: a run never makes it look whole. */

const home = homeOfFile({ backup: true });
/** What a check of the folder alone finds, as lines. */
const verified = async (...words: string[]) => {
  const { code, stderr, found } = await home.verified('--offline', ...words);
  return { code, stderr, found: found.map(({ state, kind, path }) => [state, kind, path].join(' ')) };
};

describe('a page that was changed together with its hash', () => {
  test('is found by verify, set aside and read again by a run, which says so and exits 17', async () => {
    const original = pageIn(home);
    forgePage(home);
    const forged = pageIn(home);
    expect(forged).not.toBe(original);
    expect(await verified()).toMatchObject({
      code: 17,
      found: ['changed manifest spaces/Welcome/manifest.json'],
    });

    const ran = await home.backUp();
    expect(ran.code).toBe(17);
    const result = JSON.parse(ran.stdout) as Result;
    expect(result).toMatchObject({ status: 'whole', unchanged: 4, failed: [] });
    expect(result.distrusted).toEqual([
      expect.objectContaining({
        kind: 'space',
        title: 'Welcome',
        path: expect.stringMatching(/^deleted\/[^/]+\/spaces\/Welcome$/),
      }),
    ]);
    expect(failureOf(ran.stderr)).toMatchObject({
      code: 'backup_changed',
      message:
        '1 space was changed in the backup since the last run; nothing of it was reused, and the backup is whole again',
      details: { distrusted: result.distrusted },
    });
    // Every page was read again, and what was there is kept.
    const asked = perSpace(home.gateway.requests).get(await home.space('Welcome')) ?? [];
    expect(asked.filter((line) => line.includes('/content/page/')).length).toBeGreaterThan(19);
    expect(pageIn(home)).toBe(original);
    const aside = home.at('b', result.distrusted[0]?.path ?? '', 'pages', 'faq.md');
    expect(readFileSync(aside, 'utf8')).toBe(forged);
    expect(await verified()).toMatchObject(clean);
    expect(await home.backedUp()).toMatchObject({ unchanged: 5, distrusted: [] });
  });

  test('is told by a dry run, which exits 17 as the run does, and moves nothing', async () => {
    forgePage(home);
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
    forgePage(home);
    home.refuse(`/spaces/${await home.space('Welcome')}/content`, 500);
    const ran = await home.backUp('--no-retry');
    expect(ran.code).toBe(17);
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: 'partial', distrusted: [{ title: 'Welcome' }] });
    expect(existsSync(home.at('b', 'spaces', 'Welcome', 'pages', 'faq.md'))).toBe(false);
    home.gateway.reset();
    expect((await home.backedUp()).status).toBe('whole');
    expect(await verified()).toMatchObject({ code: 0 });
  });
});

describe('a signed backup', () => {
  const allowed = ['--allowed-signers', 'allowed'];
  const signed = () => home.backUp('--sign', 'key');
  /** Folder that `reset` leaves, with a signed backup, its key, and whose key it is. */
  const kept = () => home.at('.local', 'share', 'signed');
  const own = ['b', 'key', 'allowed'];
  /** Puts the backup of this key in place. */
  const putSigned = async () => {
    if (existsSync(kept())) {
      for (const name of own) cpSync(join(kept(), name), home.at(name), { recursive: true });
      return;
    }
    allow(home, makeKey(home, 'key'));
    await signed();
    for (const name of own) cpSync(home.at(name), join(kept(), name), { recursive: true });
  };

  test('is signed again by each run, and verify says by whom', async () => {
    allow(home, makeKey(home, 'key'));
    for (const unchanged of [0, 5]) {
      const { code, stdout } = await signed();
      expect([code, JSON.parse(stdout)]).toMatchObject([0, { status: 'whole', unchanged }]);
      const told = await verified(...allowed);
      expect(told).toMatchObject(clean);
      const { signedBy } = JSON.parse(stdout) as { signedBy: string };
      expect(told.stderr).toContain(`Signed by ada@example.com (${signedBy}).`);
    }
  });

  test('without a signature, or with that of someone else, exits 17', async () => {
    allow(home, makeKey(home, 'key'));
    const unsigned = await verified(...allowed);
    expect(unsigned).toMatchObject({ code: 17, found: ['unsigned signature manifest.json'] });
    expect(failureOf(unsigned.stderr).hint).toBe('docs backup run --out b --sign <key>');
    await putSigned();
    allow(home, makeKey(home, 'other'));
    expect(await verified(...allowed)).toMatchObject({
      code: 17,
      found: ['wrong-signer signature manifest.json.sig'],
    });
    expect(await verified()).toMatchObject({ code: 0 });
  });

  test('names the key of a kept run that someone else signed', async () => {
    makeKey(home, 'key');
    const { stdout } = await home.backUp('--sign', 'key', '--keep', '9');
    const { signedBy } = JSON.parse(stdout) as { signedBy: string };
    await home.backUp('--sign', 'key');
    allow(home, makeKey(home, 'other'));
    const { found } = await home.verified('--offline', ...allowed);
    expect(found).toContainEqual(
      expect.objectContaining({ state: 'wrong-signer', detail: `run 2 was signed by ${signedBy}` }),
    );
  });

  // A run that signs: test/backup/trust.test.ts.
  test('whose manifest was changed is not reused: a run sets all aside', async () => {
    await putSigned();
    const original = pageIn(home);
    forgeAll(home);
    // Without the signature nobody could tell.
    expect(await verified(...allowed)).toMatchObject({
      code: 17,
      found: ['changed signature manifest.json'],
    });
    const planned = await home.backUp('--dry-run');
    expect(planned.code).toBe(17);
    expect(failureOf(planned.stderr)).toMatchObject({
      message:
        'the signed manifest was changed in the backup since the last run; a run would reuse nothing of it',
      details: { distrusted: [{ kind: 'manifest', id: home.org }] },
    });
    const ran = await home.backUp();
    expect(ran.code).toBe(17);
    const distrusted = [{ kind: 'manifest' }];
    expect(pageIn(home)).toBe(original);
    const [time = ''] = readdirSync(home.at('b', 'deleted'));
    const aside = readdirSync(home.at('b', 'deleted', time));
    expect(aside).toEqual(
      expect.arrayContaining(['manifest.json', 'manifest.json.sig', 'members.json', 'spaces']),
    );
    // The manifest and its signature are copied.
    const counts = { unchanged: 0, moved: aside.length - 2, spaces: 5 };
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: 'whole', ...counts, distrusted });
    expect(await verified(...allowed)).toMatchObject({ code: 17 });
    expect(await verified()).toMatchObject({ code: 0 });
  });

  test('whose signature was removed is read again before it is signed', async () => {
    await putSigned();
    const original = pageIn(home);
    forgeAll(home);
    rmSync(home.at('b', 'manifest.json.sig'));
    const run = ['backup', 'run', '--out', 'b', '--sign', 'key'];
    const planned = await home.run([...run, '--dry-run']);
    expect(planned.code).toBe(0);
    expect(planned.stderr).toContain(
      'The last run was not signed by this key: a run would read everything again.\n',
    );
    expect(await home.run(run)).toMatchObject({
      code: 0,
      stderr:
        'The last run was not signed by this key: nothing of it was reused, everything was read again.\n',
    });
    expect(pageIn(home)).toBe(original);
    expect(await verified(...allowed)).toMatchObject({ code: 0 });
  });

  test('that a plain run continues has no signature any more', async () => {
    await putSigned();
    expect(await home.backedUp()).toMatchObject({ unchanged: 5 });
    expect(existsSync(home.at('b', 'manifest.json.sig'))).toBe(false);
    expect((await verified(...allowed)).code).toBe(17);
  });

  test('while a list fails keeps the spaces that it does not find', async () => {
    makeKey(home, 'key');
    home.refuse(/\/members\b/, 500);
    const ran = await home.backUp('--sign', 'key', '--no-retry');
    expect(ran.code).toBe(3);
    expect(readdirSync(home.at('b', 'spaces'))).toHaveLength(5);
  });

  test.each([
    ['no key', 'allowed', 'bad_key'],
    ['a missing file', 'nowhere', 'no_such_file'],
  ])('with %s is refused before anything is sent', async (_, key, code) => {
    writeFileSync(home.at('allowed'), 'nothing\n');
    const before = filesIn(home.at('b'));
    const ran = await home.backUp('--sign', key);
    expect(failureOf(ran.stderr).code).toBe(code);
    expect(filesIn(home.at('b'))).toEqual(before);
    expect(home.gateway.requests).toEqual([]);
  });
});
