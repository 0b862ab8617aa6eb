import { it } from 'vitest';
import { openJobWorld } from '../jobs/job-world.js';
import { runs } from '../runs.js';
import { eachTest } from '../sandbox/each-test.js';
import { neverStale, staleByOthers } from './random-drafts.js';

/** Many random plans; a few are in overlay.world.test.ts. */

const world = eachTest(openJobWorld);
const seeds = Array.from({ length: runs(20) }, (_, at) => 100 + at);

it.each(seeds)('operations of one plan never become stale by each other (seed %i)', (seed) =>
  neverStale(world, seed),
);

it.each(seeds)('they become stale by everybody else, and nothing else does (seed %i)', (seed) =>
  staleByOthers(world, seed),
);
