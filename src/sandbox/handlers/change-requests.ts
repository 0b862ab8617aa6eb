import {
  createChangeRequest,
  getChangeRequest,
  getChangeRequestPdf,
  listChangeRequests,
  mergeChangeRequest,
  pullChangeRequest,
  updateChangeRequest,
} from '../../api/resources/change-requests.js';
import { commit, mergedContents } from '../content/commit.js';
import { pdfDownload, pdfUrl } from '../content/pdf-download.js';
import { publishRevision, revisionOf } from '../content/revisions.js';
import { type Call, handle } from '../handle.js';
import {
  type ChangeRequestRow,
  changeRequestColumns,
  changeRequestIn,
  changeRequestTables,
  refuseEnded,
  toChangeRequest,
} from '../records/change-request.js';
import { assignments } from '../store/sql.js';

export const handlers = [
  handle(listChangeRequests, ({ space, query, page }) =>
    page({
      select: changeRequestColumns,
      from: changeRequestTables,
      where: [
        ['cr.space_id = ?', space.id],
        ['cr.status = ?', query.status ?? 'open'],
        query.contributor === undefined
          ? undefined
          : [
              'EXISTS (SELECT 1 FROM revisions r WHERE r.change_request_id = cr.id AND r.author_id = ?)',
              query.contributor,
            ],
      ],
      by: ['cr.number'],
      order: 'desc',
      item: (row: ChangeRequestRow) => toChangeRequest(row),
    }),
  ),

  handle(createChangeRequest, (call) => {
    const { db, space, caller, body, clock, newId } = call;
    const [id, now] = [newId(), clock.now()];
    const sql = 'SELECT coalesce(max(number), 0) + 1 AS next FROM change_requests WHERE space_id = ?';
    const { next } = db.get<{ next: number }>(sql, space.id) ?? { next: 1 };
    const contents = revisionOf(db, space, space.revision_id);
    const revision = commit(call, contents, [space.revision_id], `Create change request ${next}`, id);
    db.run(
      `INSERT INTO change_requests
         (id, space_id, number, status, subject, created_by, created_at, updated_at, revision_id, revision_initial)
       VALUES (?, ?, ?, 'draft', ?, ?, ?, ?, ?, ?)`,
      ...[id, space.id, next, body.subject ?? 'Untitled', caller.userId, now, now],
      ...[revision.id, space.revision_id],
    );
    return toChangeRequest(changeRequestIn(db, space.id, id));
  }),

  handle(getChangeRequest, ({ db, space, path }) =>
    toChangeRequest(changeRequestIn(db, space.id, path.changeRequestId)),
  ),

  handle(updateChangeRequest, (call) => {
    const { db, space, path, body } = call;
    const { id } = changeRequestIn(db, space.id, path.changeRequestId);
    change(call, id, { subject: body.subject, status: body.status });
    return toChangeRequest(changeRequestIn(db, space.id, id));
  }),

  handle(mergeChangeRequest, (call) => {
    const { db, space, path } = call;
    const request = changeRequestIn(db, space.id, path.changeRequestId);
    refuseEnded(request);
    const merged = mergedContents(call, request);
    if (merged === undefined) return { revision: space.revision_id, result: 'conflicts' };
    const parents = [space.revision_id, request.revision_id];
    const revision = commit(call, merged, parents, `Merge change request ${request.number}`);
    publishRevision(db, revision);
    change(call, request.id, { status: 'merged', revision_merged: revision.id });
    return { revision: revision.id, result: 'merge' };
  }),

  handle(pullChangeRequest, (call) => {
    const { db, space, path } = call;
    const request = changeRequestIn(db, space.id, path.changeRequestId);
    refuseEnded(request);
    const merged = mergedContents(call, request);
    if (merged === undefined) return { revision: request.revision_id, result: 'conflicts' };
    const parents = [request.revision_id, space.revision_id];
    const revision = commit(call, merged, parents, 'Pull the main content', request.id);
    change(call, request.id, { revision_id: revision.id, revision_merged_ancestor: space.revision_id });
    return { revision: revision.id, result: 'update' };
  }),

  handle(getChangeRequestPdf, (call) => {
    const { db, space, path, query } = call;
    const request = changeRequestIn(db, space.id, path.changeRequestId);
    return { url: pdfUrl(call, request.revision_id, query, `change-request-${request.number}`) };
  }),
];

/** PDFs, which require no token. */
export const downloads = [pdfDownload];

type InSpace = Pick<Call<typeof updateChangeRequest>, 'db' | 'clock'>;

/** Changes columns of a change request; skips those that are undefined. */
function change({ db, clock }: InSpace, id: string, changes: Record<string, string | undefined>): void {
  const [sql, ...values] = assignments({ ...changes, updated_at: clock.now() });
  db.run(`UPDATE change_requests SET ${sql} WHERE id = ?`, ...values, id);
}
