import { test } from 'vitest';
import { arrangeSites } from './arranged.js';

test('a site becomes as its text says', () => arrangeSites(2));
