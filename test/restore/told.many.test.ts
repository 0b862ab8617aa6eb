import { test } from 'vitest';
import { everythingIsTold } from './world.js';

test('many sets of changes', () => everythingIsTold(300, Date.now() % 1e9), 3_600_000);
