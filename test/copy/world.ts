import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient as createRealClient } from '../../src/api/client.js';
import { operations } from '../../src/api/resources/index.js';
import { createTransport } from '../../src/api/transport.js';
import type { RunningCopy } from '../../src/copy/copy.js';
import { openCopy } from '../../src/copy/open.js';
import { openDatabase } from '../../src/sandbox/store/database.js';
import { fakeIo } from '../fake-io.js';
import { type Client, createClient, openSandbox, type TestSandbox } from '../sandbox/client.js';
import { openPlatform as openInProcess, type Platform } from '../sandbox/in-process.js';

/** A platform, and a copy of it that reads it as it is asked; `real` is the same organization, to be changed. */
export interface CopyWorld {
  platform: TestSandbox;
  real: Platform;
  copy: RunningCopy;
  /** As the member whose token the copy reads with. */
  inReal: Client;
  inCopy: Client;
  close(): Promise<void>;
}

/** A platform that stays as it is, so that many worlds can share it. */
export interface SharedPlatform {
  platform: TestSandbox;
  /** Its database, to be copied. */
  template: string;
  /** The addresses of all its reads. */
  urls: readonly string[];
  /** All ids in it. */
  seeded: ReadonlySet<string>;
  close(): Promise<void>;
}

export async function openPlatform(seed = 'tiny'): Promise<SharedPlatform> {
  const folder = mkdtempSync(join(tmpdir(), 'docs-copied-'));
  const template = join(folder, 'template.db');
  await (await openSandbox({ seed, file: template })).close();
  const file = join(folder, 'platform.db');
  copyFileSync(template, file);
  const platform = await openSandbox({ file });
  return {
    ...{ platform, template, urls: await readsOf(platform), seeded: idsOf(platform) },
    async close() {
      await platform.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface WorldOptions {
  /** Whose token the copy reads with. */
  role?: string;
  /** Whether the copy is told whose token that is. */
  owned?: boolean;
}

/** A world on a platform of its own. */
export async function openCopyWorld(options: WorldOptions = {}): Promise<CopyWorld> {
  const shared = await openPlatform();
  const world = await openWorld(shared, options);
  return {
    ...world,
    async close() {
      await world.close();
      await shared.close();
    },
  };
}

export async function openWorld(
  { platform }: SharedPlatform,
  { role = 'admin', owned = false }: WorldOptions = {},
): Promise<CopyWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'docs-copy-'));
  const real = await openInProcess();
  const { token = '', member } = platform.tokens.find(({ name }) => name === role) ?? {};
  const credential = { token, origin: platform.url };
  const io = { ...fakeIo(), now: () => Date.parse('2031-01-01T00:00:00Z') };
  const client = createRealClient(
    createTransport({ baseUrl: platform.url, credential, io, userAgent: 'test' }),
  );
  const { organizationId } = platform;
  const copy = await openCopy({
    source: { platform: client, organizationId, ...(owned && { owner: member }) },
    file: join(folder, `${randomUUID()}.db`),
    io,
  });
  return {
    ...{ platform, real, copy, inReal: real.as(role), inCopy: createClient(copy.url, copy.token) },
    async close() {
      await copy.close();
      await client.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const idColumns: Readonly<Record<string, string>> = {
  userId: 'SELECT user_id AS id FROM members WHERE org_id = ?',
  teamId: 'SELECT id FROM teams WHERE org_id = ?',
  inviteId: 'SELECT id FROM invites WHERE org_id = ?',
  samlProviderId: 'SELECT id FROM saml_providers WHERE org_id = ?',
  translationSettingsId: 'SELECT id FROM translations WHERE org_id = ?',
  fieldName: 'SELECT name AS id FROM custom_fields WHERE org_id = ?',
  specSlug: 'SELECT slug AS id FROM openapi_specs WHERE org_id = ?',
  siteId: 'SELECT id FROM sites WHERE org_id = ?',
  spaceId: 'SELECT id FROM spaces WHERE org_id = ?',
  collectionId: 'SELECT id FROM collections WHERE org_id = ?',
  changeRequestId:
    'SELECT c.id, c.space_id AS spaceId FROM change_requests c JOIN spaces s ON s.id = c.space_id WHERE s.org_id = ?',
  commentId:
    'SELECT c.id, c.space_id AS spaceId, c.change_request_id AS changeRequestId FROM comments c JOIN spaces s ON s.id = c.space_id WHERE s.org_id = ?',
  versionId:
    'SELECT v.id, s.slug AS specSlug FROM openapi_versions v JOIN openapi_specs s ON s.id = v.spec_id WHERE s.org_id = ?',
};

/** The addresses of all reads of an organization, but for single pages, files and replies. */
export async function readsOf({ file, organizationId }: TestSandbox): Promise<string[]> {
  const db = await openDatabase(file);
  const known = Object.entries(idColumns).map(([name, sql]) => {
    const rows = db.all<{ id: string } & Record<string, string | null>>(sql, organizationId);
    return [name, rows] as const;
  });
  db.close();
  const rowsOf = new Map(known);
  const reads = operations.filter(({ method }) => method === 'GET');
  const urls = reads.flatMap(({ path, returns }) => {
    let found: Record<string, string | null>[] = [{ organizationId }];
    for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
      if (name === 'organizationId') continue;
      const rows = rowsOf.get(name) ?? [];
      found = found.flatMap((ids) =>
        rows.flatMap(({ id, ...others }) => {
          const fits = Object.entries(others).every(([key, value]) => (ids[key] ?? null) === value);
          return fits ? [{ ...ids, [name]: id }] : [];
        }),
      );
    }
    const needed = path.endsWith('/search') ? '?query=a' : returns.kind === 'page' ? '?limit=1000' : '';
    return found.map((ids) => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '') + needed);
  });
  return [...new Set(urls)].filter((url) => !url.includes('/pdf'));
}

/** Everything in a database that looks like an id. */
export function idsOf({ file }: TestSandbox): Set<string> {
  const bytes = [file, `${file}-wal`].map((path) => readFileSync(path, 'latin1')).join();
  return new Set([...bytes.matchAll(/[A-Za-z0-9]{20,}/g)].flatMap(([run]) => slices(run)));
}

/** Ids may stand next to each other in a database. */
function slices(run: string): string[] {
  return Array.from({ length: Math.min(run.length, 200) - 19 }, (_, at) => run.slice(at, at + 20));
}

/** An answer without what no two sandboxes share: ids and times of what was made since, and download addresses. */
export async function answerOf(
  client: Client,
  method: string,
  path: string,
  seeded: ReadonlySet<string>,
  body?: unknown,
): Promise<string> {
  const response = await client.send(method, path, { ...(body !== undefined && { body }) });
  const text = await response.text();
  const plain = text
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+[^"]*/g, '<download>')
    .replaceAll(/\b[A-Za-z0-9]{20}\b/g, (id) => (seeded.has(id) ? id : '<new>'))
    .replaceAll(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, (time) => (time >= '2026-01-05T09:00' ? '<now>' : time));
  return `${response.status} ${plain === '' ? '' : JSON.stringify(sorted(JSON.parse(plain)))}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, sorted(member)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
