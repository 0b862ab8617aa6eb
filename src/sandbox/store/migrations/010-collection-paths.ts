/**
 * Sort paths of collections: sorted by path, a collection comes before its children, and siblings keep
 * their order.
 */
export const collectionPaths = `
CREATE VIEW collection_paths (collection_id, path) AS
  WITH RECURSIVE walk (id, path) AS (
    SELECT id, printf('%09d', position) || id FROM collections WHERE parent_id IS NULL
    UNION ALL
    SELECT c.id, walk.path || '/' || printf('%09d', c.position) || c.id
    FROM walk JOIN collections c ON c.parent_id = walk.id
  )
  SELECT id, path FROM walk;
`;
