import { afterAll, beforeAll, it } from 'vitest';
import { holdChanges } from './random-changes.js';
import { openPlatform, type SharedPlatform } from './world.js';

let shared: SharedPlatform;
beforeAll(async () => {
  shared = await openPlatform();
});
afterAll(() => shared.close());

it(
  'random changes of a lazy copy are answered as by the organization, and so is what is read after them',
  () => holdChanges(shared, 3, 1),
  180_000,
);
