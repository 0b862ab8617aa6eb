import { holdAllPages, holdPages } from './run-pages.js';

holdPages('first steps');
holdAllPages();
