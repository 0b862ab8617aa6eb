import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { getOrg, updateOrg } from '../../src/api/resources/orgs.js';
import { deleteSpace, duplicateSpace, getSpace, restoreSpace } from '../../src/api/resources/spaces.js';
import { createTeam } from '../../src/api/resources/teams.js';
import { openControl, type SandboxControl } from '../../src/sandbox/control.js';
import { openDatabase } from '../../src/sandbox/store/database.js';
import { createClient, openSandbox, seedId, type TestSandbox } from './client.js';

let folder: string;
let file: string;
let outsideMs: number;
const io = { now: () => outsideMs };
const open: SandboxControl[] = [];
const hourMs = 3_600_000;
const org = { organizationId: seedId('org acme') };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-sandbox-'));
  file = join(folder, 'deep', 'sandbox.db');
  outsideMs = Date.parse('2031-02-03T04:05:06Z');
});
afterEach(() => {
  for (const control of open.splice(0)) control.close();
  rmSync(folder, { recursive: true, force: true });
});

async function take(path = file, seed?: string): Promise<SandboxControl> {
  const control = await openControl(path, io, seed);
  open.push(control);
  return control;
}

const tables = (text: string) =>
  (JSON.parse(text) as { tables: Record<string, Record<string, unknown>[]> }).tables;

const ownOrg = { id: 'acme', title: 'Own', created_at: 0 };
/** The path of a small export written by hand. */
function ownExport(): string {
  const own = join(folder, 'own.json');
  writeFileSync(own, JSON.stringify({ format: 'docs-sandbox/1', tables: { organizations: [ownOrg] } }));
  return own;
}

describe('a new database', () => {
  test('is readable by its owner only, and filled', async () => {
    const control = await take();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(`${file}-wal`).mode & 0o777).toBe(0o600);
    expect(tables(control.export()).members).toHaveLength(9);
    expect(control.defaults()).toMatchObject({ org: seedId('org acme'), space: seedId('space welcome') });
  });

  test('uses the requested seed; a filled one refuses another', async () => {
    const own = ownExport();
    const control = await take(file, own);
    expect(tables(control.export()).organizations).toMatchObject([ownOrg]);
    expect(new Date(control.clock.now()).toISOString()).toBe('2026-01-05T09:00:00.000Z');
    await take(file, own);
    const refused = { kind: 'usage', code: 'already_seeded' };
    await expect(take(file, 'tiny')).rejects.toMatchObject(refused);
    const unknown = { kind: 'usage', code: 'unknown_seed' };
    await expect(take(join(folder, 'b.db'), 'big')).rejects.toMatchObject(unknown);
  });
});

describe('a file that is not a sandbox database', () => {
  test('is refused and left alone', async () => {
    const other = join(folder, 'notes.db');
    writeFileSync(other, 'Dear diary, this is no database at all.\n'.repeat(50));
    const before = readFileSync(other);
    await expect(take(other)).rejects.toMatchObject({ kind: 'configuration', code: 'bad_database' });
    expect(readFileSync(other)).toEqual(before);
    await expect(take('/dev/null/x/sandbox.db')).rejects.toMatchObject({
      kind: 'local-io',
      code: 'cannot_open',
    });
  });

  test.each([25, 50, 90])('as is a database of which %i %% are left', async (percent) => {
    await take(file);
    const db = openDatabase(file);
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.run("INSERT OR REPLACE INTO local_state (key, value) VALUES ('x', 1)");
    await take();
    const pages = Math.floor((statSync(file).size * percent) / 100 / 4096);
    truncateSync(file, pages * 4096);
    const refused = { kind: 'configuration', code: 'damaged_database' };
    await expect(take()).rejects.toMatchObject(refused);
    db.close();
    for (const control of open.splice(0)) control.close();
    await expect(take()).rejects.toMatchObject(refused);
  });

  test('as is a database of a newer program', async () => {
    (await take()).close();
    open.pop();
    const db = await openDatabase(file);
    db.exec('PRAGMA user_version = 999');
    db.close();
    await expect(take()).rejects.toMatchObject({ kind: 'configuration', code: 'newer_database' });
  });

  test('as is a database of an earlier one, or of another program, which says how to remove it', async () => {
    mkdirSync(dirname(file), { recursive: true });
    const db = openDatabase(file);
    db.exec('CREATE TABLE local_migrations (name TEXT PRIMARY KEY) WITHOUT ROWID');
    db.run("INSERT INTO local_migrations (name) VALUES ('001-state')");
    db.close();
    const removing = expect.stringContaining(`${file}-wal`);
    const refused = { kind: 'configuration', code: 'older_database', failure: { hint: removing } };
    await expect(take()).rejects.toMatchObject(refused);
    await expect(take()).rejects.toMatchObject(refused);
    const left = openDatabase(file);
    expect(left.all('SELECT name FROM local_migrations')).toEqual([{ name: '001-state' }]);
    left.close();
  });
});

