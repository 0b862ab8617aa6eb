import { existsSync, rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/start.js';
import { homeOfFile } from './backup-home.js';

/** `docs sandbox seed --from-backup`, and what it and `start` refuse. Servers: sandbox-from-backup.program.test.ts. */

const home = homeOfFile({ backup: true });
const copy = ['--file', 'copy.db'];
const state = () => home.ok(['sandbox', 'export', ...copy]);

/** Runs docs on the sandbox beside that of the home. */
async function onCopy(...words: string[]): Promise<string> {
  const io = { now: Date.now, sleep: async () => {} };
  const { url, token, close } = await startSandbox({ file: home.at('copy.db'), io });
  const { code, stdout, stderr } = await home.run(words, { env: { DOCS_BASE_URL: url, DOCS_TOKEN: token } });
  await close();
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

test('a backup becomes a sandbox, whose backup is the same; reset goes back to it, while it is there', async () => {
  const seeded = await home.json(['sandbox', 'seed', '--from-backup', 'b', ...copy]);
  expect(seeded).toEqual({
    ...{ id: home.at('b'), status: 'seeded', organization: { id: home.org, title: 'Acme Docs' } },
    ...{ spaces: 5, gaps: [] },
  });
  const before = await state();
  await onCopy('backup', 'run', '--out', 'again');
  const diff = await home.run(['backup', 'diff', 'b', 'again', '--exit-code']);
  expect(diff).toMatchObject({ code: 0, stdout: '' });

  await onCopy('teams', 'create', '--title', 'New');
  expect(await state()).not.toBe(before);
  await home.ok(['sandbox', 'reset', ...copy]);
  expect(await state()).toBe(before);
  rmSync(home.at('b'), { recursive: true });
  const gone = await home.run(['sandbox', 'reset', ...copy]);
  expect(gone).toMatchObject({ code: 2, stdout: '' });
  expect(gone.stderr).toContain(`${home.at('b')} is not a backup`);
  expect(await state()).toBe(before);
});

test('--at takes an earlier run, which reset goes back to', async () => {
  const titles = ['teams', 'list', '--jq', '.[].title'];
  const before = await home.ok(titles);
  await home.ok(['teams', 'create', '--title', 'Later']);
  await home.backedUp('--keep', '9');
  await home.ok(['sandbox', 'seed', '--from-backup', 'b', '--at', 'latest', ...copy]);
  expect(await onCopy(...titles)).toContain('Later');
  await home.ok(['sandbox', 'seed', '--from-backup', 'b', '--at', '1', ...copy]);
  await onCopy('teams', 'create', '--title', 'New');
  await home.ok(['sandbox', 'reset', ...copy]);
  expect(await onCopy(...titles)).toBe(before);
});

test('--dry-run changes nothing, and contradictions are refused', async () => {
  await home.ok(['sandbox', 'seed', '--from-backup', 'b', ...copy, '--dry-run']);
  expect(existsSync(home.at('copy.db'))).toBe(false);
  for (const words of [
    ['seed', 'tiny', '--from-backup', 'b'],
    ['seed', '--from', 'x.json', '--from-backup', 'b'],
    ['start', '--seed', 'tiny', '--from-backup', 'b'],
    ['seed', '--from-backup', 'missing'],
    ['seed', '--from-backup', 'b', '--at', '7'],
    ['seed', 'tiny', '--at', '1'],
    ['start', '--at', '1'],
  ])
    expect(await home.run(['sandbox', ...words, ...copy])).toMatchObject({ code: 2 });
});
