import { rmSync } from 'node:fs';
import type { Space } from '../../../src/api/resources/spaces.js';
import { addRevision } from '../../../src/sandbox/content/revisions.js';
import { writePages } from '../../../src/sandbox/content/sample-pages.js';
import { putSpace } from '../../../src/sandbox/copy/spaces.js';
import { furtherPages } from '../../../src/sandbox/seeds/content.js';
import { createRandom } from '../../../src/sandbox/seeds/seeding.js';
import { fillFrom } from '../../../src/sandbox/store/fill.js';
import { idFrom } from '../../../src/sandbox/store/rows.js';
import { openStore } from '../../../src/sandbox/store/store.js';
import { type Bench, type Row, timesOf } from '../bench.js';

const many = 300;
const pagesEach = 50;
const runs = 3;

/** A copy of 15,000 pages, against the check of the same files; and its memory, against a tenth of the spaces. */
export const copyFromBackup: Row = async (bench) => {
  const [large, small] = [await backup(bench, many), await backup(bench, many / 10)];
  const file = bench.path('copy.db');
  const seed = (path: string) =>
    bench.docs(['sandbox', 'seed', '--from-backup', path, '--file', file], { prepare: () => remove(file) });
  const verify = bench.docs(['backup', 'verify', large, '--offline']);
  const [ours = [], theirs = []] = await bench.inTurns([seed(large), verify], { runs });
  const [all = [], tenth = []] = await bench.inTurns([seed(large), seed(small)], { runs, memory: true });
  const what = `\`docs sandbox seed --from-backup\`, ${many} spaces, ${many * pagesEach} pages`;
  return [
    { what, against: '`docs backup verify --offline`', goal: { most: 2 }, ...timesOf(ours, theirs) },
    {
      ...{ what: `${what}: peak memory`, against: 'a tenth of the spaces', goal: { most: 1.5 }, unit: 'MB' },
      ours: all.map(({ memoryMb }) => memoryMb),
      theirs: tenth.map(({ memoryMb }) => memoryMb),
    },
  ];
};

/** The folder of a backup of an organization with that many more spaces. */
async function backup(bench: Bench, spaces: number): Promise<string> {
  const [file, out] = [bench.path(`spaces-${spaces}.db`), bench.path(`backup-${spaces}`)];
  await fillSpaces(file, spaces);
  bench.run(['sandbox', 'start', '--file', file]);
  try {
    const { url, org, tokens } = JSON.parse(bench.run(['sandbox', 'status', '--file', file, '--json']));
    const env = { DOCS_BASE_URL: url, DOCS_TOKEN: tokens.admin, DOCS_ORG: org };
    bench.run(['backup', 'run', '--out', out], env);
    return out;
  } finally {
    bench.run(['sandbox', 'stop', '--file', file]);
  }
}

async function fillSpaces(file: string, count: number): Promise<void> {
  const { db } = await openStore(file, { now: Date.now });
  await fillFrom(db, 'tiny', { now: Date.now });
  const random = createRandom('spaces');
  const row = db.get<{ org_id: string; created_at: number }>('SELECT org_id, created_at FROM spaces');
  const { org_id: organization = '', created_at: at = 0 } = row ?? {};
  db.write(() => {
    for (let index = 0; index < count; index += 1) {
      const [spaceId, revision] = [idFrom(`bench space ${index}`), idFrom(`bench revision ${index}`)];
      putSpace(db, { ...spaceAt(at), id: spaceId, organization, revision, title: `Space ${index}` });
      const pages = furtherPages(random, `Space ${index}`, pagesEach, false);
      const writing = { db, spaceId, at, idOf: (path: string) => idFrom(`${spaceId} ${path}`) };
      const others = { changeRequestId: null, parents: [], message: '', authorId: null, createdAt: at };
      const contents = { pages: writePages(writing, pages), files: [], reusables: [] };
      addRevision(db, { ...contents, ...others, id: revision, spaceId });
    }
  });
  db.close();
}

function spaceAt(at: number): Omit<Space, 'id' | 'organization' | 'revision' | 'title'> {
  const time = new Date(at).toISOString();
  return {
    ...{ object: 'space', emoji: '', visibility: 'in-collection', defaultLevel: 'inherit' },
    ...{ createdAt: time, updatedAt: time, editMode: 'live', urls: {} },
    ...{ comments: 0, changeRequests: 0, changeRequestsOpen: 0, changeRequestsDraft: 0 },
  } as Omit<Space, 'id' | 'organization' | 'revision' | 'title'>;
}

function remove(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
}
