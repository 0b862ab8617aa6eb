import { firstOfEach } from '../../some-of.js';
import { holdLimits } from './limits.js';

holdLimits(firstOfEach);
