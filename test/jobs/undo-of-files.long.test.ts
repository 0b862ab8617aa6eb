import { describe } from 'vitest';
import { tryEdits } from './undo-of-files.js';

describe('in the seed acme, undo of an apply that', () => tryEdits('acme', 1));
