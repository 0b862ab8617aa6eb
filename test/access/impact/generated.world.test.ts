import { holdForEach } from '../generated-links/each.js';
import { impactIsWhatHappens } from './generated.js';

/** Deletions in random organizations; 500 of them in generated.many.test.ts. */

holdForEach(20, { 'what a deletion breaks is what its impact listed': impactIsWhatHappens });
