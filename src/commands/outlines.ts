import { outlines } from '../cli/declare/outline.js';
import { groups } from './index.js';

/** The outlines of all groups, by name; the build writes them beside the program. */
export const allOutlines = () => outlines(groups);
