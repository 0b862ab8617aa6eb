const tables = ['collections', 'spaces', 'section_groups', 'sections', 'site_spaces'];

/** Positions of earlier versions are numbers; positions.ts has the new form. */
const asText = (number: string) => `printf('%012d', 500000000000 + ${number})`;

const changed = (table: string) => `
ALTER TABLE ${table} RENAME COLUMN position TO old_position;
ALTER TABLE ${table} ADD COLUMN position TEXT NOT NULL DEFAULT '';
UPDATE ${table} SET position = ${asText('old_position')};
ALTER TABLE ${table} DROP COLUMN old_position;`;

/**
 * Positions become strings, so that an insertion between two items changes no other (positions.ts). Children
 * of one parent could have had the same number; their order by id decides.
 */
export const positions = `
DROP VIEW collection_paths;
DROP VIEW live_site_spaces;
DROP INDEX collections_siblings;
DROP INDEX spaces_siblings;
DROP INDEX section_groups_site;

CREATE TABLE placing AS
  SELECT id, row_number() OVER (PARTITION BY org_id, parent_id ORDER BY position, id) AS number FROM (
    SELECT id, org_id, parent_id, position FROM spaces
    UNION ALL SELECT id, org_id, parent_id, position FROM collections);
UPDATE spaces SET position = (SELECT number FROM placing WHERE placing.id = spaces.id);
UPDATE collections SET position = (SELECT number FROM placing WHERE placing.id = collections.id);
DROP TABLE placing;
${tables.map(changed).join('\n')}

CREATE INDEX collections_siblings ON collections (org_id, parent_id, position);
CREATE INDEX spaces_siblings ON spaces (org_id, parent_id, position);
CREATE INDEX section_groups_site ON section_groups (site_id, position);

CREATE VIEW collection_paths (collection_id, path) AS
  WITH RECURSIVE walk (id, path) AS (
    SELECT id, position FROM collections WHERE parent_id IS NULL
    UNION ALL
    SELECT c.id, walk.path || '/' || c.position FROM walk JOIN collections c ON c.parent_id = walk.id
  )
  SELECT id, path FROM walk;

CREATE VIEW live_site_spaces AS
  SELECT ss.* FROM site_spaces ss JOIN spaces s ON s.id = ss.space_id WHERE s.deleted_at IS NULL;
`;
