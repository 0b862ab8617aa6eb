import { afterAll, beforeAll, it } from 'vitest';
import { holdChanges } from './random-changes.js';
import { openPlatform, type SharedPlatform } from './world.js';

let shared: SharedPlatform;
beforeAll(async () => {
  shared = await openPlatform();
});
afterAll(() => shared.close());

it(
  'a lazy copy answers as its organization through many random changes',
  () => holdChanges(shared, 400, 2),
  3_600_000,
);
