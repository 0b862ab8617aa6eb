import { test } from 'vitest';
import { holdSequences } from './random-sequences.js';

test('the sandbox agrees with the model over 12 sequences', () => holdSequences(12, 20260105));
