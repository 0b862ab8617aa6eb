import fs from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { isatty } from 'node:tty';
import { startChild, throughCmd } from '../base/child-process.js';
import { DocsError, endedBy } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { isWorker } from '../base/lock.js';
import { makeFolders } from '../base/own-files.js';
import { ownProgram } from '../base/own-program.js';
import { shellWord } from '../base/shell-word.js';
import type { RunningCopy } from '../copy/copy.js';
import { JobFolder } from '../jobs/job-folder.js';
import type { Job } from '../jobs/journal.js';
import { rehearsalVariable, stateFolder } from '../settings/paths.js';
import { type Rehearsal, rehearsalFile } from '../settings/rehearsal.js';
import { endProcesses, makeFolder, removeFolder, startJanitor } from './janitor.js';

/** Where a command is rehearsed: a copy, and a folder in which the command finds what it needs of this machine. */

/** What the command is told of the platform that is copied. */
export type StageFacts = Pick<Rehearsal, 'origin' | 'profile' | 'member' | 'space' | 'site'>;

/** A program and its words. */
export interface Performed {
  program: string;
  args: readonly string[];
  /** Any program, which gets a home of its own; default: docs. */
  isScript?: boolean;
  /** Whether its standard output is left out. */
  silent?: boolean;
  /** Gets what it writes on standard error, where that must wait. */
  onError?: (bytes: Buffer) => void;
}

export interface RehearsedJob {
  job: Job;
  /** The items that were done before the rehearsal resumed it. */
  before: ReadonlySet<number>;
}

export interface Stage {
  readonly copy: RunningCopy;
  /** Runs a program on the copy, to its end. @returns its exit code @throws DocsError local-io `cannot_run` */
  run(performed: Performed): Promise<number>;
  /** The jobs that were begun or resumed on the copy, the oldest first. */
  jobs(): RehearsedJob[];
  /** The jobs that docs began or resumed on this machine since the copy was opened, and not on the copy. */
  elsewhere(): Job[];
  close(): Promise<void>;
}

/**
 * Makes a folder, opens a copy with its database there, and starts the janitor.
 * @param open opens the copy; its database is the file
 * @throws DocsError as `makeFolder` and `open`; nothing is left then
 */
export async function openStage(
  io: Io,
  facts: StageFacts,
  open: (file: string) => Promise<RunningCopy>,
): Promise<Stage> {
  const folder = makeFolder();
  const janitor = startJanitor(io, folder);
  const leave = (): void => {
    removeFolder(folder);
    janitor.dismiss();
  };
  let copy: RunningCopy | undefined;
  try {
    copy = await open(join(folder, 'copy.db'));
    const known = furnish(io, { folder, copy, facts });
    const env = commandEnvironment(io, folder, copy);
    const inside: Io = Object.create(io, { env: { value: env } });
    const alone: Io = Object.create(io, { env: { value: scriptEnvironment(env, folder, io) } });
    const real = journalSizes(io);
    const opened = copy;
    return {
      copy,
      run: (performed) => perform(performed.isScript === true ? alone : inside, performed, janitor.watch),
      jobs: () => rehearsedJobs(inside, io, known),
      elsewhere: () => grownJobs(io, real),
      async close() {
        try {
          await endProcesses(io, folder, []);
          await opened.close();
        } finally {
          leave();
        }
      },
    };
  } catch (cause) {
    await copy?.close().catch(() => {});
    leave();
    throw cause;
  }
}

interface Furnishing {
  folder: string;
  copy: RunningCopy;
  facts: StageFacts;
}

/** Writes what the command finds in the folder. @returns the journals that are there before it runs, with their sizes */
function furnish(io: Io, { folder, copy, facts }: Furnishing): ReadonlyMap<string, number> {
  const { url, token, organization } = copy;
  const rehearsal: Rehearsal = { version: 1, url, token, organization, ...facts };
  fs.writeFileSync(join(folder, rehearsalFile), JSON.stringify(rehearsal), { mode: 0o600, flag: 'wx' });
  writeShim(io, folder, copy);
  return copyJournals(io, join(folder, 'state', 'jobs'));
}

