import { all } from '../../some-of.js';
import { holdResults } from './results.js';

/** Every command of an operation. */

await holdResults(all);
