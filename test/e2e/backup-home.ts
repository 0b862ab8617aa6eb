import { createHash, generateKeyPairSync } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { openReader } from '../../src/backup/reader.js';
import { wireString } from '../../src/signing/keys.js';
import { fileAt } from '../backup/versions/small-run.js';
import { type Gateway, startGateway } from './gateway.js';
import { type Begun, begin, type JobHome, jobHome } from './job-home.js';
import { leaveTexts } from './planted.js';
import type { Ran } from './program.js';
import { runsHere } from './runs-here.js';
import { type SandboxHere, sandboxHere } from './sandbox-here.js';

/** What somebody changes in a backup, and the keys that tell. */

const pagePath = ['b', 'spaces', 'Welcome', 'pages', 'faq.md'];
const spaceManifest = ['b', 'spaces', 'Welcome', 'manifest.json'];
export const pageIn = (home: BackupHome) => readFileSync(home.at(...pagePath), 'utf8');
const hashAt = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Changes a page, and its hash and size in the manifest of the space. */
export function forgePage(home: BackupHome): void {
  const path = home.at(...pagePath);
  const old = hashAt(path);
  const forged = pageIn(home).replace(/^#.*$/m, (line) => line.replace(/[aeiou]/gi, 'x'));
  writeFileSync(path, forged);
  replaceIn(home.at(...spaceManifest), old, hashAt(path));
}

/** The same, and the hash of that manifest in the one at the top. */
export function forgeAll(home: BackupHome): void {
  const path = home.at(...spaceManifest);
  const old = hashAt(path);
  forgePage(home);
  replaceIn(home.at('b', 'manifest.json'), old, hashAt(path));
}

function replaceIn(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replace(from, to));
}

