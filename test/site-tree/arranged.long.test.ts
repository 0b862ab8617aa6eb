import { test } from 'vitest';
import { runs } from '../runs.js';
import { arrangeSites } from './arranged.js';

const count = runs(60);
const { DOCS_TEST_SEED: seed = 20261123, DOCS_TEST_PATH: path } = process.env;

test(
  'a site becomes as its text says',
  () => arrangeSites(count, { seed: Number(seed), path }),
  60_000 + count * 3000,
);
