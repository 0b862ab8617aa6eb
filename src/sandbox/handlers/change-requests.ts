import * as api from '../../api/resources/change-requests.js';
import { pdfDownload, pdfUrl } from '../content/pdf.js';
import { commit, mergedContents, publishRevision, revisionOf } from '../content/revisions.js';
import { type Call, handle } from '../handle.js';
import { toChangeRequest } from '../records/change-request.js';
import {
  changeRequestColumns,
  changeRequestIn,
  changeRequestTables,
  requireOpen,
} from '../records/in-path.js';
import { toSpace } from '../records/space.js';
import { refusal } from '../refusal.js';
import { type Columns, insert, update } from '../store/rows.js';

const contributedBy =
  'EXISTS (SELECT 1 FROM revisions r WHERE r.change_request_id = cr.id AND r.author_id = ?)';

export const handlers = [
  handle(api.listChangeRequests, ({ space, query, page }) =>
    page({
      select: changeRequestColumns,
      from: changeRequestTables,
      where: [
        ['cr.space_id = ?', space.id],
        ['cr.status = ?', query.status ?? 'open'],
        query.contributor === undefined ? undefined : [contributedBy, query.contributor],
      ],
      by: ['cr.number'],
      order: 'desc',
      item: toChangeRequest,
    }),
  ),

  handle(api.createChangeRequest, (call) => {
    const { db, space, caller, body, clock, newId } = call;
    const [id, now] = [newId(), clock.now()];
    const next = nextNumber(call);
    const contents = revisionOf(db, space, space.revision_id);
    const revision = commit(call, contents, [space.revision_id], `Create change request ${next}`, id);
    insert(db, 'change_requests', {
      id,
      space_id: space.id,
      number: next,
      status: 'draft',
      subject: body.subject ?? 'Untitled',
      created_by: caller.userId,
      created_at: now,
      updated_at: now,
      revision_id: revision.id,
      revision_initial: space.revision_id,
    });
    return toChangeRequest(changeRequestIn(db, space.id, id));
  }),

  handle(api.getChangeRequest, ({ changeRequest }) => toChangeRequest(changeRequest)),

  handle(api.updateChangeRequest, (call) => {
    const { db, space, body } = call;
    const { id, status, number } = call.changeRequest;
    if (status === 'merged') throw refusal(409, `change request ${number} is merged and cannot be changed`);
    change(call, id, { subject: body.subject, status: body.status });
    return toChangeRequest(changeRequestIn(db, space.id, id));
  }),

  handle(api.mergeChangeRequest, (call) => {
    const { db, space, changeRequest: request } = call;
    requireOpen(request);
    const merged = mergedContents(call, request);
    if (merged === undefined) return { revision: space.revision_id, result: 'conflicts' };
    const parents = [space.revision_id, request.revision_id];
    const revision = commit(call, merged, parents, `Merge change request ${request.number}`);
    publishRevision(db, revision);
    change(call, request.id, { status: 'merged', revision_merged: revision.id });
    return { revision: revision.id, result: 'merge' };
  }),

  handle(api.pullChangeRequest, (call) => {
    const { space, changeRequest: request } = call;
    requireOpen(request);
    const merged = mergedContents(call, request);
    if (merged === undefined) return { revision: request.revision_id, result: 'conflicts' };
    const parents = [request.revision_id, space.revision_id];
    const revision = commit(call, merged, parents, 'Pull the main content', request.id);
    change(call, request.id, { revision_id: revision.id, revision_merged_ancestor: space.revision_id });
    return { revision: revision.id, result: 'update' };
  }),

  handle(api.getChangeRequestPdf, (call) => {
    const { revision_id: revision, number } = call.changeRequest;
    return { url: pdfUrl(call, revision, call.query, `change-request-${number}`) };
  }),
];

/** PDFs, which require no token. */
export const downloads = [pdfDownload];

/** A copy may lack closed ones, of which the space still tells how many there are. */
function nextNumber({ db, space }: Pick<Call<typeof api.createChangeRequest>, 'db' | 'space'>): number {
  const sql = 'SELECT coalesce(max(number), 0) AS last FROM change_requests WHERE space_id = ?';
  const { last } = db.get<{ last: number }>(sql, space.id) ?? { last: 0 };
  return Math.max(last, toSpace(space, 'read').changeRequests ?? 0) + 1;
}

type InSpace = Pick<Call<typeof api.updateChangeRequest>, 'db' | 'clock'>;

function change({ db, clock }: InSpace, id: string, changes: Columns): void {
  update(db, 'change_requests', id, { ...changes, updated_at: clock.now() });
}
