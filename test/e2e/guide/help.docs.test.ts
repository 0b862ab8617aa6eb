import { holdPages } from './run-pages.js';

holdPages('help');
