import { test } from 'vitest';
import { World } from '../organization/generated/world.js';
import { killAtRequests } from './org-sessions.js';

test('killed at each of the first 60 requests, resumed: the same end, nothing twice, the lock right', async () => {
  const world = await World.open();
  try {
    await killAtRequests(world, 1);
  } finally {
    await world.close();
  }
}, 300_000);
