import { declareImports } from './imported-pack.js';

/** Four spaces of any shape; more are in pack.many.test.ts. */

await declareImports(4);
