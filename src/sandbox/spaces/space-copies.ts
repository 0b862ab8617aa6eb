import { copyContent } from '../content/copy-content.js';
import type { Database } from '../store/database.js';

/** Copies part of a space to its duplicate, in the open transaction. */
export type SpaceCopier = (db: Database, from: string, to: string, newId: () => string) => void;

const copyFieldValues: SpaceCopier = (db, from, to) => {
  db.run(
    `INSERT INTO space_field_values (space_id, field_id, value)
     SELECT ?, field_id, value FROM space_field_values WHERE space_id = ?`,
    to,
    from,
  );
};

/** Everything that a duplicate of a space copies. */
export const spaceCopiers: readonly SpaceCopier[] = [copyFieldValues, copyContent];
