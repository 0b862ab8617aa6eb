import { firstOfEach } from '../../some-of.js';
import { holdResults } from './results.js';

await holdResults(firstOfEach);