/** Makes a key that signs. @returns the line of its public half */
export function makeKey(home: BackupHome, name: string): string {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(home.at(name), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const blob = Buffer.concat([wireString('ssh-ed25519'), wireString(Buffer.from(x, 'base64url'))]);
  return `ssh-ed25519 ${blob.toString('base64')}`;
}

/** Writes the file `allowed`, by which these keys are Ada's. */
export function allow(home: BackupHome, ...keys: string[]): void {
  writeFileSync(home.at('allowed'), keys.map((key) => `ada@example.com ${key}\n`).join(''));
}

/** A home that is signed in to a sandbox of its own, through a gateway. But for `start`, all runs within the test. */
export interface BackupHome extends JobHome {
  gateway: Gateway;
  control: SandboxHere['control'];
  org: string;
  /** By role. */
  tokens: Readonly<Record<string, string>>;
  /** Path of a folder or file in the home. */
  at(...names: string[]): string;
  /** What the file of a backup says: `parsed('b', 'org.json')`. */
  parsed<T = unknown>(...names: string[]): T;
  /** The id of the space with this title. */
  space(title: string): Promise<string>;
  /** The id of what has this title in a list. */
  idOf(title: string, ...list: string[]): Promise<string>;
  /** The id of what comes first in a list. */
  firstId(...list: string[]): Promise<string>;
  /** Merges the open change request of the space Welcome. */
  merge(): Promise<unknown>;
  /** From now on the platform answers requests like this with a status. */
  refuse(match: RegExp | string, status: number): void;
  /** What was sent that is not a read, in order: `PUT /v1/orgs/…`. */
  changes(): string[];
  /** Backs up into the folder `b`. */
  backUp(...words: string[]): Promise<Ran>;
  /** The same, expecting success: the result it printed. */
  backedUp(...words: string[]): Promise<Result>;
  /** `docs backup verify b --json`. */
  verified(...words: string[]): Promise<Verified>;
  /** The platform is as at first, and nothing else is in the home, but for the backup of it if one is asked for. */
  reset(options?: { backup?: boolean }): Promise<void>;
  end(): Promise<void>;
}

type Row = Record<string, unknown>;
export type Tables = Record<string, Row[]>;

/** What `docs backup verify` or `docs backup diff` names. */
export interface Found {
  state?: string;
  change?: string;
  kind: string;
  id?: string;
  path?: string;
  title?: string;
  space?: string;
  spaceId?: string;
  detail?: string;
  fields?: { field: string; before?: unknown; after?: unknown }[];
}

interface Verified {
  code: number | null;
  stderr: string;
  found: Found[];
}

/** A backup in which `verify` finds nothing. */
export const clean = { code: 0, found: [] };

interface HomeOptions {
  /** Of the sandbox; default: tiny. */
  seed?: string;
  /** Changes the rows of the seed before the server starts. */
  change?: (tables: Tables) => void;
  /** Empties texts of `acme` that no test of the file is about; for a home that goes on. */
  leavesTexts?: true;
  /** Folder in the home whose files are served as the content of URLs. */
  content?: string;
}

/**
 * A home for the tests of a file or group, which share it: each begins with the platform as it was at first, or, if it
 * `goesOn`, as the one before left it.
 */
export function homeOfFile(options: HomeOptions & { backup?: boolean; goesOn?: boolean } = {}): BackupHome {
  const home = {} as BackupHome;
  beforeAll(async () => {
    Object.assign(home, await backupHome(options));
    if (options.goesOn) await home.reset(options);
  });
  beforeEach(() => (options.goesOn ? home.gateway.reset() : home.reset(options)));
  afterAll(() => home.end());
  return home;
}

export async function backupHome(options: HomeOptions = {}): Promise<BackupHome> {
  const { seed = 'tiny', change, content, leavesTexts } = options;
  const home = jobHome({});
  runsHere(home);
  const at = (...names: string[]) => join(home.path, ...names);
  // Beside the database, where `reset` leaves it.
  const own = (name: string) => at('.local', 'share', name);
  mkdirSync(own(''), { recursive: true });
  if (content !== undefined) mkdirSync(at(content));
  if (change !== undefined) {
    await home.ok(['sandbox', 'seed', seed]);
    const state = JSON.parse(await home.ok(['sandbox', 'export'])) as { tables: Tables };
    change(state.tables);
    writeFileSync(own('seed.json'), JSON.stringify(state));
    await home.ok(['sandbox', 'seed', '--from', own('seed.json')]);
  }
  const sandbox = await sandboxHere(
    home,
    change === undefined ? seed : undefined,
    content,
    leavesTexts && ((db) => leaveTexts(db, [])),
  );
  const { control } = sandbox;
  const gateway = await startGateway(sandbox.url);
  const { org } = sandbox.defaults;
  Object.assign(home.env, { DOCS_BASE_URL: gateway.url, DOCS_TOKEN: sandbox.token, DOCS_ORG: org });
  const backUp = (...words: string[]) => home.run(['backup', 'run', '--out', 'b', '--json', ...words]);
  const listed = (list: string[]) => home.json<{ id: string; title?: string }[]>(list);
  const idOf = async (title: string, ...list: string[]) =>
    (await listed(list)).find((row) => row.title === title)?.id ?? '';
  const space = (title: string) => idOf(title, 'spaces', 'list');
  const clear = () => {
    for (const name of readdirSync(home.path)) if (name !== '.local') remove(at(name));
    for (const name of readdirSync(at('.local'))) if (name !== 'share') remove(at('.local', name));
    if (content !== undefined) mkdirSync(at(content));
  };
  let isFresh = true;
  return Object.assign(home, {
    ...{ gateway, control, org, at, space, idOf, backUp },
    tokens: Object.fromEntries(sandbox.tokens.map(({ name, token }) => [name, token])),
    parsed: <T>(...names: string[]) => JSON.parse(readFileSync(at(...names), 'utf8')) as T,
    firstId: async (...list: string[]) => (await listed(list))[0]?.id ?? '',
    merge: async () => home.ok(['change-requests', 'merge', '3', '--space', await space('Welcome'), '--yes']),
    refuse(match: RegExp | string, status: number) {
      gateway.rule = (line) => (line.search(match) === -1 ? undefined : status);
    },
    changes: () => gateway.requests.filter((line) => !line.startsWith('GET ')),
    async backedUp(...words: string[]) {
      const { code, stdout, stderr } = await backUp(...words);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return JSON.parse(stdout) as Result;
    },
    async verified(...words: string[]) {
      const { code, stdout, stderr } = await home.run(['backup', 'verify', 'b', '--json', ...words]);
      return { code, stderr, found: JSON.parse(stdout) as Found[] };
    },
    async reset({ backup = false } = {}) {
      gateway.reset();
      if (!isFresh) {
        clear();
        if (change === undefined) await control.seed(seed);
        else await control.seed(own('seed.json'), { isExport: true });
        control.faults.clear();
      }
      isFresh = false;
      if (!backup) return;
      if (!existsSync(own('b'))) {
        await home.ok(['backup', 'run', '--out', 'b']);
        cpSync(at('b'), own('b'), { recursive: true });
        clear();
      }
      cpSync(own('b'), at('b'), { recursive: true });
      gateway.reset();
    },
    async end() {
      await gateway.close();
      await sandbox.close();
      home.remove();
    },
  });
}

const remove = (path: string) => rmSync(path, { recursive: true, force: true });

/** Begins a command in the way of this layer, and ends it by a signal at one of its requests, which is never answered. */
export async function killAt(
  home: BackupHome,
  words: readonly string[],
  isThis: (line: string, count: number) => boolean,
  signal: NodeJS.Signals = 'SIGKILL',
): Begun['ended'] {
  home.gateway.reset();
  const running = begin(words, home.env, home.path);
  let held = false;
  home.gateway.rule = (line, count) => {
    held ||= isThis(line, count);
    if (!held) return undefined;
    running.kill(signal);
    // Not even a slow machine reads on.
    return new Promise(() => {});
  };
  const ended = await running.ended;
  home.gateway.reset();
  return ended;
}

/** Every path below a folder that is not a folder, with its hash; `link` for a link. */
export function filesIn(folder: string, below = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(join(folder, below)).sort()) {
    const path = below === '' ? name : `${below}/${name}`;
    const stats = lstatSync(join(folder, path));
    if (stats.isDirectory()) for (const entry of filesIn(folder, path)) found.set(...entry);
    else found.set(path, stats.isSymbolicLink() ? 'link' : hashOf(readFileSync(join(folder, path))));
  }
  return found;
}

