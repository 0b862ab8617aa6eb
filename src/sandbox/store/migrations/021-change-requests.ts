const count = (status: string) =>
  `(SELECT count(*) FROM change_requests WHERE space_id = NEW.space_id AND status = '${status}')`;

const recount = `
  UPDATE spaces SET
    change_requests = (SELECT count(*) FROM change_requests WHERE space_id = NEW.space_id),
    change_requests_open = ${count('open')},
    change_requests_draft = ${count('draft')}
  WHERE id = NEW.space_id;`;

/**
 * Change requests. Whether one is outdated is derived from its base, the revision of the space it last
 * merged. Triggers on the table of comments maintain `comments_open`.
 */
export const changeRequests = `
CREATE TABLE change_requests (
  id TEXT PRIMARY KEY,
  space_id TEXT NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('draft', 'open', 'archived', 'merged')),
  subject TEXT NOT NULL,
  created_by TEXT REFERENCES users (id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  revision_id TEXT NOT NULL,
  revision_initial TEXT NOT NULL,
  revision_merged_ancestor TEXT,
  revision_merged TEXT,
  comments_open INTEGER NOT NULL DEFAULT 0,
  UNIQUE (space_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX change_requests_status ON change_requests (space_id, status, number);
CREATE INDEX change_requests_user ON change_requests (created_by);

CREATE TRIGGER change_requests_added AFTER INSERT ON change_requests BEGIN ${recount}
END;
CREATE TRIGGER change_requests_changed AFTER UPDATE OF status ON change_requests BEGIN ${recount}
END;
`;
