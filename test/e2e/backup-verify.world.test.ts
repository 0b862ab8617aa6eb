import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { away, homeOfFile } from './backup-home.js';

/** `docs backup verify` and `docs backup diff` over backups of the sandbox. */

const home = homeOfFile({ backup: true });

describe('docs backup verify', () => {
  test('finds what is changed, missing, extra, and miscounted', async () => {
    const space = home.at('b', 'spaces', 'Welcome');
    appendFileSync(`${space}/pages/faq.md`, 'x');
    rmSync(`${space}/files/logo.png`);
    writeFileSync(`${space}/pages/new.md`, '');
    writeFileSync(home.at('b', 'notes.txt'), '');
    mkdirSync(home.at('b', 'spaces', 'Mine'));
    const manifest = `${space}/manifest.json`;
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"pages":10', '"pages":11'));
    const { code, found } = await home.verified('--offline');
    expect(code).toBe(17);
    expect(found.map(({ state, path }) => `${state} ${path}`).sort()).toEqual([
      'changed spaces/Welcome/manifest.json',
      'changed spaces/Welcome/pages/faq.md',
      'extra notes.txt',
      'extra spaces/Mine',
      'extra spaces/Welcome/pages/new.md',
      'miscounted manifest.json',
      'miscounted spaces/Welcome/manifest.json',
      'missing spaces/Welcome/files/logo.png',
    ]);
  });

  test('needs no sign-in, and says so', async () => {
    const ran = await home.run(['backup', 'verify', 'b'], { env: away });
    expect(ran).toMatchObject({ code: 0, stdout: '' });
    expect(ran.stderr).toMatch(
      /^Not compared with the platform: you are not signed in\.\nThe backup is whole: 5 spaces, \d+ files, [\d,]+ bytes read\.\n$/,
    );
  });

  test('lists what changed on the platform since', async () => {
    await home.merge();
    await home.ok(['spaces', 'delete', await home.space('Product Guide'), '--yes']);
    await home.ok(['spaces', 'duplicate', await home.space('Welcome')]);
    await home.ok(['teams', 'create', '--title', 'New']);
    const { code, found } = await home.verified();
    expect(code).toBe(17);
    expect(found.map(({ state, kind }) => `${state} ${kind}`).sort()).toEqual([
      ...['gone change-request', 'gone space', 'not-backed-up space', 'not-backed-up team'],
      ...['outdated site', 'outdated space'],
    ]);
    expect((await home.verified('--offline')).code).toBe(0);
  });

  test('refuses a folder that is not a backup, and reports a damaged manifest', async () => {
    expect((await home.run(['backup', 'verify', 'nowhere'])).code).toBe(2);
    writeFileSync(home.at('b', 'manifest.json'), '{');
    expect((await home.run(['backup', 'verify', 'b'])).code).toBe(14);
  });
});

describe('docs backup diff', () => {
  const diff = async (...words: string[]) => {
    const { code, stdout } = await home.run(['backup', 'diff', 'a', 'b', '--json', ...words]);
    return { code, found: JSON.parse(stdout) as { change: string; kind: string; title?: string }[] };
  };

  test('lists what changed, and exits like git diff', async () => {
    cpSync(home.at('b'), home.at('a'), { recursive: true });
    expect(await diff('--exit-code')).toEqual({ code: 0, found: [] });
    const reader = await home.firstId('members', 'list', '--role', 'read');
    await home.ok(['members', 'update', reader, '--role', 'edit', '--yes']);
    await home.ok(['teams', 'create', '--title', 'New']);
    await home.merge();
    await home.ok(['spaces', 'delete', await home.space('Product Guide'), '--yes']);
    await home.backedUp();
    const { code, found } = await diff();
    expect(code).toBe(0);
    const told = found.map(({ change, kind, title }) => `${change} ${kind} ${title}`);
    expect(told).toEqual(
      expect.arrayContaining([
        'added team New',
        'removed space Product Guide',
        'removed page FAQ',
        'added page Single sign-on',
        expect.stringMatching(/^removed change-request /),
        expect.stringMatching(/^changed member /),
      ]),
    );
    expect(told.filter((line) => /member|team/.test(line))).toHaveLength(2);
    expect((await diff('--exit-code')).code).toBe(17);
  });
});
