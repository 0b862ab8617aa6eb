import {
  getContent,
  getFile,
  getPage,
  importContent,
  listFileBacklinks,
  listFiles,
  listPageLinks,
  listPages,
} from '../../api/resources/content.js';
import { fileDownload } from '../content/file-download.js';
import { applyImport } from '../content/import/apply-import.js';
import { readImport } from '../content/import/read-import.js';
import { mainView, readBacklinks, readFile, readFiles, readPage, readPageLinks } from '../content/reads.js';
import { publishRevision } from '../content/revisions.js';
import { snapshotOf } from '../content/snapshot.js';
import { toPage, toRevision } from '../content/view.js';
import { handle, handlePrepared } from '../handle.js';
import { refusal } from '../refusal.js';

export const handlers = [
  handle(getContent, (call) => toRevision(mainView(call))),

  handlePrepared(
    importContent,
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

  handle(listPages, (call) => {
    const view = mainView(call);
    return { pages: view.snapshot.pages.map((placed) => toPage(view, placed)) };
  }),

  handle(getPage, (call) => readPage(mainView(call), call.path.pageId, call.query.format)),

  handle(listPageLinks, (call) =>
    readPageLinks(mainView({ ...call, query: {} }), call.path.pageId, call.query.status, call.page),
  ),

  handle(listFiles, (call) => readFiles(mainView(call), call.page)),

  handle(getFile, (call) => readFile(mainView(call), call.path.fileId)),

  handle(listFileBacklinks, (call) => readBacklinks(mainView(call), call.path.fileId, call.page)),
];

/** The bytes of files, which require no token. */
export const downloads = [fileDownload];

/** A locked space changes through change requests only. */
function refuseLocked(editMode: 'live' | 'locked'): void {
  if (editMode === 'locked') {
    throw refusal(409, 'This space is locked; import into a change request, or set its editMode to live.');
  }
}
