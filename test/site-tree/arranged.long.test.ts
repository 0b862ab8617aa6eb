import { test } from 'vitest';
import { runs } from '../runs.js';
import { arrangeSites } from './arranged.js';

const count = runs(60);

test('a site becomes as its text says', () => arrangeSites(count), 60_000 + count * 3000);
