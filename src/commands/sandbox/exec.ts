import { constants } from 'node:os';
import { Type } from '../../api/type.js';
import { startChild, throughCmd } from '../../base/child-process.js';
import { DocsError } from '../../base/errors.js';
import { manual } from '../../cli/declare/define.js';
import type { Session } from '../../cli/declare/session.js';
import type { RunningSandbox } from '../../sandbox/start.js';
import { isDryRun, sandboxFiles } from './control.js';
import { serverOptions, startServer } from './server.js';

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
