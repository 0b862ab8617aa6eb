import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Type } from '../../api/type.js';
import { usageError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import type { GroupEntry, ManualInput } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import { option } from '../../cli/declare/option.js';

import type { Session } from '../../cli/declare/session.js';
import { tellsSentence } from '../../cli/run/output.js';
import { checked, withMark } from '../../output/messages.js';
import { closed, done, flag, maybe, oneOf, text } from '../../output/printed-shapes.js';
import type { View } from '../../output/printer.js';
import type { DaemonOptions, DaemonState } from '../../sandbox/daemon.js';
import type { RunningSandbox } from '../../sandbox/start.js';
import type { Seed } from '../../sandbox/store/fill.js';
import { cannotWrite } from '../../settings/own-files.js';
import { atOf, atOption, requireBackup } from '../shared/backup-flags.js';
import {
  changesHere,
  chosenFile,
  fileFlag,
  fileOption,
  isDryRun,
  pagesOf,
  recordServed,
  runningServer,
  sandboxFiles,
  sandboxTime,
  serversElsewhere,
  withControl,
} from './control.js';
import { backupOption, backupSeed } from './from-backup.js';

type Options = ManualInput['options'];
type Groups = readonly GroupEntry[];

export const serverOptions = [
  fileOption,
  option('--seed <seed>', 'Data of a new database: a seed, or an export (.json file)', {
    choices: ['tiny', 'acme', 'huge'],
    path: { use: 'reads' },
  }),
  backupOption('Data of a new database: the organization of a backup'),
  atOption,
  option('--content <folder>', 'Folder of files served as the content of URLs', { path: { use: 'reads' } }),
  option('--allow-fetch', 'Allow fetching URLs of public addresses'),
];

const Server = closed({
  running: flag,
  url: maybe,
  pages: maybe,
  pid: Type.Optional(Type.Integer()),
  file: text,
  time: Type.Optional(sandboxTime),
  org: maybe,
  space: maybe,
  site: maybe,
  tokens: Type.Record(text, text, { description: 'Tokens by role' }),
});

const serverColumns = ['running', 'url', 'pid', 'file', 'time'] as const;

export const start = manual({
  name: 'start',
  summary: 'Start a server in the background',
  why:
    'Serves other programs, and docs through DOCS_BASE_URL and DOCS_TOKEN. Listens on 127.0.0.1 only and ' +
    'shares its data with docs --sandbox.',
  options: [
    option('--port <n>', 'Port; default: a free one', { number: true }),
    ...serverOptions,
    option('--foreground', 'Run in the foreground until interrupted'),
  ],
  returns: Server,
  columns: serverColumns,
  id: 'url',
  examples: {
    'sandbox start': 'start the server and print its address',
    'sandbox start --foreground --file ./demo.db --seed acme': 'serve a new database in the foreground',
  },
  ...changesHere,
  async run(session, input, { view, groups }) {
    const { options } = input;
    const files = sandboxFiles(session, options.file);
    if (await isDryRun(session, files.file)) return;
    if (options.foreground === true) return serve(session, options, groups, view);
    const { daemon, state } = await startInBackground(session, options);
    if (tellsSentence(session, input)) return tellServer(session, daemon, state);
    await printServer(session, daemon, state, view);
    if (state.already) session.printer.note('It was already running.');
  },
});

/** Starts the server of a database, unless one runs. */
export async function startInBackground(
  session: Session,
  options: Options,
): Promise<{ daemon: DaemonOptions; state: DaemonState & { already: boolean } }> {
  const { startDaemon } = await import('../../sandbox/daemon.js');
  const { file } = sandboxFiles(session, options.file);
  const daemon = await background(session, options, await seedOf(session, options));
  const serving = ['sandbox', 'start', '--foreground', '-o', 'ndjson', '--file', file];
  const { withLock } = await import('../../base/lock.js');
  const lock = `${daemon.stateFile}.lock`;
  const start = () => startDaemon(daemon, [...serving, ...passedOn(options)], session.io);
  const state = await withLock(session.io, lock, start, (cause) => cannotWrite(session.io, lock, cause));
  session.printer.changed();
  return { daemon, state };
}

/** Serves until interrupted. The line it prints has the address, for the process that waits for it. */
async function serve(session: Session, options: Options, groups: Groups, view: View): Promise<void> {
  const { file } = sandboxFiles(session, options.file);
  const running = await startServer(session, file, options, groups);
  const { url, defaults, token } = running;
  const forget = await recordServed(session, { pid: process.pid, url, file });
  await session.printer.one(
    { running: true, url, pid: process.pid, file, ...defaults, tokens: { admin: token } },
    view,
  );
  const { signal } = session.io;
  if (!signal.aborted) await once(signal, 'abort');
  forget();
  await running.close();
}

export async function startServer(
  session: Session,
  file: string,
  given: Options,
  groups: Groups,
): Promise<RunningSandbox> {
  const { startSandbox } = await import('../../sandbox/start.js');
  const { io } = session;
  const { port, content, allowFetch } = given;
  const options = {
    seed: await seedOf(session, given),
    port: port as number | undefined,
    contentFolder: content as string | undefined,
    allowFetch: allowFetch === true || undefined,
  };
  return startSandbox({ file, io, pages: pagesOf(session, file, groups), ...defined(options) });
}

/** The data of a new database; undefined for the usual ones. @throws DocsError usage `conflicting_flags` */
async function seedOf(session: Session, options: Options): Promise<Seed | undefined> {
  const { seed, fromBackup } = options;
  requireBackup(options, '--from-backup', fromBackup);
  if (typeof fromBackup !== 'string') return seed as string | undefined;
  if (seed !== undefined)
    throw usageError('conflicting_flags', '--seed and --from-backup contradict each other');
  return backupSeed(session, resolve(session.io.cwd, fromBackup), atOf(options, session.io));
}

function passedOn({ port, content, allowFetch }: Options): string[] {
  return [
    ...(port === undefined ? [] : ['--port', String(port)]),
    ...(content === undefined ? [] : ['--content', String(content)]),
    ...(allowFetch === true ? ['--allow-fetch'] : []),
  ];
}

/** The server of a database. A new one is seeded here, so that errors appear here. */
async function background(session: Session, options: Options, wanted?: Seed): Promise<DaemonOptions> {
  const files = sandboxFiles(session, options.file);
  const token = await withControl(session, files.file, (control) => control.adminToken(), wanted);
  return { ...files, token };
}

export const stop = manual({
  name: 'stop',
  summary: 'Stop the server in the background, keep its data',
  why: 'docs sandbox start continues with the same data.',
  options: [fileOption],
  returns: done(oneOf('stopped', 'not-running')),
  examples: { 'sandbox stop': 'stop the server' },
  ...changesHere,
  async run(session, { options }) {
    const file = await chosenFile(session, 'stop', options.file);
    if (await isDryRun(session, file)) return;
    const stopped = existsSync(file) && (await stopServer(session, file));
    const status = stopped ? 'stopped' : 'not-running';
    await session.printer.done(
      { id: file, status },
      stopped ? checked(session.io, 'Stopped the sandbox.') : 'No sandbox was running.',
    );
  },
});

async function stopServer(session: Session, file: string): Promise<boolean> {
  const daemon = await background(session, { file });
  const { stopDaemon } = await import('../../sandbox/daemon.js');
  return stopDaemon(daemon, session.io);
}

export const status = manual({
  name: 'status',
  summary: 'Show the server in the background and its tokens',
  why: 'There is a token for each role, one for a guest, and one for the admin of another organization.',
  options: [fileOption],
  returns: Server,
  columns: serverColumns,
  id: 'url',
  examples: {
    'sandbox status': 'show whether a server runs, and its address',
    'sandbox status --jq .tokens.read': 'print the token of a reader',
  },
  local: true,
  // Prints tokens.
  actsHere: true,
  async run(session, { options }, { view }) {
    await session.printer.check(view);
    const { file } = sandboxFiles(session, options.file);
    const own = await runningServer(session, file);
    // Without --file, the server that runs is meant, whatever its database.
    const others = own === undefined && options.file === undefined ? await serversElsewhere(session) : [];
    const [only, ...more] = others;
    const found = more.length === 0 ? (own ?? only) : undefined;
    await printServer(session, found ?? { file }, found, view);
    if (found !== undefined && tellsSentence(session, { options }))
      session.printer.note(`Open its pages in a browser: docs sandbox open${fileFlag(session, found.file)}`);
    if (more.length > 0)
      for (const other of others)
        session.printer.note(`A server runs: docs sandbox status${fileFlag(session, other.file)}`);
  },
});

async function printServer(
  session: Session,
  { file }: Pick<DaemonState, 'file'>,
  state: DaemonState | undefined,
  view: View,
): Promise<void> {
  // A question makes no database: it would keep `docs sandbox start --seed` from filling it.
  if (!existsSync(file)) {
    await session.printer.one({ running: false, file, tokens: {} }, view);
    return session.printer.note('There is no database yet; docs sandbox start makes one.');
  }
  const known = await withControl(session, file, (control) => ({
    time: new Date(control.clock.now()).toISOString(),
    ...control.defaults(),
    tokens: Object.fromEntries(control.tokens().map(({ name, token }) => [name, token])),
  }));
  const { pagesPath } = await import('../../sandbox/server/front.js');
  const server = state === undefined ? {} : { url: state.url, pages: state.url + pagesPath, pid: state.pid };
  await session.printer.one({ running: state !== undefined, ...server, file, ...known }, view);
}

/** Where it listens, and how other programs use it. */
async function tellServer(
  session: Session,
  { file }: DaemonOptions,
  { url, already }: Pick<DaemonState, 'url'> & { already: boolean },
): Promise<void> {
  const { token, org } = await withControl(session, file, (control) => ({
    token: control.adminToken(),
    org: control.defaults().org,
  }));
  const said = already
    ? `The sandbox was already running at ${url}`
    : withMark(`Started the sandbox at ${url}`);
  const use = [`DOCS_BASE_URL=${url}`, `DOCS_TOKEN=${token}`, `DOCS_ORG=${org}`];
  const lines = use.map((line) => `    ${line}`);
  const opens = `In a browser: docs sandbox open${fileFlag(session, file)}`;
  const text = [said, opens, 'Programs that use it need:', ...lines].join('\n');
  await session.printer.done({ id: url, status: 'running' }, text);
}
