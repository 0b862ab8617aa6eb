import { afterAll, beforeAll, expect, test } from 'vitest';
import { runs } from '../runs.js';
import { type StalePlatform, stalePlatform } from './stale-platform.js';

/** `docs change-requests stale`, killed at any request: nobody is warned twice, and nothing is archived too soon. */

const subjects = ['A', 'B', 'C', 'D', 'E'];

let platform: StalePlatform;
let ids: string[];
beforeAll(async () => {
  platform = await stalePlatform();
  ids = await platform.opened(subjects);
  await platform.pass(61);
});
afterAll(() => platform.end());

/** Starts the command and kills it at one of its requests; whether it got that far. */
async function killedAt(
  words: readonly string[],
  request: number,
  fate: 'before' | 'after',
): Promise<boolean> {
  const { forwarder, home } = platform;
  forwarder.reset();
  const running = home.begin(words);
  let seen = 0;
  const kill = () => {
    seen += 1;
    if (seen === request) running.kill('SIGKILL');
  };
  forwarder.onRead = kill;
  forwarder.onChange = () => {
    kill();
    return seen === request && fate === 'before' ? 'lost before' : 'pass';
  };
  const { signal } = await running.ended;
  await forwarder.idle();
  forwarder.reset();
  return signal === 'SIGKILL';
}

const warningsOf = async (id: string) =>
  (await platform.comments(id)).filter(({ body }) => body.markdown.includes('docs-stale:')).length;

/** What somebody does who finds a job unfinished; or who does not, and lets the next night's run do the rest. */
async function goOn(words: readonly string[], resumes: boolean): Promise<void> {
  const { home } = platform;
  if (resumes) await home.run(['jobs', 'resume', 'last', '--yes']);
  const { code, stderr } = await home.run(words);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
}

test('killed anywhere, then resumed or run again: one warning each, then one archiving each', async () => {
  const warn = platform.stale('--yes');
  let random = 7;
  for (let round = 0; round < runs(3); round += 1) {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
    const request = 4 + (random % 60);
    const fate = round % 2 === 0 ? 'before' : 'after';
    await killedAt(warn, request, fate);
    await goOn(warn, round % 3 !== 2);
    expect({ request, fate, round, warnings: await Promise.all(ids.map(warningsOf)) }).toEqual({
      ...{ request, fate, round, warnings: ids.map(() => 1) },
    });
    if (round < runs(3) - 1) await platform.uncomment(ids);
  }

  await platform.pass(14);
  const archive = platform.stale('--archive', '--yes');
  // One that was killed before its request was sent, and commented on before it is resumed, is not archived.
  const { forwarder, home } = platform;
  forwarder.reset();
  const running = home.begin([...archive, '--concurrency', '1']);
  forwarder.onChange = () => {
    running.kill('SIGKILL');
    return 'lost before';
  };
  await running.ended;
  forwarder.reset();
  const [first = '', ...others] = ids;
  await platform.comment(first, 'Wait!');
  const resumed = await home.run(['jobs', 'resume', 'last', '--json']);
  expect({ code: resumed.code, sent: forwarder.done.length }).toEqual({ code: 3, sent: others.length });
  expect(await platform.statusOf(first)).toBe('open');
  expect(await Promise.all(others.map(platform.statusOf))).toEqual(others.map(() => 'archived'));
});
