import { describe, it } from 'vitest';
import { filesFollow } from './random.js';
import { folderEach } from './world.js';

const folder = folderEach();

describe('any changes of the platform', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])('are in the files after a pull, seed %i', (seed) =>
    filesFollow(folder(), seed),
  );
});
