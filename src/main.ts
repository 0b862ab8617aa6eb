import { DocsError, systemCode } from './base/errors.js';
import { exitCodes } from './base/exit-codes.js';
import type { Io } from './base/io.js';
import { defined } from './base/values.js';
import { version } from './base/version.js';
import type { ManualInput } from './cli/declare/command.js';
import type { CommandOutline } from './cli/declare/outline.js';
import { outlineBefore } from './cli/declare/read-record.js';
import type { Globals, RunLine, RunOptions } from './cli/declare/session.js';
import type { AliasLine } from './cli/parse/alias.js';
import { plainLine } from './cli/parse/plain-line.js';
import { type Walk, walk } from './cli/parse/walk.js';
import { cancelledRead, type FailedLine, tellFailure, toDocsError } from './cli/run/failed.js';
import { groups } from './commands/index.js';
import { ReaderGone } from './output/sink.js';

/** A command line as far as it is understood: what a failure of it needs. */
interface ReadLine {
  argv: readonly string[];
  /** Known before parsing ends, so that a usage error is printed in the requested format. */
  globals: Globals;
  /** The words of its command. */
  command: string;
  outline?: CommandOutline;
  /** Whether nothing but positionals and switches was typed. */
  isPlain?: boolean;
  /** Requests that may have changed something, sent or about to be. */
  changes: number;
}

/**
 * Runs one command line: parses it, runs the command and maps every failure to an exit code.
 * @param argv the words after `docs`
 * @param refused why nothing may run
 * @param options what the program that runs it within its own process says beside
 * @param typed whether its first word may be an alias
 * @returns the exit code; never throws
 */
export async function run(
  argv: readonly string[],
  io: Io,
  refused?: DocsError,
  options: RunOptions = {},
  typed = true,
): Promise<number> {
  let broken: unknown;
  io.stdout.on('error', (error) => {
    broken ??= error;
  });
  const line: ReadLine = { argv, globals: {}, command: '', changes: 0 };
  const onChange = () => {
    line.changes += 1;
    options.onChange?.();
  };
  let code: number = exitCodes.ok.code;
  try {
    const input = await readLine(line, io, { refused, typed });
    if (typeof input === 'number') code = input;
    else {
      const { runCommand } = await import('./cli/run/pipeline.js');
      const { argv: words, globals, command, outline, isPlain } = line;
      const told = { ...options, onChange };
      const parsed = { io, globals, argv: words, groups, runLine, options: told, outline, isPlain };
      await runCommand(parsed, command, input);
    }
  } catch (cause) {
    const known = line.command === 'doctor' ? await afterDoctor(cause, io) : cause;
    const reads = line.outline !== undefined && onlyReads(line.outline);
    code = await fail(reads ? cancelledRead(known, io) : known, io, line);
  }
  // A closed pipe is not a failure: the reader had enough.
  if (code !== exitCodes.ok.code || broken === undefined || systemCode(broken) === 'EPIPE') return code;
  const { localIoError } = await import('./base/errors.js');
  const globals = { json: argv.includes('--json') };
  return fail(localIoError(broken, 'cannot write the output'), io, { argv, globals });
}

/** The same for commands that run others: what docs itself runs is not what somebody typed. */
const runLine: RunLine = (argv, io, options) => run(argv, io, undefined, options, false);

/**
 * Reads a command line, and answers what needs no command: help, the version.
 * @param line is completed on the way
 * @param origin.refused why nothing may run
 * @param origin.typed whether its first word may be an alias
 * @param origin.aliasNote for a line without the alias that it was typed with: what help says of it
 * @returns what was typed for its command; the exit code where that is all
 */
