import { describe, it } from 'vitest';
import { filesFollow } from './random.js';
import { folderEach } from './world.js';

const folder = folderEach();

describe('any changes of the platform', () => {
  it.each(Array.from({ length: 5 }, (_, seed) => seed))('are in the files after a pull, seed %i', (seed) =>
    filesFollow(folder(), seed),
  );
});
