import { test } from 'vitest';
import { runs } from '../../runs.js';
import { accessWorldOfFile } from '../access-world.js';
import { nothingCrashes } from './damage.js';

/** The same over many more answers: `npm run test:organizations`. */

const world = await accessWorldOfFile();
/** Of each command. */
const numRuns = runs(120);

test('no damage to an answer crashes a command', { timeout: 60_000 + numRuns * 8000 }, async () => {
  await nothingCrashes(world, { numRuns, seed: 301 });
});
