import { expect, test } from 'vitest';
import { mergeChangeRequest, pullChangeRequest } from '../../../src/api/resources/change-requests.js';
import { importContent } from '../../../src/api/resources/content.js';
import { operations } from '../../../src/api/resources/index.js';
import { pingOrg } from '../../../src/api/resources/orgs.js';
import { idFrom } from '../../../src/sandbox/store/rows.js';
import { openContentPlatform } from '../content/content-folder.js';
import { openPlatform, type Platform } from '../in-process.js';
import { crawl } from './crawl.js';
import { DeclaredFields } from './declared-fields.js';

/** Declared fields that no answer of the sandbox can have, each with the reason. */
const never: Readonly<Record<string, string>> = {
  'members.spaces.space.deletedAt': 'a deleted space is in no list and no read (platform-facts)',
};

test('every declared field of every answer occurs in some seed', async () => {
  const fields = new DeclaredFields();
  for (const op of operations) fields.declare(op);
  for (const seed of ['tiny', 'acme']) {
    const sandbox = await openPlatform({ seed });
    const { organizationId } = sandbox;
    const invite = { organizationId, inviteId: idFrom(`${seed} invite readers`) };
    // The small seed has nearly all: the large one is read for the rest.
    const wanted = seed === 'tiny' ? new Set(operations.map(({ id }) => id)) : fields.operationsUnseen();
    for (const token of ['admin', 'other-org']) await crawl(sandbox, token, fields, invite, wanted);
    await ping(sandbox, fields);
    if (seed === 'tiny') await change(sandbox, fields);
  }
  await noteImport(fields);
  expect(fields.unseen().sort()).toEqual(Object.keys(never).sort());
});

async function ping(sandbox: Platform, fields: DeclaredFields): Promise<void> {
  const { organizationId } = sandbox;
  fields.note(pingOrg, await sandbox.admin.ok(pingOrg, { path: { organizationId } }));
}

/** The answers of changes that have shapes of their own. */
async function change({ admin, defaults }: Platform, fields: DeclaredFields): Promise<void> {
  const path = { spaceId: defaults.space ?? '', changeRequestId: '3' };
  fields.note(pullChangeRequest, await admin.ok(pullChangeRequest, { path }));
  fields.note(mergeChangeRequest, await admin.ok(mergeChangeRequest, { path }));
}

async function noteImport(fields: DeclaredFields): Promise<void> {
  const sandbox = await openContentPlatform();
  const body = { url: sandbox.put('page.md', '# A page'), source: 'markdown' };
  const { spaceId } = sandbox;
  fields.note(importContent, await sandbox.admin.ok(importContent, { path: { spaceId }, body }));
  await sandbox.close();
}
