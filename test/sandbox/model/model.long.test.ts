import { test } from 'vitest';
import { runs } from '../../runs.js';
import { holdSequences } from './random-sequences.js';

const count = runs(40);

test(
  `the sandbox agrees with the model over ${count} sequences`,
  () => holdSequences(count, 20260611),
  3_600_000,
);