async function readLine(
  line: ReadLine,
  io: Io,
  { refused, typed, aliasNote }: { refused: DocsError | undefined; typed: boolean; aliasNote?: string },
): Promise<ManualInput | number> {
  const { argv } = line;
  if (argv[0] === '__janitor' || argv[0]?.startsWith('__complete')) return hidden(argv, io);
  const walked = await walk(argv, groups, outlineBefore);
  const { path, pathAt, command, flags } = walked;
  line.command = path.join(' ');
  if (command !== undefined) line.outline = command;
  const output = flags.get('output')?.at(-1);
  line.globals = defined({ json: flags.has('json'), color: !flags.has('color'), output });
  // It was made by the copy of this class that the start of the program has.
  if (refused !== undefined)
    throw new DocsError(refused.kind, refused.code, refused.message, refused.failure);
  if (argv.some((word) => word.includes('\ufffd'))) {
    const { refuseBrokenWords } = await import('./cli/parse/typed-text.js');
    refuseBrokenWords(argv, io);
  }
  const aliased = typed ? await withoutAlias(walked, argv, io) : undefined;
  if (aliased !== undefined) {
    Object.assign(line, { argv: aliased.argv, globals: {}, command: '' });
    return readLine(line, io, { refused, typed: false, aliasNote: aliased.note });
  }
  if (walked.help || flags.has('help') || flags.has('version')) {
    const { printHelp, printPlain } = await import('./cli/parse/print-help.js');
    const policy = flags.get('policy')?.at(-1);
    const mayRun = async () => (await import('./cli/run/policy-gate.js')).mayRunPrograms(io, groups, policy);
    if (walked.help || flags.has('help')) await printHelp({ walked, argv, io, groups, mayRun }, aliasNote);
    else await printPlain(io, `${version}\n`);
    return exitCodes.ok.code;
  }
  if (walked.stray !== undefined || walked.unknown !== undefined) {
    const { mistakeIn } = await import('./cli/parse/mistakes.js');
    const mistake = await mistakeIn(walked, argv, groups, io.platform);
    if (mistake !== undefined) throw mistake;
  }
  if (command === undefined) {
    const { printGroupHelp } = await import('./cli/parse/print-help.js');
    await printGroupHelp({ walked, io, groups });
    return exitCodes.usage.code;
  }
  const plain = plainLine(argv, { ...walked, command });
  const parsed =
    plain ?? (await import('./cli/parse/parser.js')).parseCommand(argv, { path, pathAt, command });
  const { globals, ...input } = parsed;
  const isPlain = plain !== undefined && [...flags.values()].every((values) => values.length === 0);
  Object.assign(line, { globals, isPlain });
  return input;
}

/** The line without the alias that it starts with: its first word is none of docs. */
async function withoutAlias(walked: Walk, argv: readonly string[], io: Io): Promise<AliasLine | undefined> {
  const { path, unknown, help } = walked;
  if (path.length > 0 || unknown === undefined) return undefined;
  const { guideTopic, isHelpTopic } = await import('./cli/help/topic-names.js');
  if (isHelpTopic(unknown.word) || (help && unknown.word === guideTopic.name)) return undefined;
  const { aliasLine } = await import('./cli/parse/alias.js');
  return aliasLine(walked, argv, io, groups);
}

/** Whether it sends requests that change nothing, and writes nothing on this machine. */
function onlyReads({ danger, effect, operations }: CommandOutline): boolean {
  return danger === 'read' && effect === undefined && operations.length > 0;
}

/** `docs doctor` never suggests itself. */
async function afterDoctor(cause: unknown, io: Io): Promise<unknown> {
  const { beyondDoctor } = await import('./cli/run/checks.js');
  return cause instanceof ReaderGone ? cause : beyondDoctor(toDocsError(cause, io));
}

/** The commands that completion scripts, their background refresh and rehearsals call. None opens a session. */
async function hidden([command, ...words]: readonly string[], io: Io): Promise<number> {
  if (command === '__janitor') {
    const { runJanitor } = await import('./rehearsal/janitor.js');
    await runJanitor(io, words[0] ?? '');
  } else if (command === '__complete') {
    const { runCompletion } = await import('./completion/run-completion.js');
    await runCompletion(words, groups, io);
  } else {
    const { refreshIds } = await import('./completion/refresh.js');
    await refreshIds(words, groups, io, run);
  }
  return exitCodes.ok.code;
}

async function fail(cause: unknown, io: Io, line: Omit<FailedLine, 'groups'>): Promise<number> {
  if (cause instanceof ReaderGone) return exitCodes.ok.code;
  if (cause instanceof DocsError && cause.isTold) return cause.exitCode;
  return tellFailure(cause, io, { ...line, groups });
}

/** Prints the failure of something that nobody waits for, such as a timer. */
export async function crashed(cause: unknown, io: Io, argv: readonly string[]): Promise<void> {
  const failure = cause instanceof DocsError ? cause : toDocsError(cause, io);
  await fail(failure, io, { argv, globals: { json: argv.includes('--json') } });
}
