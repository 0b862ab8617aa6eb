import { test } from 'vitest';
import { runs } from '../../runs.js';
import { explainedHolds, nothingIsMadeUp } from './explained-property.js';
import { platformOfFile } from './platform.js';
import { someReadsFail, teamImpactHolds, whatIfHolds } from './what-if.js';

/** The same properties as in access.test.ts over thousands of other organizations: `npm run test:organizations`. */

const platform = await platformOfFile();
const numRuns = runs(3000);
const some = (seed: number) => ({ numRuns, seed });

test.each<[string, () => Promise<unknown>]>([
  ['explain, who and matrix give what is decided', () => explainedHolds(platform, some(201))],
  ['no role is made up', () => nothingIsMadeUp(platform, some(202), someReadsFail)],
  ['what-if holds', () => whatIfHolds(platform, some(203))],
  ['what-if holds where reads fail', () => whatIfHolds(platform, some(204), someReadsFail)],
  ['impact and what-if say the same', () => teamImpactHolds(platform, some(205))],
])('%s', { timeout: 60_000 + numRuns * 300 }, async (_, holds) => {
  await holds();
});
