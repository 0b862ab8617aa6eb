import { afterAll, beforeAll, it } from 'vitest';
import { World } from '../organization/generated/world.js';
import { killedAtEach } from './arranged-site.js';

/** `docs sites arrange` killed at any of its changes. */

let world: World;
beforeAll(async () => {
  world = await World.open();
});
afterAll(() => world.close());

it('killed at any change, resumed: the same tree, nothing twice', () =>
  killedAtEach(world, (whole) => Array.from({ length: whole }, (_, at) => at + 1)));
