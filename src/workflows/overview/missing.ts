import type { DocsError } from '../../errors.js';
import type { Part } from './report.js';

/** Something that could not be read, and the part of the overview that lacks it. */
export interface Missing {
  part: Part;
  /** A sentence. */
  what: string;
  error: DocsError;
}
