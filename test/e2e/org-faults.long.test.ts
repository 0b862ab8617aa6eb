import { test } from 'vitest';
import { World } from '../organization/generated/world.js';
import { killAtRequests } from './org-sessions.js';

// CI kills at every third one, `DOCS_TEST_RUNS=1` at each.
const every = process.env.DOCS_TEST_RUNS === undefined ? 3 : 1;

test('killed at the first 60 requests, resumed: the same end, nothing twice, the lock right', async () => {
  const world = await World.open();
  await killAtRequests(world, every).finally(() => world.close());
}, 300_000);
