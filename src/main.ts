import { CommanderError } from 'commander';
import { buildProgram } from './commands/build.js';
import type { Command, ManualInput } from './commands/command.js';
import type { Globals } from './commands/globals.js';
import { groups } from './commands/index.js';
import { DocsError, usageError } from './errors.js';
import { exitCodes } from './exit-codes.js';
import type { Io } from './io.js';
import { version } from './version.js';

/**
 * Runs one command line: parses, runs, maps every failure to an exit code.
 * @param argv the words after `docs`
 * @returns the exit code; never throws
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let broken: unknown;
  io.stdout.on('error', (error) => {
    broken ??= error;
  });
  const code = await runLine(argv, io);
  if (code !== exitCodes.ok.code || broken === undefined) return code;
  return unwritable(broken, argv, io);
}

/** What was printed did not arrive: no success, unless its reader had simply seen enough. */
async function unwritable(cause: unknown, argv: readonly string[], io: Io): Promise<number> {
  const { localIoError, systemCode } = await import('./output/local-io-error.js');
  if (systemCode(cause) === 'EPIPE') return exitCodes.ok.code;
  return fail(localIoError(cause, 'Cannot write the output'), io, { json: argv.includes('--json') });
}

async function runLine(argv: readonly string[], io: Io): Promise<number> {
  let globals: Globals = {};
  try {
    const program = buildProgram({
      groups,
      version,
      width: helpWidth(io),
      write: (text) => io.stdout.write(text),
      writeError: (text) => io.stderr.write(text),
      onCommand: (command, input) => {
        globals = program.opts();
        return runCommand(io, globals, command, input);
      },
    });
    // Known before parsing ends, so that a usage error is printed in the form that was asked for.
    globals = { json: argv.includes('--json') };
    if (argv[0]?.startsWith('__complete')) return await hidden(argv, io);
    if (argv[0] === 'help' && (await printTopic(argv[1], io))) return exitCodes.ok.code;
    await program.parseAsync(helpWords(argv), { from: 'user' });
    return exitCodes.ok.code;
  } catch (cause) {
    return fail(cause, io, globals);
  }
}

async function runCommand(io: Io, globals: Globals, command: Command, input: ManualInput): Promise<void> {
  const [{ openSession }, { nameResources }] = await Promise.all([
    import('./commands/session.js'),
    import('./commands/choose.js'),
  ]);
  const { org, space, site } = input.options as Record<string, string | undefined>;
  const context = { ...(org && { org }), ...(space && { space }), ...(site && { site }) };
  const session = await openSession(io, globals, context, command);
  try {
    const named = await nameResources(session, command, input);
    await command.run(named.session, named.input);
  } finally {
    await session.close();
  }
}

/** What completion scripts call, and what fills their cache. Neither opens a session. */
async function hidden([command, ...words]: readonly string[], io: Io): Promise<number> {
  if (command === '__complete')
    await (await import('./completion/run-completion.js')).runCompletion(words, io);
  else await (await import('./completion/refresh.js')).refreshIds(words, io, run);
  return exitCodes.ok.code;
}

/** `docs help <topic>`; false where it is no topic but perhaps a command. */
async function printTopic(name: string | undefined, io: Io): Promise<boolean> {
  if (name === undefined) return false;
  const { topicText } = await import('./commands/topics.js');
  const text = topicText(name, helpWidth(io));
  if (text !== undefined) io.stdout.write(text);
  return text !== undefined;
}

/** Columns for help: the terminal's, but no more than can be read well. */
function helpWidth({ stdout }: Io): number {
  return stdout.isTTY && stdout.columns ? Math.min(stdout.columns, 100) : 80;
}

/** `docs help members list` means `docs members list --help`. */
function helpWords(argv: readonly string[]): string[] {
  const [first, ...rest] = argv;
  return first === 'help' ? [...rest, '--help'] : [...argv];
}

async function fail(cause: unknown, io: Io, globals: Globals): Promise<number> {
  const { ReaderGone } = await import('./output/sink.js');
  if (cause instanceof ReaderGone) return exitCodes.ok.code;
  if (cause instanceof CommanderError) {
    if (cause.exitCode === 0) return exitCodes.ok.code;
    if (cause.code === 'commander.help') return exitCodes.usage.code;
  }
  const [{ printError }, { hasColor }] = await Promise.all([
    import('./output/printer.js'),
    import('./terminal.js'),
  ]);
  const error = io.signal.aborted && cause === io.signal.reason ? stopped(cause) : toDocsError(cause);
  const json = globals.json === true || globals.output === 'json' || globals.output === 'ndjson';
  printError(error, { io, json, color: hasColor(io, globals, 'stderr') });
  return error.exitCode;
}

/** The run was ended while it waited for something that knows no better. */
function stopped(reason: unknown): DocsError {
  const kind = reason instanceof Error && reason.message === 'SIGTERM' ? 'terminated' : 'interrupted';
  return new DocsError(kind, kind, 'Interrupted.', { hint: 'docs doctor' });
}

function toDocsError(cause: unknown): DocsError {
  if (cause instanceof DocsError) return cause;
  if (cause instanceof CommanderError) return fromCommander(cause);
  const message = cause instanceof Error ? cause.message : String(cause);
  return new DocsError('bug', 'bug', `This is a bug in docs: ${message}`, { cause, hint: 'docs doctor' });
}

/** `error: unknown option '--x'\n(Did you mean --y?)` as one sentence, with its suggestion. */
function fromCommander(cause: CommanderError): DocsError {
  const [text = '', suggestion] = cause.message.replace(/^error: /, '').split('\n');
  const near = suggestion?.replace(/^\(|\)$/g, '');
  const code = cause.code
    .replace('commander.', '')
    .replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)
    .replace('option', 'flag');
  const words = text.replace("unknown option '", "unknown flag '");
  const message = `${words.charAt(0).toUpperCase()}${words.slice(1)}.${near === undefined ? '' : ` ${near}`}`;
  return usageError(code, message);
}
