import { holdPages } from './run-pages.js';

holdPages('docs team');
