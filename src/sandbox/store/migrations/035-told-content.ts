/**
 * What a copy of another organization answers of its content, and could not derive.
 *
 * - `told` of a version is JSON of content/told.ts; of a revision, change request, comment or reply, JSON of
 *   records/told.ts. Null for what the sandbox made itself: a later version of the same page has none.
 * - `document` is the structured text of a page that does not follow from its Markdown.
 * - `assumed` marks a revision of which only the id was told: the base of a change request.
 * - `current_at` is the revision of the space with which a change request is not outdated, whatever its base.
 */
export const toldContent = `
ALTER TABLE revisions ADD COLUMN told TEXT;
ALTER TABLE revisions ADD COLUMN assumed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE page_versions ADD COLUMN told TEXT;
ALTER TABLE page_versions ADD COLUMN document TEXT;
ALTER TABLE file_versions ADD COLUMN told TEXT;
ALTER TABLE reusable_versions ADD COLUMN told TEXT;
ALTER TABLE change_requests ADD COLUMN told TEXT;
ALTER TABLE change_requests ADD COLUMN current_at TEXT;
ALTER TABLE comments ADD COLUMN told TEXT;
ALTER TABLE comment_replies ADD COLUMN told TEXT;
`;
