import { expect, test } from 'vitest';
import { backedUpAs, change, clean, expectAsItWas, failureOf, homeOfFile, killAt } from './backup-home.js';

/** `docs backup run` that is cut off: what it says, and what the next run and `docs backup status` make of it. */

const home = homeOfFile();
const words = ['backup', 'run', '--out', 'b', '--json', '--concurrency', '1'];

test('SIGINT while permissions are read says how far it is, and what is kept', async () => {
  const { signal, stderr } = await killAt(home, words, (_, count) => count === 5, 'SIGINT');
  expect(signal).toBe('SIGINT');
  expect(failureOf(stderr).message).toBe(
    'interrupted: no space read yet, permissions of 0 of 7 members read; files of earlier runs are kept, and the next run starts again',
  );
});

test('SIGTERM prints the progress, and the next run continues', async () => {
  const ended = await killAt(home, words, (_, count) => count === 70, 'SIGTERM');
  expect(failureOf(ended.stderr)).toMatchObject({ code: 'terminated', exitCode: 143 });
  expect(failureOf(ended.stderr).message).toMatch(/^terminated: \d of 5 spaces done; /);
  expect((await home.backedUp()).unchanged).toBeGreaterThan(0);
});

test('killed in a run with --keep, the earlier runs are whole', async () => {
  await backedUpAs(home, 1, '--keep', '9');
  await change(home);
  expect(await killAt(home, words, (_, count) => count === 28)).toMatchObject({ signal: 'SIGKILL' });
  await expectAsItWas(home, 1);
  const [{ run: latest }] = (await home.json(['backup', 'log', 'b'])) as [{ run: number }];
  await backedUpAs(home, latest + 1);
  await expectAsItWas(home, 1);
  await expectAsItWas(home, latest + 1, 'latest');
  expect(await home.verified('--offline')).toMatchObject(clean);
  const shown = await home.json<unknown[]>(['backup', 'show', 'b', 'latest']);
  const differences = await home.json<unknown[]>(['backup', 'diff', 'copy1', `copy${latest + 1}`]);
  expect(shown).toHaveLength(differences.length);
});

test('a space that a killed run had in hand is no forgery; status tells that the run was cut off', async () => {
  const { id } = await home.backedUp();
  const { finishedAt } = home.parsed<{ finishedAt: string }>('b', 'manifest.json');
  const welcome = await home.space('Welcome');
  await home.merge();
  await killAt(home, words, (line) => line.includes(`/spaces/${welcome}/content/page/`));
  const { code, stdout, stderr } = await home.run(['backup', 'status', 'b', '--max-age', '26h', '--json']);
  expect({ code, status: JSON.parse(stdout) }).toMatchObject({
    code: 17,
    status: { id, finishedAt, running: null, problems: ['unfinished'] },
  });
  expect(failureOf(stderr).message).toMatch(/^unfinished: the run of \S+ was cut off$/);
  expect(await home.backedUp()).toMatchObject({ status: 'whole', distrusted: [] });
  expect(await home.verified('--offline')).toMatchObject(clean);
});