/** The journals of this machine by path, with their sizes. */
function journalSizes(io: Io): ReadonlyMap<string, number> {
  const folder = join(stateFolder(io), 'jobs');
  if (!fs.existsSync(folder)) return new Map();
  const paths = fs.readdirSync(folder).map((name) => join(folder, name));
  return new Map(paths.map((path) => [path, fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0]));
}

/** The jobs whose journals came or grew since. */
function grownJobs(io: Io, since: ReadonlyMap<string, number>): Job[] {
  const now = journalSizes(io);
  if (![...now].some(([path, size]) => since.get(path) !== size)) return [];
  const isGrown = ({ path }: { path: string }) => since.get(path) !== now.get(path);
  return new JobFolder(io).readAll(() => {}, isGrown);
}

/** Copies journals and claims of plans: undo and resume go on with them, and nothing of it reaches the real ones. */
function copyJournals(io: Io, to: string): ReadonlyMap<string, number> {
  makeFolders(to, 0o700);
  const from = join(stateFolder(io), 'jobs');
  if (!fs.existsSync(from)) return new Map();
  const files = fs.readdirSync(from, { withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { name } of files) {
    try {
      fs.copyFileSync(join(from, name), join(to, name), fs.constants.COPYFILE_FICLONE);
    } catch (cause) {
      // The lock of a job that has just ended.
      if (!isWorker(name)) throw cause;
    }
  }
  const copied = files.filter(({ name }) => fs.existsSync(join(to, name)));
  return new Map(copied.map(({ name }) => [join(to, name), fs.statSync(join(to, name)).size]));
}

async function perform(io: Io, performed: Performed, watch: (pid: number) => void) {
  const { program, args, isScript, silent = false, onError } = performed;
  // On a terminal the command is in the foreground with this program: Ctrl-C reaches both.
  const shared = [0, 1, 2].some((fd) => isatty(fd)) || io.platform === 'win32';
  const { DOCS_TOKEN } = io.env;
  const child = startChild(io, program, args, {
    stdio: ['inherit', silent ? 'ignore' : 'inherit', onError === undefined ? 'inherit' : 'pipe'],
    detached: !shared,
    isDocs: isScript !== true,
    own: { DOCS_TOKEN },
  });
  if (child.pid !== undefined) watch(child.pid);
  if (onError !== undefined) child.stderr?.on('data', onError);
  const pass = (): void => {
    const signal = endedBy(io.signal) === 'terminated' ? 'SIGTERM' : 'SIGINT';
    if (shared && signal === 'SIGINT') return;
    if (shared || child.pid === undefined) child.kill(signal);
    else signalGroup(child.pid, signal);
  };
  io.signal.addEventListener('abort', pass, { once: true });
  if (io.signal.aborted) pass();
  try {
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((done, fail) => {
      child.once('error', (cause) => fail(cannotRun(io, [program, ...args], cause)));
      // With a pipe, once all that it wrote is there.
      child.once(onError === undefined ? 'exit' : 'close', (code: number | null, by: NodeJS.Signals | null) =>
        done([code, by]),
      );
    });
    // It took the signal, and says itself how it ends.
    if (io.signal.aborted && code !== null) io.signalTaken?.();
    return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  } finally {
    io.signal.removeEventListener('abort', pass);
    // What it left running in the background has no copy to work on.
    if (!shared && child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has just ended.
  }
}

function cannotRun({ platform }: Io, words: readonly string[], cause: Error): DocsError {
  const message = `cannot run ${words[0]}: ${cause.message}; nothing was changed`;
  const line = throughCmd(words, platform);
  const hint = line && `docs rehearse -- ${line}`;
  return new DocsError('local-io', 'cannot_run', message, {
    ...{ cause, outcome: 'not-sent' as const },
    ...(hint && { hint }),
  });
}

/** The jobs whose journals came or grew; what was done before is what the real journal says. */
function rehearsedJobs(inside: Io, io: Io, known: ReadonlyMap<string, number>): RehearsedJob[] {
  const isOurs = ({ path }: { path: string }) => known.get(path) !== fs.statSync(path).size;
  const jobs = new JobFolder(inside).readAll(() => {}, isOurs).reverse();
  const ids = new Set(jobs.map(({ header }) => header.job));
  const real =
    known.size === 0
      ? []
      : new JobFolder(io).readAll(
          () => {},
          ({ job }) => ids.has(job),
        );
  return jobs.map((job) => {
    const before = real.find(({ header }) => header.job === job.header.job);
    const done = before?.items.filter(({ state }) => state === 'ok') ?? [];
    return { job, before: new Set(done.map(({ change }) => change.item)) };
  });
}

/** The environment of what is rehearsed, and a `docs` that works on the copy in whatever environment it is started. */

/** Where programs look for the settings and keys of a person. */
function homeVariables(platform: NodeJS.Platform): readonly string[] {
  if (platform === 'win32') return ['USERPROFILE', 'APPDATA', 'LOCALAPPDATA'];
  return ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'];
}

/** The home of a script: empty, so that it finds no token and no settings that lead to the platform. */
function scriptHome(folder: string): string {
  return join(folder, 'home');
}

/** What leads any program to the copy. */
function leadsToCopy(folder: string, { url, token, organization }: RunningCopy): Record<string, string> {
  return {
    DOCS_BASE_URL: url,
    DOCS_TOKEN: token,
    DOCS_ORG: organization.id,
    [rehearsalVariable]: join(folder, rehearsalFile),
  };
}

/** Enough for any program: one that knows nothing of rehearsals gets the address and the token of the copy. */
export function commandEnvironment(io: Io, folder: string, copy: RunningCopy): Io['env'] {
  const { DOCS_PROFILE: _, ...env } = io.env;
  const path = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const proxyless = [env.no_proxy ?? env.NO_PROXY, '127.0.0.1'].filter((one) => one).join(',');
  return {
    ...env,
    [path]: [join(folder, 'bin'), env[path]].filter((one) => one).join(delimiter),
    NO_PROXY: proxyless,
    no_proxy: proxyless,
    ...leadsToCopy(folder, copy),
  };
}

/** The same with a home of its own. */
export function scriptEnvironment(
  env: Io['env'],
  folder: string,
  { platform }: Pick<Io, 'platform'>,
): Io['env'] {
  const own = { ...env };
  const names = homeVariables(platform);
  for (const name of names) delete own[name];
  const given = platform === 'win32' ? names : names.slice(0, 1);
  return { ...own, ...Object.fromEntries(given.map((name) => [name, scriptHome(folder)])) };
}

/**
 * Writes the `docs` of a rehearsal. It is on the copy also where a script cleared the environment; what a script sets
 * itself stays, and is refused where it leads elsewhere. It reads the settings of the person.
 */
function writeShim(io: Io, folder: string, copy: RunningCopy): void {
  const shims = join(folder, 'bin');
  fs.mkdirSync(shims, { mode: 0o700 });
  fs.mkdirSync(scriptHome(folder), { mode: 0o700 });
  const { program, args } = ownProgram();
  const words = [program, ...args];
  const unset = leadsToCopy(folder, copy);
  const homes = homeVariables(io.platform).map((name) => [name, io.env[name]] as const);
  if (io.platform === 'win32') {
    const lines = [
      ...Object.entries(unset).map(([name, value]) => `@if not defined ${name} set "${name}=${value}"`),
      ...homes.map(([name, value]) => `@set "${name}=${value ?? ''}"`),
      `@${words.map((word) => `"${word}"`).join(' ')} %*`,
    ];
    fs.writeFileSync(join(shims, 'docs.cmd'), `${lines.join('\r\n')}\r\n`, { mode: 0o700 });
    return;
  }
  const quoted = (text: string) => shellWord(text, io.platform);
  const lines = [
    '#!/bin/sh',
    ...Object.entries(unset).map(
      ([name, value]) => `[ "\${${name}+set}" ] || export ${name}=${quoted(value)}`,
    ),
    `[ "\${HOME-}" != ${quoted(scriptHome(folder))} ] || unset HOME`,
    ...homes.flatMap(([name, value]) =>
      value === undefined ? [] : [`[ "\${${name}+set}" ] || export ${name}=${quoted(value)}`],
    ),
    `exec ${words.map(quoted).join(' ')} "$@"`,
  ];
  fs.writeFileSync(join(shims, 'docs'), `${lines.join('\n')}\n`, { mode: 0o700 });
}
