const countOf = (row: 'NEW' | 'OLD') => `
  UPDATE spaces SET comments_open = (
    SELECT count(*) FROM comments
    WHERE space_id = ${row}.space_id AND change_request_id IS NULL AND status = 'open')
  WHERE id = ${row}.space_id AND ${row}.change_request_id IS NULL;
  UPDATE change_requests SET comments_open = (
    SELECT count(*) FROM comments WHERE change_request_id = ${row}.change_request_id AND status = 'open')
  WHERE id = ${row}.change_request_id;`;

/**
 * Comments on spaces (`change_request_id` is null) and on change requests, their replies, and the
 * reactions to both. Triggers recount open comments with each change, so that the counts are right
 * however rows are added; a space counts its own, each change request those on it.
 *
 * `seq` orders comments posted within one millisecond. `page_version` is the page when the comment was
 * posted: shown if the page no longer exists, and used to detect that it has changed.
 */
export const comments = `
CREATE TABLE comments (
  id TEXT PRIMARY KEY,
  space_id TEXT NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
  change_request_id TEXT REFERENCES change_requests (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  author_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  posted_at INTEGER NOT NULL,
  edited_at INTEGER,
  markdown TEXT,
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'resolved')),
  resolved_at INTEGER,
  resolved_by TEXT REFERENCES users (id) ON DELETE SET NULL,
  page_id TEXT,
  page_version INTEGER,
  node_id TEXT,
  node_preview TEXT,
  revision_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX comments_space ON comments (space_id, posted_at, seq) WHERE change_request_id IS NULL;
CREATE INDEX comments_space_open ON comments (space_id) WHERE change_request_id IS NULL AND status = 'open';
CREATE INDEX comments_change_request ON comments (change_request_id, posted_at, seq);
CREATE INDEX comments_change_request_open ON comments (change_request_id) WHERE status = 'open';
CREATE INDEX comments_author ON comments (author_id);
CREATE INDEX comments_resolver ON comments (resolved_by);

CREATE TABLE comment_reactions (
  comment_id TEXT NOT NULL REFERENCES comments (id) ON DELETE CASCADE,
  emoji TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  reacted_at INTEGER NOT NULL,
  PRIMARY KEY (comment_id, emoji, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX comment_reactions_user ON comment_reactions (user_id);

CREATE TABLE comment_replies (
  id TEXT PRIMARY KEY,
  comment_id TEXT NOT NULL REFERENCES comments (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  author_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  posted_at INTEGER NOT NULL,
  edited_at INTEGER,
  markdown TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX comment_replies_comment ON comment_replies (comment_id, posted_at, seq);
CREATE INDEX comment_replies_author ON comment_replies (author_id);

CREATE TABLE reply_reactions (
  reply_id TEXT NOT NULL REFERENCES comment_replies (id) ON DELETE CASCADE,
  emoji TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  reacted_at INTEGER NOT NULL,
  PRIMARY KEY (reply_id, emoji, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX reply_reactions_user ON reply_reactions (user_id);

CREATE TRIGGER comments_added AFTER INSERT ON comments BEGIN ${countOf('NEW')}
END;
CREATE TRIGGER comments_changed AFTER UPDATE OF status ON comments BEGIN ${countOf('NEW')}
END;
CREATE TRIGGER comments_removed AFTER DELETE ON comments BEGIN ${countOf('OLD')}
END;
`;
