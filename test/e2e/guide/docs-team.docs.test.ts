import { holdPages } from './run-pages.js';

holdPages('docs team', ['Welcome', 'WOzHRlCaIrHb4skfEie7']);
