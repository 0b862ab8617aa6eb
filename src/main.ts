import type { Globals } from './cli/declare/session.js';
import { helpText, isHelpTopic } from './cli/help/help.js';
import { type HelpLook, helpLook } from './cli/help/look.js';
import { type Walk, walk } from './cli/parse/walk.js';
import { groups } from './commands/index.js';
import { DocsError } from './errors.js';
import { exitCodes } from './exit-codes.js';
import type { Io } from './io.js';
import { loadChalk } from './output/colors.js';
import { systemCode } from './system-error.js';
import { colorLevel } from './terminal.js';
import { version } from './version.js';

/**
 * Runs one command line: parses it, runs the command and maps every failure to an exit code.
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

/** Writing the output failed: an error, unless the reader closed the pipe. */
async function unwritable(cause: unknown, argv: readonly string[], io: Io): Promise<number> {
  const { localIoError } = await import('./files/local-io-error.js');
  if (systemCode(cause) === 'EPIPE') return exitCodes.ok.code;
  return fail(localIoError(cause, 'Cannot write the output'), io, { json: argv.includes('--json') });
}

async function runLine(argv: readonly string[], io: Io): Promise<number> {
  // Known before parsing ends, so that a usage error is printed in the requested format.
  let globals: Globals = {};
  try {
    if (argv[0]?.startsWith('__complete')) return await hidden(argv, io);
    const walked = await walk(argv, groups);
    const { path, pathAt, command, flags } = walked;
    globals = { json: flags.has('json'), color: !flags.has('color'), ...lastOf(flags, 'output') };
    if (walked.help || flags.has('help')) return await printHelp(argv, walked, io);
    if (flags.has('version')) {
      await print(io, `${version}\n`);
      return exitCodes.ok.code;
    }
    if (walked.stray !== undefined || walked.unknown !== undefined) {
      const { mistakeIn } = await import('./cli/parse/suggest.js');
      const mistake = await mistakeIn(walked, argv, groups, io.platform);
      if (mistake !== undefined) throw mistake;
    }
    if (command === undefined) {
      io.stderr.write(helpText(walked, groups, await look(walked, io, 'stderr')));
      return exitCodes.usage.code;
    }
    const { parseCommand } = await import('./cli/parse/parser.js');
    const { globals: typed, ...input } = parseCommand(argv, { path, pathAt, command });
    globals = typed;
    const { runCommand } = await import('./cli/run/pipeline.js');
    await runCommand({ io, globals, groups }, path.join(' '), input);
    return exitCodes.ok.code;
  } catch (cause) {
    return fail(cause, io, globals);
  }
}

function lastOf(flags: Walk['flags'], name: 'output'): { output?: string } {
  const value = flags.get(name)?.at(-1);
  return value === undefined ? {} : { [name]: value };
}

/** The commands that completion scripts and their background refresh call. Neither opens a session. */
async function hidden([command, ...words]: readonly string[], io: Io): Promise<number> {
  if (command === '__complete')
    await (await import('./completion/run-completion.js')).runCompletion(words, groups, io);
  else await (await import('./completion/refresh.js')).refreshIds(words, groups, io, run);
  return exitCodes.ok.code;
}

/**
 * Prints help for docs, a group, a command or a topic.
 * @throws DocsError usage if the words after `help` or before `--help` are unknown
 */
async function printHelp(argv: readonly string[], walked: Walk, io: Io): Promise<number> {
  const [first, word] = argv;
  const outLook = await look(walked, io, 'stdout');
  if (first === 'help' && word !== undefined && isHelpTopic(word)) {
    const { topicText } = await import('./cli/help/topics.js');
    await print(io, topicText(word, outLook));
    return exitCodes.ok.code;
  }
  if (walked.unknown !== undefined) {
    const { unknownCommand } = await import('./cli/parse/suggest.js');
    throw await unknownCommand(walked, groups, io.platform);
  }
  await print(io, helpText(walked, groups, outLook));
  return exitCodes.ok.code;
}

/** Writes and waits until the write has succeeded or failed. */
async function print({ stdout }: Io, text: string): Promise<void> {
  await new Promise<unknown>((done) => {
    stdout.once('error', done);
    stdout.write(text, (failure) => failure ?? done(undefined));
  });
}

async function look({ flags }: Walk, io: Io, stream: 'stdout' | 'stderr'): Promise<HelpLook> {
  const { isTTY, columns } = io[stream];
  const level = colorLevel(io, { color: !flags.has('color') }, stream);
  return helpLook(isTTY ? columns : undefined, await loadChalk(level));
}

async function fail(cause: unknown, io: Io, globals: Globals): Promise<number> {
  const { ReaderGone } = await import('./output/sink.js');
  if (cause instanceof ReaderGone) return exitCodes.ok.code;
  const { printError } = await import('./output/print-error.js');
  const error = io.signal.aborted && cause === io.signal.reason ? stopped(cause) : toDocsError(cause);
  const json = globals.json === true || globals.output === 'json' || globals.output === 'ndjson';
  printError(error, { io, json, chalk: await loadChalk(json ? 0 : colorLevel(io, globals, 'stderr')) });
  return error.exitCode;
}

/** The run was aborted while it waited for something that throws the signal's reason. */
function stopped(reason: unknown): DocsError {
  const kind = reason instanceof Error && reason.message === 'SIGTERM' ? 'terminated' : 'interrupted';
  return new DocsError(kind, kind, 'Interrupted.', { hint: 'docs doctor' });
}

function toDocsError(cause: unknown): DocsError {
  if (cause instanceof DocsError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new DocsError('bug', 'bug', `This is a bug in docs: ${message}`, { cause, hint: 'docs doctor' });
}
