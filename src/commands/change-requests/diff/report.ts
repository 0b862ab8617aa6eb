import type { ContentChange } from '../../../workflows/change-diff/change.js';
import type { Opened } from '../../../workflows/change-diff/read-changes.js';
import type { Tally } from '../../../workflows/change-diff/tally.js';

/** A form in which a comparison is printed, piece by piece as it is read. */
export interface DiffReport {
  /** @param warnings what to know about the comparison as a whole: what is read elsewhere says it itself */
  begin(opened: Opened, warnings?: readonly string[]): string;
  changed(change: ContentChange): string;
  end(tally: Tally): string;
}
