import { test } from 'vitest';
import { everythingIsTold } from './world.js';

test('what is changed comes back, or is told with why, and nothing else is told', () =>
  everythingIsTold(1, 1));
