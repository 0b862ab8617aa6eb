import { afterEach, beforeEach, test } from 'vitest';
import { runs } from '../../runs.js';
import { expectRandomRunsKept, expectWholeAfterKills } from './killed.js';
import { type TemporaryFolder, temporaryFolder } from './small-run.js';

/** Every step at which a run can be killed, and more random runs than versions.test.ts has. */

let place: TemporaryFolder;
beforeEach(() => {
  place = temporaryFolder();
});
afterEach(() => place.remove());

test('killed at every step on the disk, the earlier runs are whole', { timeout: 600_000 }, async () => {
  await expectWholeAfterKills(place, () => true);
});

test.each(Array.from({ length: runs(200) }, (_, at) => at))(
  'random changes, runs and values of --keep: every kept run reads back (seed %i)',
  async (seed) => {
    await expectRandomRunsKept(place.root, seed);
  },
);
