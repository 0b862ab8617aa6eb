import type { ContentChange } from '../../../workflows/change-diff/change.js';
import type { Opened } from '../../../workflows/change-diff/read-changes.js';
import type { Tally } from '../../../workflows/change-diff/tally.js';

/** A form in which a comparison is printed, piece by piece as it is read. */
export interface DiffReport {
  begin(opened: Opened): string;
  changed(change: ContentChange): string;
  end(tally: Tally): string;
}
