import { test } from 'vitest';
import { hold, patience } from './hold.js';
import { editsArrive } from './properties.js';

test(
  'many edits at once are applied, and then nothing is left but the findings foreseen',
  () => hold({ usual: 100, seed: 30, most: 20 }, editsArrive),
  patience(100),
);
