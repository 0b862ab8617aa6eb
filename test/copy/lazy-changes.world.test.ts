import { holdStories } from './lazy-changes.js';

holdStories(12);