/** When each file was last written. */
export function timesIn(folder: string): Map<string, number> {
  return new Map([...filesIn(folder).keys()].map((path) => [path, lstatSync(join(folder, path)).mtimeMs]));
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Requests that name a space, by its id. */
export function perSpace(requests: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const line of requests) {
    const [, id] = /^GET \/v1\/spaces\/([\w-]+)/.exec(line) ?? [];
    if (id !== undefined) found.set(id, [...(found.get(id) ?? []), line]);
  }
  return found;
}

/** The result of `docs backup run --json`. */
export interface Result {
  id: string;
  status: string;
  spaces: number;
  unchanged: number;
  moved: number;
  pages: number;
  files: number;
  fileBytes: number;
  counts: Record<string, number>;
  failed: { kind: string; id: string; title?: string; space?: string; error: { status?: number } }[];
  /** What was changed in the backup since the last run. */
  distrusted: { kind: string; title?: string; path: string }[];
  /** Earlier runs that are kept. */
  kept?: number;
}

interface Failure {
  error: {
    code: string;
    exitCode: number;
    message: string;
    hint?: string;
    details?: Record<string, unknown>;
  };
}

export const failureOf = (stderr: string) =>
  (JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as Failure).error;

/** How a run failed: its exit code, and the code of its error. */
export const failure = ({ code, stderr }: Ran): [code: number | null, error: string] => [
  code,
  failureOf(stderr).code,
];

/** The numbers of the parts of a command: `1/3`, `2/3`, `3/3`. */
export const shards = (of: number) => Array.from({ length: of }, (_, at) => `${at + 1}/${of}`);

/** Variables of a run without platform and token. */
export const away = { DOCS_BASE_URL: '', DOCS_TOKEN: '', DOCS_ORG: '' };

/** Runs of `docs backup run --keep`, and copies to compare them with. */

/** Backs up, and copies the folder as it is then. */
export async function backedUpAs(home: BackupHome, run: number, ...words: string[]): Promise<Result> {
  const result = await home.backedUp(...words);
  cpSync(home.at('b'), home.at(`copy${run}`), { recursive: true });
  return result;
}

/** Changes, adds and removes what a further run then finds. */
export async function change(home: BackupHome): Promise<void> {
  const [welcome, guide] = [await home.space('Welcome'), await home.space('Product Guide')];
  await home.merge();
  await home.ok(['spaces', 'update', welcome, '--title', 'Hello']);
  await home.ok(['spaces', 'delete', guide, '--yes']);
  await home.ok(['teams', 'create', '--title', 'Editors']);
}

/** Reads every file of a run and compares it with the copy that was made after it. */
export async function expectAsItWas(home: BackupHome, run: number, at = String(run)): Promise<void> {
  const copy = home.at(`copy${run}`);
  const reader = await openReader(home.at('b'), { at });
  const paths = reader.manifest.files.map(({ path }) => path);
  for (const entry of reader.manifest.spaces) {
    const { files = [] } = (await reader.space(entry)) ?? {};
    paths.push(...files.map(({ path }) => `spaces/${entry.folder}/${path}`));
  }
  for (const path of paths) {
    const [files, entry] = await fileAt(reader, path);
    const bytes = await files.bytes(entry);
    expect([path, bytes.equals(readFileSync(`${copy}/${path}`))]).toEqual([path, true]);
  }
  for (const entry of reader.manifest.spaces) {
    const path = `spaces/${entry.folder}/manifest.json`;
    expect([path, await reader.isAsNoted(entry)]).toEqual([path, true]);
    expect([path, hashOf(readFileSync(`${copy}/${path}`))]).toEqual([path, entry.sha256]);
    paths.push(path);
  }
  // What only the top has is no file of a run.
  const apart = /^(manifest\.json(\.sig)?$|deleted\/|versions\/)/;
  expect(paths.sort()).toEqual([...filesIn(copy).keys()].filter((path) => !apart.test(path)).sort());
  const { startedAt } = home.parsed<{ startedAt: string }>(`copy${run}`, 'manifest.json');
  expect(reader.manifest.startedAt).toBe(startedAt);
}
