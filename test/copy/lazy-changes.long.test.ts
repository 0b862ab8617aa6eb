import { holdStories } from './lazy-changes.js';

/** After each change, every read. */

holdStories(1);
