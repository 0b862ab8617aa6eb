import { runs } from '../../runs.js';
import { holdForEach } from './each.js';
import { linkProperties } from './properties.js';

/** Links between the spaces of 500 random organizations: `npm run test:organizations`. */

holdForEach(runs(500), linkProperties);
