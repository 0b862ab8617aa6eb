import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StalePlatform, stalePlatform } from './stale-platform.js';

/** `docs change-requests stale` on a platform that changes texts, and with nothing to do. */

let platform: StalePlatform;
let ids: string[];
beforeAll(async () => {
  platform = await stalePlatform();
  ids = await platform.opened(['A', 'B', 'C', 'D']);
});
afterAll(() => platform.end());

const run = (...words: string[]) => platform.home.run(platform.stale(...words));
const texts = async () =>
  (await Promise.all(ids.map(platform.comments))).map((own) => own.map(({ body }) => body.markdown));
type Failed = { error: { code: string; hint: string; message: string } };

test('where nothing is to do, standard output is the empty result and standard error says so', async () => {
  const sentence = 'No stale change requests; 4 change requests read.\n';
  expect(await run('--yes')).toMatchObject({ code: 0, stdout: '', stderr: sentence });
  expect(await run('--yes', '--json')).toMatchObject({ code: 0, stdout: '[]\n', stderr: sentence });
  expect(await run('--yes', '--json', '--quiet')).toMatchObject({ code: 0, stdout: '[]\n', stderr: '' });
});

describe.sequential('a platform that removes the marker', () => {
  test('is noticed at once: exit 3, and how to take the comments back', async () => {
    await platform.pass(61);
    platform.forwarder.onText = (text) => text.replace(/`docs-stale:[^`]*`/, '');
    const { code, stdout, stderr } = await run('--yes', '--json');
    expect({ code, rows: (JSON.parse(stdout) as { status: string }[]).map(({ status }) => status) }).toEqual({
      ...{ code: 3, rows: ['ok', 'ok', 'ok', 'ok'] },
    });
    const { error } = JSON.parse(stderr.slice(stderr.indexOf('{"error"'))) as Failed;
    expect(error).toMatchObject({ code: 'marker_lost', hint: 'docs undo last' });
    expect(error.message).toContain('4 of 4 comments posted lost the marker');
  });

  test('is not given a second comment, however long the silence', async () => {
    await platform.pass(61);
    expect(await platform.listed()).toMatchObject({ A: { action: 'damaged' }, D: { action: 'damaged' } });
    const { code, stdout, stderr } = await run('--archive', '--yes', '--json');
    expect({ code, codes: (JSON.parse(stdout) as Failed[]).map(({ error }) => error.code) }).toEqual({
      ...{ code: 3, codes: ids.map(() => 'marker_damaged') },
    });
    expect((await texts()).map((own) => own.length)).toEqual([1, 1, 1, 1]);
    // The command of the hint settles one of them.
    const { error } = JSON.parse(stderr.slice(stderr.indexOf('{"error"'))) as Failed;
    expect(error.hint).toMatch(/^docs comments delete \w+ --space \w+ --change-request \w+$/);
    expect((await platform.home.run([...error.hint.split(' ').slice(1), '--yes'])).code).toBe(0);
    expect((await texts()).flat()).toHaveLength(3);
  });

  test('that keeps it again gets the comment, which is read back beside what is left', async () => {
    platform.forwarder.reset();
    await platform.pass(61);
    const { code, stderr } = await run('--yes');
    expect({ code, stderr }).toMatchObject({
      ...{ code: 3, stderr: expect.stringContaining('Read again: the comment carries the marker.') },
    });
    expect((await texts()).flat().filter((text) => text.includes('`docs-stale: '))).toHaveLength(1);
  });
});
