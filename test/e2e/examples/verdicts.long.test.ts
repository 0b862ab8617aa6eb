import { all } from '../../some-of.js';
import { holdVerdicts } from './verdicts.js';

/** Every example that changes something, under every policy. */

await holdVerdicts(all, true);
