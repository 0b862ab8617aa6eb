import { holdPages } from './run-pages.js';

// With every text of the seed.
holdPages('docs team');
