import { once } from 'node:events';
import { constants } from 'node:os';
import { resolve } from 'node:path';
import { Type } from '../../api/type.js';
import { startChild, throughCmd } from '../../child-process.js';
import type { GroupEntry, ManualInput } from '../../cli/declare/command.js';
import { manual } from '../../cli/declare/define.js';
import type { Session } from '../../cli/declare/session.js';
import { option } from '../../cli/declare/standing-flags.js';
import { tellsSentence } from '../../cli/run/tells.js';
import { defined } from '../../defined.js';
import { DocsError, usageError } from '../../errors.js';
import { checked, withMark } from '../../output/check-mark.js';
import { closed, done, flag, maybe, oneOf, text } from '../../output/printed-shapes.js';
import type { View } from '../../output/printer.js';
import type { DaemonOptions, DaemonState } from '../../sandbox/daemon.js';
import type { RunningSandbox } from '../../sandbox/start.js';
import type { Seed } from '../../sandbox/store/fill.js';
import { atOf, atOption, requireBackup } from '../backup/which-backup.js';
import { fileOption, isDryRun, sandboxFiles, sandboxTime, withControl } from './control.js';
import { backupOption, backupSeed } from './from-backup.js';
import { pagesOf } from './pages.js';

type Options = ManualInput['options'];
type Groups = readonly GroupEntry[];

const serverOptions = [
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
  pid: Type.Optional(Type.Integer()),
  file: text,
  time: sandboxTime,
  org: text,
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
  danger: 'change',
  effect: 'local',
  local: true,
  async run(session, input, { view, groups }) {
    const { options } = input;
    const files = sandboxFiles(session, options.file);
    if (await isDryRun(session, files.file)) return;
    if (options.foreground === true) return serve(session, options, groups, view);
    const { startDaemon } = await import('../../sandbox/daemon.js');
    const daemon = await background(session, options, await seedOf(session, options));
    const serving = ['sandbox', 'start', '--foreground', '-o', 'ndjson', '--file', files.file];
    const { withLock } = await import('../../settings/lock.js');
    const state = await withLock(session.io, `${daemon.stateFile}.lock`, () =>
      startDaemon(daemon, [...serving, ...passedOn(options)], session.io),
    );
    session.printer.changed();
    if (tellsSentence(session, input)) return tellServer(session, daemon, state);
    await printServer(session, daemon, state, view);
    if (state.already) session.printer.note('It was already running.');
  },
});

/** Serves until interrupted. The line it prints has the address, for the process that waits for it. */
async function serve(session: Session, options: Options, groups: Groups, view: View): Promise<void> {
  const { file } = sandboxFiles(session, options.file);
  const running = await startServer(session, file, options, groups);
  const { url, defaults, token } = running;
  await session.printer.one(
    { running: true, url, pid: process.pid, file, ...defaults, tokens: { admin: token } },
    view,
  );
  const { signal } = session.io;
  if (!signal.aborted) await once(signal, 'abort');
  await running.close();
}

async function startServer(
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
    throw usageError('conflicting_flags', '--seed and --from-backup contradict each other.');
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
  danger: 'change',
  effect: 'local',
  local: true,
  async run(session, { options }) {
    if (await isDryRun(session, sandboxFiles(session, options.file).file)) return;
    const daemon = await background(session, options);
    const { stopDaemon } = await import('../../sandbox/daemon.js');
    const stopped = await stopDaemon(daemon, session.io);
    const status = stopped ? 'stopped' : 'not-running';
    await session.printer.done(
      { id: daemon.file, status },
      stopped ? checked(session.io, 'Stopped the sandbox.') : 'No sandbox was running.',
    );
  },
});

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
    const daemon = await background(session, options);
    const { daemonStatus } = await import('../../sandbox/daemon.js');
    const found = await daemonStatus(daemon);
    await printServer(session, daemon, found.running ? found : undefined, view);
  },
});

async function printServer(
  session: Session,
  { file }: DaemonOptions,
  state: DaemonState | undefined,
  view: View,
): Promise<void> {
  const known = await withControl(session, file, (control) => ({
    time: new Date(control.clock.now()).toISOString(),
    ...control.defaults(),
    tokens: Object.fromEntries(control.tokens().map(({ name, token }) => [name, token])),
  }));
  const server = state === undefined ? {} : { url: state.url, pid: state.pid };
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
  const text = [said, 'Programs that use it need:', ...lines].join('\n');
  await session.printer.done({ id: url, status: 'running' }, text);
}

export const exec = manual({
  name: 'exec',
  summary: 'Run a command against a sandbox of its own',
  why:
    'Starts a server on a free port, sets DOCS_BASE_URL, DOCS_TOKEN and DOCS_ORG for the command, and ' +
    'exits with its code. With --seed or --from-backup, the data is new and removed at the end.',
  args: { '<command...>': 'Command to run, after --' },
  options: serverOptions,
  returns: Type.Unknown({ description: 'What the command prints' }),
  examples: {
    'sandbox exec --seed acme -- ./nightly.sh': 'rehearse a script on new data',
    'sandbox exec --from-backup backup -- ./nightly.sh': 'rehearse it on a copy of the organization',
  },
  danger: 'change',
  effect: 'local',
  local: true,
  passThrough: true,
  async run(session, { args, options }, { groups }) {
    const [program = '', ...words] = [args.command ?? []].flat();
    const isSeeded = options.seed !== undefined || options.fromBackup !== undefined;
    const fresh = isSeeded && options.file === undefined;
    const file = fresh ? ':memory:' : sandboxFiles(session, options.file).file;
    if (await isDryRun(session, file)) return;
    const running = await startServer(session, file, options, groups);
    try {
      await runCommand(session, running, program, words);
    } finally {
      await running.close();
    }
  },
});

async function runCommand(
  { io }: Session,
  { url, token, defaults }: RunningSandbox,
  program: string,
  words: string[],
): Promise<void> {
  const own = { DOCS_BASE_URL: url, DOCS_TOKEN: token, DOCS_ORG: defaults.org };
  const child = startChild(io, program, words, { stdio: 'inherit', own, isUsers: true });
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', (cause) => {
      const line = throughCmd([program, ...words], io.platform);
      const more = { cause, ...(line && { hint: `docs sandbox exec -- ${line}` }) };
      reject(new DocsError('local-io', 'cannot_run', `Cannot run ${program}: ${cause.message}.`, more));
    });
    child.once('exit', (...ended) => resolve(ended));
  });
  if (code !== 0)
    throw new CommandFailed(program, code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
}

/** The command that `exec` ran failed; docs exits with its code. */
class CommandFailed extends DocsError {
  readonly #code: number;

  constructor(program: string, code: number) {
    super('partial', 'command_failed', `${program} exited with code ${code}`);
    this.#code = code;
  }

  /** The code is the program's, and none of this program's kinds. */
  override get label(): string {
    return '';
  }

  override get exitCode(): number {
    return this.#code;
  }
}
