import * as ofChange from '../../api/resources/change-requests.js';
import * as ofSpace from '../../api/resources/content.js';
import { listSpaceLinks } from '../../api/resources/spaces.js';
import { fileDownload } from '../content/files.js';
import { applyImport, readImport } from '../content/import/import.js';
import * as reads from '../content/reads.js';
import { publishRevision } from '../content/revisions.js';
import { snapshotOf } from '../content/snapshot.js';
import { type ContentView, toPage, toRevision } from '../content/view.js';
import { handle, handlePrepared } from '../handle.js';
import { openChangeRequestIn } from '../records/change-request.js';
import { refusal } from '../refusal.js';
import { update } from '../store/sql.js';

const { changeView, mainView, readBacklinks, readFile, readFiles, readLinks, readPage, readPageLinks } =
  reads;

export const handlers = [
  handle(ofSpace.getContent, (call) => toRevision(mainView(call))),
  handle(ofChange.getChangeRequestContent, (call) => toRevision(changeView(call))),
  handle(ofSpace.listPages, (call) => pagesOf(mainView(call))),
  handle(ofChange.listChangeRequestPages, (call) => pagesOf(changeView(call))),
  handlePrepared(ofSpace.getPage, inFormat, (call, documentOf) =>
    readPage(mainView(call), call.path.pageId, call.query.format, documentOf),
  ),
  handlePrepared(ofChange.getChangeRequestPage, inFormat, (call, documentOf) =>
    readPage(changeView(call), call.path.pageId, call.query.format, documentOf),
  ),
  handle(listSpaceLinks, (call) => readLinks(mainView({ ...call, query: {} }), call.query.status, call.page)),
  handle(ofSpace.listPageLinks, (call) =>
    readPageLinks(mainView({ ...call, query: {} }), call.path.pageId, call.query.status, call.page),
  ),
  handle(ofChange.listChangeRequestPageLinks, (call) =>
    readPageLinks(changeView({ ...call, query: {} }), call.path.pageId, undefined, call.page),
  ),
  handle(ofSpace.listFiles, (call) => readFiles(mainView(call), call.page)),
  handle(ofChange.listChangeRequestFiles, (call) => readFiles(changeView(call), call.page)),
  handle(ofSpace.getFile, (call) => readFile(mainView(call), call.path.fileId)),
  handle(ofChange.getChangeRequestFile, (call) => readFile(changeView(call), call.path.fileId)),
  handle(ofSpace.listFileBacklinks, (call) => readBacklinks(mainView(call), call.path.fileId, call.page)),
  handle(ofChange.listChangeRequestFileBacklinks, (call) =>
    readBacklinks(changeView(call), call.path.fileId, call.page),
  ),

  handlePrepared(
    ofSpace.importContent,
    ({ space, body }, source) => {
      refuseLocked(space.edit_mode);
      return readImport(body, source);
    },
    (call, imported) => {
      const { db, space } = call;
      refuseLocked(space.edit_mode);
      const target = { snapshot: snapshotOf(db, space, space.revision_id), changeRequestId: null };
      const { revision, result } = applyImport(call, target, imported);
      publishRevision(db, revision);
      return result;
    },
  ),

  handlePrepared(
    ofChange.importChangeRequestContent,
    ({ db, space, path, body }, source) => {
      openChangeRequestIn(db, space.id, path.changeRequestId);
      return readImport(body, source);
    },
    (call, imported) => {
      const { db, space, path, clock } = call;
      const { id, revision_id } = openChangeRequestIn(db, space.id, path.changeRequestId);
      const target = { snapshot: snapshotOf(db, space, revision_id), changeRequestId: id };
      const { revision, result } = applyImport(call, target, imported);
      update(db, 'change_requests', id, { revision_id: revision.id, updated_at: clock.now() });
      return result;
    },
  ),
];

/** What shows a text as a document, if the call wants that; its parser is loaded then. */
async function inFormat({ query }: { query: { format?: string } }): Promise<reads.DocumentOf> {
  return query.format === 'document' ? (await import('../content/document.js')).documentOf : undefined;
}

/** The bytes of files, which require no token. */
export const downloads = [fileDownload];

function pagesOf(view: ContentView) {
  return { pages: view.snapshot.pages.map((placed) => toPage(view, placed)) };
}

/** A locked space changes through change requests only. */
function refuseLocked(editMode: 'live' | 'locked'): void {
  if (editMode === 'locked') {
    throw refusal(409, 'This space is locked; import into a change request, or set its editMode to live.');
  }
}