describe('the export', () => {
  test('is canonical: sorted keys and rows, no token, no clock', async () => {
    const control = await take();
    const text = control.export();
    expect(text.endsWith('}\n')).toBe(true);
    const all = tables(text);
    expect(Object.keys(all)).toEqual(Object.keys(all).sort());
    for (const rows of Object.values(all)) {
      for (const row of rows) expect(Object.keys(row)).toEqual(Object.keys(row).sort());
    }
    const ids = (all.users ?? []).map(({ id }) => String(id));
    expect(ids).toEqual([...ids].sort());
    expect(text).not.toMatch(/sbx_|local_/);
    await control.clock.shift(5000);
    control.faults.add({ match: '*', status: 500 });
    expect(control.export()).toBe(text);
  });

  test('loads into another database, with the same state and the same ids afterwards', async () => {
    const one = await take();
    const saved = join(folder, 'state.json');
    writeFileSync(saved, one.export());
    const two = await take(join(folder, 'two.db'), saved);
    expect(two.export()).toBe(one.export());
    await two.seed(ownExport());
    await two.seed(saved);
    expect(two.export()).toBe(one.export());
    await two.reset();
    expect(two.export()).toBe(one.export());
  });

  test('of another form is refused, and nothing changes', async () => {
    const control = await take();
    const before = control.export();
    const bad = join(folder, 'bad.json');
    for (const [what, text] of [
      ['no JSON', '{"format":'],
      ['no format', '{"tables":{}}'],
      ['another format', '{"format":"docs-sandbox/9","tables":{}}'],
      ['an unknown table', '{"format":"docs-sandbox/1","tables":{"sqlite_schema":[]}}'],
      ['a table of its own', '{"format":"docs-sandbox/1","tables":{"local_tokens":[]}}'],
      ['an unknown column', '{"format":"docs-sandbox/1","tables":{"users":[{"id":"a","x":1}]}}'],
      ['a missing value', '{"format":"docs-sandbox/1","tables":{"users":[{"id":"a"}]}}'],
      ['a wrong type', '{"format":"docs-sandbox/1","tables":{"state":[{"key":true,"value":1}]}}'],
      ['no tables', '{"format":"docs-sandbox/1","tables":null}'],
      ['a table that is none', '{"format":"docs-sandbox/1","tables":{"users":{"id":"a"}}}'],
      ['a row that is none', '{"format":"docs-sandbox/1","tables":{"users":[null]}}'],
      ['rows that are none', '{"format":"docs-sandbox/1","tables":{"users":["a"]}}'],
      [
        'what refers to nothing',
        '{"format":"docs-sandbox/1","tables":{"invites":[{"id":"i","org_id":"none","role":"read"}]}}',
      ],
    ] as const) {
      writeFileSync(bad, text);
      const refused = control.seed(bad);
      await expect(refused, what).rejects.toMatchObject({ kind: 'configuration', code: 'bad_export' });
    }
    await expect(control.seed(join(folder, 'none.json'))).rejects.toMatchObject({ kind: 'local-io' });
    expect(control.export()).toBe(before);
  });
});

describe('the clock', () => {
  test('starts at the same instant with every seed and follows real time', async () => {
    const control = await take();
    expect(new Date(control.clock.now()).toISOString()).toBe('2026-01-05T09:00:00.000Z');
    outsideMs += hourMs;
    expect(new Date(control.clock.now()).toISOString()).toBe('2026-01-05T10:00:00.000Z');
    await control.seed('tiny');
    expect(new Date(control.clock.now()).toISOString()).toBe('2026-01-05T09:00:00.000Z');
  });

  test('continues between programs, shifts included', async () => {
    const first = await take();
    expect(await first.clock.shift(48 * hourMs)).toBe(Date.parse('2026-01-07T09:00:00Z'));
    await first.clock.shift(-hourMs);
    outsideMs += 60_000;
    expect(new Date((await take()).clock.now()).toISOString()).toBe('2026-01-07T08:01:00.000Z');
  });
});

describe('beside a running server', () => {
  let sandbox: TestSandbox;
  const guide = { spaceId: seedId('space guide') };

  beforeEach(async () => {
    sandbox = await openSandbox({ file, io: { ...io, sleep: async () => {} } });
  });
  afterEach(() => sandbox.close());

  test('a shift ends restore windows', async () => {
    const control = await take();
    const admin = sandbox.as('admin');
    await admin.ok(deleteSpace, { path: guide });
    await control.clock.shift(7 * 24 * hourMs);
    await admin.refuses(404, restoreSpace, { path: guide });
  });

  test('a reset undoes all changes; tokens stay valid', async () => {
    const control = await take();
    const admin = sandbox.as('admin');
    const before = control.export();
    await admin.ok(updateOrg, { path: org, body: { title: 'Changed' } });
    await admin.ok(deleteSpace, { path: guide });
    expect(await admin.ok(getOrg, { path: org })).toMatchObject({ title: 'Changed' });
    expect(await control.reset()).toBe('tiny');
    expect(await admin.ok(getOrg, { path: org })).toMatchObject({ title: 'Acme Docs' });
    expect(await admin.ok(getSpace, { path: guide })).toMatchObject({ title: 'Product Guide' });
    expect(control.export()).toBe(before);
    expect(control.tokens()).toEqual(sandbox.tokens);
    expect(control.adminToken()).toBe(sandbox.token);
  });

  test('a second server shares all writes at once', async () => {
    const second = await openSandbox({ file, io: { ...io, sleep: async () => {} } });
    const clients = [
      createClient(sandbox.url, sandbox.token),
      createClient(second.url, sandbox.token),
    ] as const;
    for (let round = 0; round < 10; round += 1) {
      const [writer, reader] = round % 2 === 0 ? clients : ([clients[1], clients[0]] as const);
      await writer.ok(updateOrg, { path: org, body: { title: `Round ${round}` } });
      expect(await reader.ok(getOrg, { path: org })).toMatchObject({ title: `Round ${round}` });
    }
    const ids = await Promise.all(
      [sandbox, second].map(async ({ url }) => (await fetch(url)).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(2);
    await second.close();
  });
});

test('the same requests after the same seed create the same ids', async () => {
  const made = async () => {
    const sandbox = await openSandbox();
    const team = await sandbox.admin.ok(createTeam, { path: org, body: { title: 'One' } });
    const copy = await sandbox.admin.ok(duplicateSpace, { path: { spaceId: seedId('space guide') } });
    await sandbox.close();
    return [team, copy];
  };
  expect(await made()).toEqual(await made());
});
