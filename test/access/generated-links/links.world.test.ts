import { holdForEach } from './each.js';
import { linkProperties } from './properties.js';

/** Links between the spaces of random organizations; 500 of them in links.many.test.ts. */

holdForEach(20, linkProperties);
