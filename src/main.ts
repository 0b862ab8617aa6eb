import type { CommanderError } from 'commander';
import { isGroup, type ManualInput } from './commands/command.js';
import type { Globals } from './commands/globals.js';
import { helpText, isHelpTopic } from './commands/help.js';
import { type HelpLook, helpLook } from './commands/help-look.js';
import { groups } from './commands/index.js';
import { type Walked, walk } from './commands/walk.js';
import { DocsError } from './errors.js';
import { exitCodes } from './exit-codes.js';
import type { Io } from './io.js';
import { loadChalk } from './output/colors.js';
import { colorLevel } from './terminal.js';
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
  return fail(localIoError(cause, 'Cannot write the output'), argv, io, { json: argv.includes('--json') });
}

async function runLine(argv: readonly string[], io: Io): Promise<number> {
  // Known before parsing ends, so that a usage error is printed in the form that was asked for.
  let globals: Globals = { json: argv.includes('--json'), color: !argv.includes('--no-color') };
  try {
    if (argv[0]?.startsWith('__complete')) return await hidden(argv, io);
    if (asksForHelp(argv)) return await printHelp(argv, io);
    const walked = await walk(argv);
    if (walked.unknown !== undefined && !argv.includes('--version')) throw await unknown(walked, io);
    const { buildProgram } = await import('./commands/build.js');
    const program = await buildProgram({
      groups,
      path: walked.path,
      version,
      look: walked.node === undefined || isGroup(walked.node) ? await look(argv, io, 'stderr') : helpLook(80),
      write: (text) => io.stdout.write(text),
      writeError: (text) => io.stderr.write(text),
      onCommand: (path, input) => {
        globals = program.opts();
        return runCommand(io, globals, path, input);
      },
    });
    await program.parseAsync([...argv], { from: 'user' });
    return exitCodes.ok.code;
  } catch (cause) {
    return fail(cause, argv, io, globals);
  }
}

async function runCommand(io: Io, globals: Globals, path: string, typed: ManualInput): Promise<void> {
  const [{ commandAt }, { openSession }, { nameResources }, { refuseUnfitFlags, refuseUnknownFields }] =
    await Promise.all([
      import('./commands/tree.js'),
      import('./commands/session.js'),
      import('./commands/choose.js'),
      import('./commands/unfit-flags.js'),
    ]);
  const { command, ...place } = await commandAt(path);
  const input = { ...typed, ...place };
  // A flag that may be repeated says what to look at; it is no parent.
  const { org, space, site } = onlyTexts(input.options);
  const context = { ...(org && { org }), ...(space && { space }), ...(site && { site }) };
  const session = await openSession(io, globals, context, command);
  try {
    refuseUnfitFlags(globals, session.settings, io.stdout.isTTY === true);
    await refuseUnknownFields(globals, command, input);
    const named = await nameResources(session, command, input);
    await command.run(named.session, named.input);
  } finally {
    await session.close();
  }
}

function onlyTexts(options: ManualInput['options']): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(options).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** What completion scripts call, and what fills their cache. Neither opens a session. */
async function hidden([command, ...words]: readonly string[], io: Io): Promise<number> {
  if (command === '__complete')
    await (await import('./completion/run-completion.js')).runCompletion(words, io);
  else await (await import('./completion/refresh.js')).refreshIds(words, io, run);
  return exitCodes.ok.code;
}

/**
 * Help of docs, a group, a command or a topic.
 * @throws DocsError usage where the words behind `help`, or before `--help`, name nothing
 */
async function printHelp(argv: readonly string[], io: Io): Promise<number> {
  const words = argv[0] === 'help' ? argv.slice(1) : argv;
  const [word] = words;
  const outLook = await look(argv, io, 'stdout');
  if (argv[0] === 'help' && word !== undefined && isHelpTopic(word)) {
    const { topicText } = await import('./commands/topics.js');
    await print(io, topicText(word, outLook));
    return exitCodes.ok.code;
  }
  const walked = await walk(words);
  if (walked.unknown !== undefined) throw await unknown(walked, io);
  await print(io, helpText(walked, outLook));
  return exitCodes.ok.code;
}

/** Writes, and comes back when it is known whether that went well. */
async function print({ stdout }: Io, text: string): Promise<void> {
  await new Promise<unknown>((done) => {
    stdout.once('error', done);
    stdout.write(text, (failure) => failure ?? done(undefined));
  });
}

async function unknown(walked: Walked, { platform }: Io): Promise<DocsError> {
  return (await import('./commands/mistyped.js')).unknownCommand(walked, platform);
}

function asksForHelp(argv: readonly string[]): boolean {
  const own = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  return argv[0] === 'help' || own.includes('--help') || own.includes('-h');
}

async function look(argv: readonly string[], io: Io, stream: 'stdout' | 'stderr'): Promise<HelpLook> {
  const { isTTY, columns } = io[stream];
  const level = colorLevel(io, { color: !argv.includes('--no-color') }, stream);
  return helpLook(isTTY ? columns : undefined, await loadChalk(level));
}

async function fail(cause: unknown, argv: readonly string[], io: Io, globals: Globals): Promise<number> {
  const { ReaderGone } = await import('./output/sink.js');
  if (cause instanceof ReaderGone) return exitCodes.ok.code;
  if (isParserError(cause)) {
    if (cause.exitCode === 0) return exitCodes.ok.code;
    if (cause.code === 'commander.help') return exitCodes.usage.code;
  }
  const { printError } = await import('./output/print-error.js');
  const error =
    io.signal.aborted && cause === io.signal.reason
      ? stopped(cause)
      : await toDocsError(cause, argv, io.platform);
  const json = globals.json === true || globals.output === 'json' || globals.output === 'ndjson';
  printError(error, { io, json, chalk: await loadChalk(json ? 0 : colorLevel(io, globals, 'stderr')) });
  return error.exitCode;
}

/** By its code: the parser is loaded only where something is parsed. */
function isParserError(cause: unknown): cause is CommanderError {
  return cause instanceof Error && 'code' in cause && String(cause.code).startsWith('commander.');
}

/** The run was ended while it waited for something that knows no better. */
function stopped(reason: unknown): DocsError {
  const kind = reason instanceof Error && reason.message === 'SIGTERM' ? 'terminated' : 'interrupted';
  return new DocsError(kind, kind, 'Interrupted.', { hint: 'docs doctor' });
}

async function toDocsError(
  cause: unknown,
  argv: readonly string[],
  platform: NodeJS.Platform,
): Promise<DocsError> {
  if (cause instanceof DocsError) return cause;
  if (isParserError(cause)) return (await import('./commands/mistyped.js')).mistyped(cause, argv, platform);
  const message = cause instanceof Error ? cause.message : String(cause);
  return new DocsError('bug', 'bug', `This is a bug in docs: ${message}`, { cause, hint: 'docs doctor' });
}
