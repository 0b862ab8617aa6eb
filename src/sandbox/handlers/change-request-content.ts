import {
  getChangeRequestContent,
  getChangeRequestFile,
  getChangeRequestPage,
  importChangeRequestContent,
  listChangeRequestFileBacklinks,
  listChangeRequestFiles,
  listChangeRequestPageLinks,
  listChangeRequestPages,
} from '../../api/resources/change-request-content.js';
import { applyImport } from '../content/import/apply-import.js';
import { readImport } from '../content/import/read-import.js';
import { changeView, readBacklinks, readFile, readFiles, readPage, readPageLinks } from '../content/reads.js';
import { snapshotOf } from '../content/snapshot.js';
import { toPage, toRevision } from '../content/view.js';
import { handle, handlePrepared } from '../handle.js';
import { changeRequestIn, refuseEnded } from '../records/change-request.js';

export const handlers = [
  handle(getChangeRequestContent, (call) => toRevision(changeView(call))),

  handlePrepared(
    importChangeRequestContent,
    ({ db, space, path, body }, source) => {
      refuseEnded(changeRequestIn(db, space.id, path.changeRequestId));
      return readImport(body, source);
    },
    (call, imported) => {
      const { db, space, path, clock } = call;
      const request = changeRequestIn(db, space.id, path.changeRequestId);
      refuseEnded(request);
      const snapshot = snapshotOf(db, space, request.revision_id);
      const { revision, result } = applyImport(call, { snapshot, changeRequestId: request.id }, imported);
      const sql = 'UPDATE change_requests SET revision_id = ?, updated_at = ? WHERE id = ?';
      db.run(sql, revision.id, clock.now(), request.id);
      return result;
    },
  ),

  handle(listChangeRequestPages, (call) => {
    const view = changeView(call);
    return { pages: view.snapshot.pages.map((placed) => toPage(view, placed)) };
  }),

  handle(getChangeRequestPage, (call) => readPage(changeView(call), call.path.pageId, call.query.format)),

  handle(listChangeRequestPageLinks, (call) =>
    readPageLinks(changeView({ ...call, query: {} }), call.path.pageId, undefined, call.page),
  ),

  handle(listChangeRequestFiles, (call) => readFiles(changeView(call), call.page)),

  handle(getChangeRequestFile, (call) => readFile(changeView(call), call.path.fileId)),

  handle(listChangeRequestFileBacklinks, (call) =>
    readBacklinks(changeView(call), call.path.fileId, call.page),
  ),
];
