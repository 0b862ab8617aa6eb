import { all } from '../../some-of.js';
import { holdLimits } from './limits.js';

/** Every flag with a limit. */

holdLimits(all);
