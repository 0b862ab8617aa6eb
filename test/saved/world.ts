import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { run } from '../../src/main.js';
import { startSandbox } from '../../src/sandbox/start.js';
import type { Database, SqlValue } from '../../src/sandbox/store/database.js';
import { exportState, importState, parseExport } from '../../src/sandbox/store/export.js';
import { openStore, refill } from '../../src/sandbox/store/store.js';
import { beginHere } from '../e2e/begin-here.js';
import { type Forwarder, startForwarder } from '../e2e/forwarder.js';
import { type Gateway, startGateway } from '../e2e/gateway.js';
import { ioHere } from '../e2e/here.js';
import type { Begun } from '../e2e/job-home.js';
import { copyPlanted } from '../e2e/planted.js';
import type { Ran } from '../e2e/program.js';
import type { OnTerminal } from '../e2e/terminal.js';
import { onTerminalHere } from '../e2e/terminal-here.js';
import { FakeOutput } from '../fake-io.js';
import { StillTime } from '../still-time.js';

/**
 * Files that a version of docs has saved, each with the platform as it was then. `take.record.ts` makes them; the tests
 * here hold every later version to read them.
 */

/** The address of the platform in saved files. Nothing listens there: connections lead to the sandbox of the test. */
export const origin = 'http://127.0.0.1:20741';
/** What the saved organization as code names by `!env`. */
export const variables = { SSO_URL: 'https://id.acme.example/sso' };
const token = 'sbx_saved_admin';
/** When they were taken; tests go on a minute later. */
const takenAt = '2026-03-02T09:00:00Z';
const testedAfterMs = 60_000;

/** What stands in a saved file for the home that it was made in. */
const homeMark = '{{home}}';

type Row = Readonly<Record<string, SqlValue>>;
type Tables = Record<string, readonly Row[]>;
type EditableTables = Record<string, Record<string, unknown>[]>;
/** Rows of the platform that are not as in the seed; the others, by their keys, are gone. */
type Difference = Record<string, { rows: readonly Row[]; gone: readonly string[] }>;

interface RunOptions {
  stdin?: string;
  env?: Record<string, string>;
  /** Default: the home. */
  cwd?: string;
}

