import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fillFrom } from '../../../src/sandbox/store/fill.js';
import { openBackup } from '../../../src/workflows/backup/folder/open-folder.js';
import type { VerifyFinding } from '../../../src/workflows/backup/report.js';
import { verifyFolder } from '../../../src/workflows/backup/verify/folder.js';
import { openRounds, type Rounds } from '../../copy/rounds.js';

/** Files that a killed run was still writing. */

let rounds: Rounds;
beforeEach(async () => {
  rounds = await openRounds();
  await fillFrom(rounds.first.db, 'tiny', { now: Date.now });
});
afterEach(() => rounds.close());

const name = '.docs-0123456789abcdef.tmp';

async function findings(path: string): Promise<VerifyFinding[]> {
  const { folder, manifest } = await openBackup(path);
  const looked = { spaces: 0, files: 0, bytes: 0 };
  const found: VerifyFinding[] = [];
  for await (const one of verifyFolder(folder, manifest, looked, () => {})) found.push(one);
  return found;
}

test.each([
  ['a space that is unchanged', join('spaces', 'Welcome')],
  ['a folder of a space', join('spaces', 'Welcome', 'pages')],
  ['a team', join('teams', 'Writers')],
  ['the top', ''],
])('in %s: they are no part of the backup, and the next run removes them', async (_, place) => {
  const at = rounds.at('a');
  await rounds.first.backUp(at, { full: false });
  const draft = join(at, place, name);
  writeFileSync(draft, 'half');
  expect(await findings(at)).toEqual([]);
  await rounds.first.backUp(at, { full: false });
  expect(existsSync(draft)).toBe(false);
  expect(await findings(at)).toEqual([]);
});
