import { copyContent } from '../content/copy-content.js';
import type { Database } from '../store/database.js';

/** Copies what a space has to its duplicate, in the open transaction. */
export type SpaceCopier = (db: Database, from: string, to: string, newId: () => string) => void;

const copyFieldValues: SpaceCopier = (db, from, to) => {
  db.run(
    `INSERT INTO space_field_values (space_id, field_id, value)
     SELECT ?, field_id, value FROM space_field_values WHERE space_id = ?`,
    to,
    from,
  );
};

/** One line for each thing that a duplicate of a space takes along. */
export const spaceCopiers: readonly SpaceCopier[] = [copyFieldValues, copyContent];
