import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Io } from '../../../src/base/io.js';
import { clearFaults } from '../../../src/sandbox/server/faults.js';
import { type RunningSandbox, startSandbox } from '../../../src/sandbox/start.js';
import type { Database } from '../../../src/sandbox/store/database.js';
import { openStore } from '../../../src/sandbox/store/store.js';
import { replant } from '../../sandbox/planted.js';
import { sshKey } from '../../ssh-key.js';
import { copyPlanted } from '../planted.js';
import { runProgram } from '../program.js';
import { docsOnPath } from '../shell.js';
import { files } from './files.js';
import type { Need } from './needs.js';
import { fastClock, type RanLine, runLine, shellLine } from './run-line.js';

interface WorldOptions {
  seed?: 'tiny' | 'acme';
  /** The time from now on, or from an instant (ISO 8601), for the sandbox and for what runs before an example. */
  clock?: (at?: string) => Pick<Io, 'now' | 'sleep'>;
  /** An empty folder that all of it goes into; default: a temporary one. */
  root?: string;
  /** Of the sandbox; default: a free one. */
  port?: number;
  /** What is different from the seed. */
  change?: (db: Database) => void;
}

/** A home with the default sandbox in it, and a folder with what the examples read. */
export interface World {
  readonly sandbox: RunningSandbox;
  readonly db: Database;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Does what a line needs before it. */
  prepare(need: Need): Promise<void>;
  /** Runs a line as printed, after what it needs. */
  run(line: string, need?: Need): Promise<RanLine>;
  /** Everything is as at the start: sandbox, unless nothing changed there, home and folder. */
  renew(after: { isPlatformKept: boolean }): Promise<void>;
  close(): Promise<void>;
}

export async function openWorld({
  seed = 'tiny',
  clock = fastClock,
  root = mkdtempSync(join(tmpdir(), 'docs-examples-')),
  port = 0,
  change,
}: WorldOptions = {}): Promise<World> {
  const [home, cwd, fresh] = ['home', 'work', 'fresh'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  const data = join(root, 'data');
  const file = join(data, 'docs', 'sandbox.db');
  mkdirSync(join(data, 'docs'), { recursive: true });
  mkdirSync(fresh);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(fresh, name, '..'), { recursive: true });
    writeFileSync(join(fresh, name), text, { mode: name.endsWith('.sh') ? 0o755 : 0o644 });
  }
  const key = sshKey('ada@acme.example');
  writeFileSync(join(root, 'id_ed25519'), key.private, { mode: 0o600 });
  writeFileSync(join(root, 'id_ed25519.pub'), key.public);
  writeFileSync(join(fresh, 'signers'), `ada@acme.example ${key.public}`);
  const io = clock();
  const planted = join(root, 'planted.db');
  for (const copy of [file, planted]) await copyPlanted(seed, copy, io, change);
  const sandbox = await startSandbox({ file, io, port, contentFolder: cwd });
  const { db } = await openStore(file, io);
  const env = {
    ...{ HOME: home, XDG_DATA_HOME: data, PATH: docsOnPath(root) },
    ...{ DOCS_BASE_URL: sandbox.url, DOCS_TOKEN: sandbox.token, DOCS_CREDENTIAL_STORE: 'file' },
    ...{ DOCS_ORG: sandbox.defaults.org, DOCS_SPACE: sandbox.defaults.space ?? '' },
    ...{ DOCS_SITE: sandbox.defaults.site ?? '' },
  };
  const clean = (): void => {
    for (const folder of [home, cwd]) rmSync(folder, { recursive: true, force: true });
    cpSync(fresh, cwd, { recursive: true });
    mkdirSync(join(home, '.ssh'), { recursive: true });
    for (const name of ['id_ed25519', 'id_ed25519.pub'])
      copyFileSync(join(root, name), join(home, '.ssh', name));
  };
  clean();
  /** Working folders as they were once filled, by what filled them. */
  const kept = new Map<string, string>();
  const prepare = async ({ before = [], fills, at }: Need): Promise<void> => {
    const name = `${before.join('\n')} ${at}`;
    const folder = kept.get(name);
    if (folder !== undefined) return cpSync(folder, cwd, { recursive: true });
    for (const step of before) {
      if (typeof step !== 'string') step({ cwd, home });
      else await runLine(step, { cwd, env, clock: clock(at) });
    }
    if (!fills) return;
    kept.set(name, join(root, `kept-${kept.size}`));
    cpSync(cwd, join(root, `kept-${kept.size - 1}`), { recursive: true });
  };
  return {
    ...{ sandbox, db, env, cwd, prepare },
    async run(line, need = { line }) {
      await prepare(need);
      const { stdin, again, meanwhile } = need;
      if (again === undefined) {
        const running = runLine(line, { cwd, env, ...(stdin !== undefined && { stdin }) });
        if (meanwhile !== undefined) await runLine(meanwhile, { cwd, env });
        return running;
      }
      const { code, stdout, stderr } = await runProgram(
        shellLine(line, home).words.slice(1),
        env,
        cwd,
        stdin,
      );
      return { code: code ?? -1, stdout, stderr };
    },
    async renew({ isPlatformKept }) {
      if (!isPlatformKept) {
        replant(db, seed, planted, io);
        db.write(() => clearFaults(db));
      }
      clean();
    },
    async close() {
      db.close();
      await sandbox.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
