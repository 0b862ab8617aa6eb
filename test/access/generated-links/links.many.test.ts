import { runs } from '../../runs.js';
import { holdForEach } from './properties.js';

/** The same in 500 random organizations: `npm run test:organizations`. */

await holdForEach(runs(500));
