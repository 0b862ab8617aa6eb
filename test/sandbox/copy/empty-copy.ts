import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { putChangeRequest } from '../../../src/sandbox/copy/change-requests.js';
import { putComments } from '../../../src/sandbox/copy/comments.js';
import { putContent } from '../../../src/sandbox/copy/content.js';
import { putSpace } from '../../../src/sandbox/copy/space.js';
import type { Database } from '../../../src/sandbox/store/database.js';
import { exportState } from '../../../src/sandbox/store/export.js';
import { openStore, type Store } from '../../../src/sandbox/store/store.js';
import { openSandbox, type TestSandbox } from '../client.js';
import type { Answers } from './answers.js';

const contentTables = /^(?:revisions|\w+_versions|change_requests|comments|comment_\w+|reply_\w+)$/;

export interface CopySandbox extends TestSandbox {
  store: Store;
}

/** A sandbox with all that another one has but content, change requests and comments. */
export async function openWithoutContent(source: TestSandbox): Promise<CopySandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'docs-copy-'));
  const { db } = await openStore(source.file, source.outside.io);
  const state = JSON.parse(exportState(db)) as { tables: Record<string, unknown[]> };
  db.close();
  const isContent = (table: string) => contentTables.test(table) && table !== 'openapi_versions';
  for (const table of Object.keys(state.tables)) if (isContent(table)) delete state.tables[table];
  writeFileSync(join(folder, 'seed.json'), JSON.stringify(state));
  const sandbox = await openSandbox({ seed: join(folder, 'seed.json') });
  rmSync(folder, { recursive: true });
  const store = await openStore(sandbox.file, sandbox.outside.io);
  return {
    ...sandbox,
    store,
    async close() {
      store.db.close();
      await sandbox.close();
    },
  };
}

/** Puts what the API of another sandbox told. */
export function putAnswers(db: Database, { space, content, changes, comments }: Answers): void {
  const spaceId = space.id;
  db.write(() => {
    putSpace(db, space);
    putContent(db, spaceId, content);
    for (const { request, content: own } of changes) putChangeRequest(db, spaceId, request, own);
  });
  db.write(() => {
    putComments(db, { spaceId }, comments);
    for (const { request, comments: own } of changes) {
      putComments(db, { spaceId, changeRequestId: request.id }, own);
      putChangeRequest(db, spaceId, request);
    }
    putSpace(db, space);
  });
}
