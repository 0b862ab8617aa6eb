import { declareImports } from './imported-pack.js';

/** Two spaces of any shape; more are in pack.many.test.ts. */

await declareImports(2, 7);
