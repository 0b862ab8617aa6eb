import { it } from 'vitest';
import { runs } from '../../runs.js';
import { filesFollow } from './random.js';
import { folderEach } from './world.js';

const folder = folderEach();

it.each(Array.from({ length: runs(200) }, (_, seed) => 40 + seed))(
  'any changes of the platform are in the files after a pull, seed %i',
  (seed) => filesFollow(folder(), seed),
);
