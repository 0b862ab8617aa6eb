import { runs } from '../../runs.js';
import { holdForEach } from '../generated-links/each.js';
import { impactIsWhatHappens } from './generated.js';

/** Deletions in 500 random organizations: `npm run test:organizations`. */

holdForEach(runs(500), { 'what a deletion breaks is what its impact listed': impactIsWhatHappens });
