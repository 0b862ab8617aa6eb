import { afterAll } from 'vitest';
import { World } from '../../organization/generated/world.js';

/** One world for a file, which closes it. */
export async function worldOfFile(): Promise<World> {
  const world = await World.open();
  afterAll(() => world.close());
  return world;
}
