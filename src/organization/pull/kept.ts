import type { Address } from '../model.js';

/** An item that pull left as it is in its file. */
export interface Kept {
  item: Address;
  /** Relative to the folder. */
  file: string;
  line: number;
  /** The rest of a sentence: `role edited here and not applied yet`. */
  why: string;
}
