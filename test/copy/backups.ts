import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../src/api/client.js';
import { createTransport } from '../../src/api/transport.js';
import { runBackup } from '../../src/workflows/backup/execute.js';
import { fakeIo } from '../fake-io.js';
import type { TestSandbox } from '../sandbox/client.js';

/** A folder for backups that the end of a test removes. */
export function backupFolder(): { path(name: string): string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'docs-backup-'));
  return {
    path: (name) => join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Backs up the organization of a sandbox. */
export async function backUp({ url, token, organizationId }: TestSandbox, path: string): Promise<void> {
  const io = fakeIo();
  const credential = { token, origin: url };
  const transport = createTransport({ baseUrl: url, credential, io, userAgent: 'test' });
  const client = createClient(transport);
  const { manifest } = await runBackup({
    ...{
      client,
      organization: organizationId,
      platform: 'sandbox',
      path,
      full: true,
      access: true,
      concurrency: 8,
    },
    ...{ signal: new AbortController().signal, now: () => 0 },
  });
  await client.close();
  if (manifest.state !== 'whole') throw new Error(JSON.stringify(manifest.failed));
}
