import { holdForEach } from './properties.js';

/** Links between the spaces of random organizations, and deletions; 500 of them in links.many.test.ts. */

await holdForEach(3);
