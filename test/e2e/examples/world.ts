import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Io } from '../../../src/io.js';
import { openControl, type SandboxControl } from '../../../src/sandbox/control.js';
import { type RunningSandbox, startSandbox } from '../../../src/sandbox/start.js';
import { runProgram } from '../program.js';
import { docsOnPath } from '../shell.js';
import { files } from './files.js';
import type { Need } from './needs.js';
import { fastClock, type RanLine, runLine, shellLine } from './run-line.js';

interface WorldOptions {
  seed?: string;
  /** Clock of the sandbox. */
  io?: Pick<Io, 'now' | 'sleep'>;
}

/** A home with the default sandbox in it, and a folder with what the examples read. */
export interface World {
  readonly sandbox: RunningSandbox;
  readonly control: SandboxControl;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Does what a line needs before it. */
  prepare(need: Need): Promise<void>;
  /** A text without what is another in each world: its folders and its port. */
  withoutPaths(text: string): string;
  /** Runs a line as printed, after what it needs. */
  run(line: string, need?: Need): Promise<RanLine>;
  /** Everything is as at the start: sandbox, home and folder. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

export async function openWorld({ seed = 'tiny', io = fastClock() }: WorldOptions = {}): Promise<World> {
  const root = mkdtempSync(join(tmpdir(), 'docs-examples-'));
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
  const key = join(root, 'id_ed25519');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'ada@acme.example', '-f', key]);
  const [type, blob] = readFileSync(`${key}.pub`, 'utf8').split(' ');
  writeFileSync(join(fresh, 'signers'), `ada@acme.example ${type} ${blob}\n`);
  const sandbox = await startSandbox({ file, io, seed, contentFolder: cwd });
  const control = await openControl(file, io);
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
      else await runLine(step, { cwd, env, ...(at !== undefined && { at }) });
    }
    if (!fills) return;
    kept.set(name, join(root, `kept-${kept.size}`));
    cpSync(cwd, join(root, `kept-${kept.size - 1}`), { recursive: true });
  };
  return {
    ...{ sandbox, control, env, cwd, prepare },
    withoutPaths: (text) => text.replaceAll(root, '/world').replaceAll(new URL(sandbox.url).port, 'PORT'),
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
    async renew() {
      await control.seed(seed);
      await control.reset();
      clean();
    },
    async close() {
      control.close();
      await sandbox.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