export interface SavedWorld {
  /** The home, in which all runs. */
  readonly path: string;
  readonly env: Record<string, string>;
  readonly gateway: Gateway;
  readonly forwarder: Forwarder;
  readonly time: StillTime;
  at(...names: string[]): string;
  read(name: string): string;
  write(name: string, text: string | Uint8Array): void;
  /** Changes the rows of the platform. */
  edit(change: (tables: EditableTables) => void): void;
  run(words: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Standard output of what must succeed. */
  ok(words: readonly string[], options?: RunOptions): Promise<string>;
  json<T = unknown>(words: readonly string[]): Promise<T>;
  begin(words: readonly string[]): Begun;
  /** Runs a command that is killed at one of its changes, which the platform does or never sees. */
  killedAt(change: number, fate: 'lost before' | 'lost after', words: readonly string[]): Promise<void>;
  onTerminal(words: readonly string[]): OnTerminal;
  /** Everything as at the start. */
  reset(): void;
  /** Forgets the jobs so far. */
  forget(): void;
  /** Saves the home and the platform as they are, as `kind/name`. */
  save(name: string): void;
  /** Puts both back as they were saved. */
  lay(name: string): void;
  close(): Promise<void>;
}

const fileOf = (name: string) => resolve('test', 'saved', `${name}.saved`);

export async function savedWorld(): Promise<SavedWorld> {
  const root = mkdtempSync(join(tmpdir(), 'docs-saved-'));
  const path = join(root, 'home');
  const file = join(root, 'sandbox.db');
  const time = new StillTime(takenAt);
  const io = time.clock();
  await copyPlanted('tiny', file, io, giveTokens);
  const content = join(path, 'content');
  const sandbox = await startSandbox({ file, io, contentFolder: content });
  const { db } = await openStore(file, io);
  const seed = exportState(db);
  const gateway = await startGateway(sandbox.url);
  const forwarder = await startForwarder(gateway.url);
  // It is what answers name.
  Object.assign(gateway, { url: origin });
  const redirected = redirect(Number(new URL(origin).port), Number(new URL(forwarder.url).port));
  const pass = () => {
    gateway.reset();
    forwarder.reset();
  };
  const { org } = sandbox.defaults;
  const env: Record<string, string> = {};
  const at = (...names: string[]) => join(path, ...names);
  const change = (difference: string) => {
    const state = parseExport(seed);
    const tables = changed(state.tables, JSON.parse(difference) as Difference);
    fill(db, JSON.stringify({ ...state, tables }), io.now());
  };
  const world: SavedWorld = {
    ...{ path, env, gateway, forwarder, time, at },
    read: (name) => readFileSync(at(name), 'utf8'),
    write(name, text) {
      mkdirSync(dirname(at(name)), { recursive: true, mode: 0o700 });
      writeFileSync(at(name), text, { mode: 0o600 });
    },
    edit(change) {
      const state = JSON.parse(exportState(db)) as { tables: EditableTables };
      change(state.tables);
      fill(db, JSON.stringify(state), io.now());
    },
    async run(words, { stdin, env: more, cwd = path } = {}) {
      const [stdout, stderr] = [new FakeOutput(), new FakeOutput()];
      const given = ioHere({ ...env, ...more }, cwd, { stdout, stderr, ...io, ...(await input(stdin)) });
      const code = await run(words, given);
      return { code, signal: null, stdout: stdout.text, stderr: stderr.text };
    },
    async ok(words, options) {
      const { code, stdout, stderr } = await world.run(words, options);
      if (code !== 0) throw new Error(`docs ${words.join(' ')} exited with ${code}: ${stderr}`);
      return stdout;
    },
    json: async <T>(words: readonly string[]) => JSON.parse(await world.ok([...words, '--json'])) as T,
    begin: (words) => beginHere(words, env, path, io),
    async killedAt(change, fate, words) {
      pass();
      const running = world.begin(words);
      forwarder.onChange = (count) => {
        if (count < change) return 'pass';
        running.kill('SIGKILL');
        return count === change ? fate : 'lost before';
      };
      const { signal, stderr } = await running.ended;
      if (signal !== 'SIGKILL') throw new Error(`docs ${words.join(' ')} was not killed: ${stderr}`);
      await forwarder.idle();
      pass();
    },
    onTerminal: (words) => onTerminalHere(words, { env, cwd: path, columns: 200 }, io),
    reset() {
      time.set(0);
      pass();
      rmSync(path, { recursive: true, force: true });
      mkdirSync(content, { recursive: true, mode: 0o700 });
      for (const name of Object.keys(env)) delete env[name];
      Object.assign(env, { HOME: path, PATH: process.env.PATH ?? '', USER: 'ada' });
      Object.assign(env, { DOCS_CREDENTIAL_STORE: 'file', DOCS_BASE_URL: origin });
      Object.assign(env, { DOCS_TOKEN: token, DOCS_ORG: org });
      fill(db, seed, io.now());
    },
    forget: () => rmSync(at('.local', 'state'), { recursive: true, force: true }),
    save(name) {
      const texts = new Map<string, string>();
      for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
        const own = relative(path, join(entry.parentPath, entry.name)).replaceAll(sep, '/');
        if (entry.isFile() && !leftOut.test(own))
          texts.set(own, readFileSync(at(own), 'latin1').replaceAll(path, homeMark));
      }
      const difference = differenceOf(tablesOf(seed), tablesOf(exportState(db)));
      texts.set(platformFile, Buffer.from(JSON.stringify(difference)).toString('latin1'));
      mkdirSync(dirname(fileOf(name)), { recursive: true });
      writeFileSync(fileOf(name), bundled(texts), 'latin1');
    },
    lay(name) {
      world.reset();
      for (const [own, text] of unbundled(readFileSync(fileOf(name), 'latin1')))
        if (own === platformFile) change(Buffer.from(text, 'latin1').toString());
        else world.write(own, Buffer.from(text.replaceAll(homeMark, path), 'latin1'));
      time.set(testedAfterMs);
    },
    async close() {
      redirected();
      db.close();
      await forwarder.close();
      await gateway.close();
      await sandbox.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
  world.reset();
  return world;
}

/** What is of a machine, or is never read again. */
const leftOut = /^(?:\.cache|\.local\/share|content|org\/\.schemas)\/|\.(?:running|lock)$/;

const platformFile = 'the platform';

/** The files in one text: under a line with the path and the length of each, what is in it, a character a byte. */
function bundled(texts: ReadonlyMap<string, string>): string {
  return [...texts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => `==> ${text.length} ${path}\n${text}\n`)
    .join('');
}

function* unbundled(all: string): Generator<[path: string, text: string]> {
  for (let at = 0; at < all.length; ) {
    const end = all.indexOf('\n', at);
    const [, length = '', path = ''] = /^==> (\d+) (.*)$/.exec(all.slice(at, end)) ?? [];
    yield [Buffer.from(path, 'latin1').toString(), all.slice(end + 1, end + 1 + Number(length))];
    at = end + 1 + Number(length) + 1;
  }
}

function giveTokens(db: Database): void {
  db.run("UPDATE local_tokens SET token = 'sbx_saved_' || replace(name, '-', '_')");
}

async function input(text: string | undefined) {
  if (text === undefined) return {};
  const { Readable } = await import('node:stream');
  return { stdin: Readable.from([Buffer.from(text)]) };
}

/** Leads connections to a port to another one. @returns what ends that */
function redirect(from: number, to: number): () => void {
  const { connect } = Socket.prototype;
  Reflect.set(Socket.prototype, 'connect', function (this: Socket, ...args: unknown[]) {
    const [options] = args.flat() as { port?: number }[];
    if (options !== undefined && Number(options.port) === from) options.port = to;
    return Reflect.apply(connect, this, args);
  });
  return () => Reflect.set(Socket.prototype, 'connect', connect);
}

function fill(db: Database, state: string, nowMs: number): void {
  const parsed = parseExport(state);
  refill(db, { source: 'tiny', nowMs, fill: () => importState(db, parsed) });
}

const tablesOf = (state: string) => (JSON.parse(state) as { tables: Tables }).tables;
const keyOf = (row: Row) => String(row.id ?? JSON.stringify(row));

function differenceOf(before: Tables, now: Tables): Difference {
  const difference: Difference = {};
  for (const [table, rows] of Object.entries(now)) {
    const then = new Set(before[table]?.map((row) => JSON.stringify(row)));
    const keys = new Set(rows.map(keyOf));
    const other = rows.filter((row) => !then.has(JSON.stringify(row)));
    const gone = (before[table] ?? []).map(keyOf).filter((key) => !keys.has(key));
    if (other.length + gone.length > 0) difference[table] = { rows: other, gone };
  }
  return difference;
}

function changed(tables: Tables, difference: Difference): Tables {
  const now = { ...tables };
  for (const [table, { rows, gone }] of Object.entries(difference)) {
    const other = new Set([...rows.map(keyOf), ...gone]);
    now[table] = [...(tables[table] ?? []).filter((row) => !other.has(keyOf(row))), ...rows];
  }
  return now;
}
