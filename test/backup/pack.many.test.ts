import { runs } from '../runs.js';
import { declareImports } from './imported-pack.js';

/** The same over many more spaces: `npm run test:organizations`. */

await declareImports(runs(200));
