const elsewhere = (count: string, more: string) => `max(0, (SELECT count(*) FROM ${count}) + ${more})`;

const requests = (status = '') =>
  `change_requests WHERE space_id = NEW.space_id${status && ` AND status = '${status}'`}`;

const recount = `
  UPDATE spaces SET
    change_requests = ${elsewhere(requests(), 'change_requests_elsewhere')},
    change_requests_open = ${elsewhere(requests('open'), 'change_requests_open_elsewhere')},
    change_requests_draft = ${elsewhere(requests('draft'), 'change_requests_draft_elsewhere')}
  WHERE id = NEW.space_id;`;

const onSpace = (row: string) =>
  `comments WHERE space_id = ${row}.space_id AND change_request_id IS NULL AND status = 'open'`;
const onRequest = (row: string) =>
  `comments WHERE change_request_id = ${row}.change_request_id AND status = 'open'`;

const recountComments = (row: 'NEW' | 'OLD') => `
  UPDATE spaces SET comments_open = ${elsewhere(onSpace(row), 'comments_elsewhere')}
  WHERE id = ${row}.space_id AND ${row}.change_request_id IS NULL;
  UPDATE change_requests SET comments_open = ${elsewhere(onRequest(row), 'comments_elsewhere')}
  WHERE id = ${row}.change_request_id;`;

/**
 * What a copy of another organization answers, and could not derive.
 *
 * - `told` is JSON of the fields whose values the sandbox would make otherwise (content/told.ts); null for what
 *   it made itself. A later version of the same page has none.
 * - `document` is the structured text of a page that does not follow from its Markdown.
 * - Counters of a space count rows, and those that are `…_elsewhere`: closed change requests are in no backup.
 * - `current_at` is the revision of the space with which a change request is not outdated, whatever its base.
 */
export const toldContent = `
ALTER TABLE revisions ADD COLUMN told TEXT;
ALTER TABLE page_versions ADD COLUMN told TEXT;
ALTER TABLE page_versions ADD COLUMN document TEXT;
ALTER TABLE file_versions ADD COLUMN told TEXT;
ALTER TABLE reusable_versions ADD COLUMN told TEXT;
ALTER TABLE change_requests ADD COLUMN current_at TEXT;
ALTER TABLE change_requests ADD COLUMN comments_elsewhere INTEGER NOT NULL DEFAULT 0;
ALTER TABLE spaces ADD COLUMN change_requests_elsewhere INTEGER NOT NULL DEFAULT 0;
ALTER TABLE spaces ADD COLUMN change_requests_open_elsewhere INTEGER NOT NULL DEFAULT 0;
ALTER TABLE spaces ADD COLUMN change_requests_draft_elsewhere INTEGER NOT NULL DEFAULT 0;
ALTER TABLE spaces ADD COLUMN comments_elsewhere INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER change_requests_added;
DROP TRIGGER change_requests_changed;
CREATE TRIGGER change_requests_added AFTER INSERT ON change_requests BEGIN ${recount}
END;
CREATE TRIGGER change_requests_changed AFTER UPDATE OF status ON change_requests BEGIN ${recount}
END;

DROP TRIGGER comments_added;
DROP TRIGGER comments_changed;
DROP TRIGGER comments_removed;
CREATE TRIGGER comments_added AFTER INSERT ON comments BEGIN ${recountComments('NEW')}
END;
CREATE TRIGGER comments_changed AFTER UPDATE OF status ON comments BEGIN ${recountComments('NEW')}
END;
CREATE TRIGGER comments_removed AFTER DELETE ON comments BEGIN ${recountComments('OLD')}
END;
`;
