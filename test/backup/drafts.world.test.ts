import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openBackup } from '../../src/backup/manifest.js';
import type { VerifyFinding } from '../../src/backup/shapes.js';
import { verifyFolder } from '../../src/backup/verify.js';
import { fillFrom } from '../../src/sandbox/store/fill.js';
import { openRounds } from '../copy/rounds.js';

/** Files that a killed run was still writing. */

const rounds = await openRounds();
afterAll(() => rounds.close());

/** At the top, in a team, in a space that is unchanged, and in a folder of it. */
const places = ['', join('teams', 'Writers'), join('spaces', 'Welcome'), join('spaces', 'Welcome', 'pages')];

async function findings(path: string): Promise<VerifyFinding[]> {
  const { folder, manifest } = await openBackup(path);
  const looked = { spaces: 0, files: 0, bytes: 0 };
  const found: VerifyFinding[] = [];
  for await (const one of verifyFolder(folder, manifest, looked, () => {})) found.push(one);
  return found;
}

test('are no part of the backup, and the next run removes them, wherever they are', async () => {
  await fillFrom(rounds.first.db, 'tiny', { now: Date.now });
  const at = rounds.at('a');
  await rounds.first.backUp(at, { full: false });
  const drafts = places.map((place) => join(at, place, '.docs-0123456789abcdef.tmp'));
  for (const draft of drafts) writeFileSync(draft, 'half');
  expect(await findings(at)).toEqual([]);
  await rounds.first.backUp(at, { full: false });
  expect(drafts.filter((draft) => existsSync(draft))).toEqual([]);
  expect(await findings(at)).toEqual([]);
});
