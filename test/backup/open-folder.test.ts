import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { manifestText, openFolder } from '../../src/backup/manifest.js';

/** Which folders a backup may be written into: new and empty ones, and those of the same organization. */

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'docs-open-'));
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

function write(id: string, platform: string): void {
  const text = manifestText({
    ...{ state: 'whole', platform, organization: { id, title: 'Acme' }, runs: 0 },
    ...{ startedAt: '2026-11-23T04:00:00Z', counts: {}, failed: [], files: [], spaces: [] },
  });
  writeFileSync(join(path, 'manifest.json'), text);
}

it('of the same organization and platform it goes on; a new one begins', async () => {
  expect((await openFolder(path, 'o1', 'https://docs.example')).last).toBeUndefined();
  write('o1', 'https://docs.example');
  const { last } = await openFolder(path, 'o1', 'https://docs.example');
  expect(last?.manifest.organization.id).toBe('o1');
});

it.each([
  ['another organization', 'o2', 'https://docs.example'],
  ['another platform', 'o1', 'https://other.example'],
])('a backup of %s is refused', async (_, id, platform) => {
  write(id, platform);
  const opening = openFolder(path, 'o1', 'https://docs.example');
  await expect(opening).rejects.toMatchObject({ code: 'other_organization', exitCode: 2 });
  expect(readdirSync(path)).toEqual(['manifest.json']);
});
