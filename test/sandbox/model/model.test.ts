import { test } from 'vitest';
import { holdSequences } from './random-sequences.js';

test('the sandbox agrees with the model over 5 sequences', () => holdSequences(5, 20260105));
