import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { killedAt, type Release, startRelease, stateOf } from './release-home.js';

/** `docs release cut`, killed at each of its requests: resuming ends in the same state, and copies nothing twice. */

let release: Release;
beforeAll(async () => {
  release = await startRelease();
});
afterAll(() => release.close());
beforeEach(() => release.reset());

const words = () => [
  ...['release', 'cut', '2.1', '--site', release.sites.plain, '--from', 'API Reference'],
  ...['--make-default', '--yes'],
];

let whole: unknown;
test('uninterrupted, six changes', async () => {
  await release.home.ok(words());
  expect(release.forwarder.done).toHaveLength(6);
  whole = await stateOf(release.home, { withIds: false });
});

test.each([1, 2, 3, 4, 5, 6])('kill -9 at request %i, whose answer is lost', async (at) => {
  await killedAt(release, words(), at, 'lost after');
  const resumed = await release.home.run(['jobs', 'resume', 'last']);
  expect({ code: resumed.code, stderr: resumed.stderr }).toMatchObject({ code: 0 });
  expect(await stateOf(release.home, { withIds: false })).toEqual(whole);
  expect(release.forwarder.done).toHaveLength(6);
});
