import { test } from 'vitest';
import { World } from '../organization/generated/world.js';
import { killAtRequests } from './org-sessions.js';

test('killed at every thirtieth of the first 60 requests, resumed: the same end, nothing twice, the lock right', async () => {
  const world = await World.open();
  await killAtRequests(world, 30).finally(() => world.close());
});
