import { DocsError, exitCodes, systemCode } from './base/errors.js';
import type { Io } from './base/io.js';
import { defined } from './base/values.js';
import { version } from './base/version.js';
import type { CommandOutline } from './cli/declare/outline.js';
import type { Globals, RunLine, RunOptions } from './cli/declare/session.js';
import { guideTopic, helpText, isHelpTopic } from './cli/help/help.js';
import { type HelpLook, helpLook } from './cli/help/layout.js';
import type { AliasLine } from './cli/parse/alias.js';
import { type Walk, walk } from './cli/parse/walk.js';
import type { Line } from './cli/run/next-commands.js';
import { groups } from './commands/index.js';
import { loadChalk } from './output/colors.js';
import { ReaderGone } from './output/sink.js';
import { colorLevel } from './output/terminal.js';

/** How a line came to be run. */
interface Origin {
  /** Why nothing may run. */
  refused?: DocsError;
  options: RunOptions;
  /** Whether its first word may be an alias. A line that docs itself runs is not what somebody typed. */
  typed: boolean;
  /** For a line without the alias that it was typed with: what help says of it. */
  aliasNote?: string;
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
  const code = await runWords(argv, io, defined({ refused, options, typed }));
  // A closed pipe is not a failure: the reader had enough.
  if (code !== exitCodes.ok.code || broken === undefined || systemCode(broken) === 'EPIPE') return code;
  const { localIoError } = await import('./base/errors.js');
  return fail(localIoError(broken, 'Cannot write the output'), io, { json: argv.includes('--json') }, argv);
}

/** The same for commands that run others. */
const runLine: RunLine = (argv, io, options) => run(argv, io, undefined, options, false);

async function runWords(argv: readonly string[], io: Io, origin: Origin): Promise<number> {
  const { refused, options, aliasNote } = origin;
  // Known before parsing ends, so that a usage error is printed in the requested format.
  let globals: Globals = {};
  let command = '';
  let reads = false;
  try {
    if (argv[0] === '__janitor' || argv[0]?.startsWith('__complete')) return await hidden(argv, io);
    const walked = await walk(argv, groups);
    const { path, pathAt, command: outline, flags } = walked;
    command = path.join(' ');
    const output = flags.get('output')?.at(-1);
    globals = defined({ json: flags.has('json'), color: !flags.has('color'), output });
    // It was made by the copy of this class that the start of the program has.
    if (refused !== undefined)
      throw new DocsError(refused.kind, refused.code, refused.message, refused.failure);
    if (argv.some((word) => word.includes('\ufffd'))) {
      const { refuseBrokenWords } = await import('./cli/parse/typed-text.js');
      refuseBrokenWords(argv, io);
    }
    const aliased = origin.typed && mayBeAlias(walked) ? await withoutAlias(walked, argv, io) : undefined;
    if (aliased !== undefined)
      return await runWords(aliased.argv, io, { ...origin, typed: false, aliasNote: aliased.note });
    if (walked.help || flags.has('help')) return await printHelp(argv, walked, io, aliasNote);
    if (flags.has('version')) return await print(io, `${version}\n`);
    if (walked.stray !== undefined || walked.unknown !== undefined) {
      const { mistakeIn } = await import('./cli/parse/suggest.js');
      const mistake = await mistakeIn(walked, argv, groups, io.platform);
      if (mistake !== undefined) throw mistake;
    }
    if (outline === undefined) {
      io.stderr.write(helpText(walked, groups, await look(walked, io, 'stderr')));
      return exitCodes.usage.code;
    }
    reads = onlyReads(outline);
    const { parseCommand } = await import('./cli/parse/parser.js');
    const { globals: typed, ...input } = parseCommand(argv, { path, pathAt, command: outline });
    globals = typed;
    const { runCommand } = await import('./cli/run/pipeline.js');
    await runCommand({ io, globals, argv, groups, runLine, options }, command, input);
    return exitCodes.ok.code;
  } catch (cause) {
    const known = command === 'doctor' ? await afterDoctor(cause, io) : cause;
    return fail(reads ? cancelledRead(known, io) : known, io, globals, argv);
  }
}

/** Whether the first word is none of docs. */
function mayBeAlias({ path, unknown, help }: Walk): boolean {
  if (path.length > 0 || unknown === undefined || isHelpTopic(unknown.word)) return false;
  return !help || unknown.word !== guideTopic.name;
}

async function withoutAlias(walked: Walk, argv: readonly string[], io: Io): Promise<AliasLine | undefined> {
  const { aliasLine } = await import('./cli/parse/alias.js');
  return aliasLine(walked, argv, io, groups);
}

/** Whether it sends requests that change nothing, and writes nothing on this machine. */
function onlyReads({ danger, effect, operations }: CommandOutline): boolean {
  return danger === 'read' && effect === undefined && operations.length > 0;
}

/** Which request was under way matters only where it may have changed something. */
function cancelledRead(cause: unknown, io: Io): unknown {
  if ((cause instanceof DocsError && cause.code !== 'aborted') || !io.signal.aborted) return cause;
  const failure = toDocsError(cause, io);
  const { kind, code } = failure;
  if (kind !== 'interrupted' && kind !== 'terminated') return cause;
  return new DocsError(kind, code, 'Cancelled; nothing was changed.', {
    outcome: 'not-sent',
    retryable: true,
  });
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

/**
 * Prints help for docs, a group, a command or a topic, or of the guide.
 * @throws DocsError usage if the words after `help` or before `--help` are unknown
 */
async function printHelp(
  argv: readonly string[],
  walked: Walk,
  io: Io,
  note: string | undefined,
): Promise<number> {
  const { help, path, pathAt, unknown } = walked;
  // Some topics have the name of a group; with more words behind it, the group is meant.
  const word = path.length > 1 ? undefined : (argv[pathAt[0] ?? -1] ?? unknown?.word);
  const outLook = await look(walked, io, 'stdout');
  if (help && word !== undefined && isHelpTopic(word)) {
    const { topicText } = await import('./cli/help/topics.js');
    return printLong(io, walked, topicText(word, outLook));
  }
  if (unknown !== undefined) {
    const page = help && path.length === 0 ? await guidePage(walked, io) : undefined;
    if (page !== undefined) return printLong(io, walked, page, { isWrapped: false });
    const { unknownCommand } = await import('./cli/parse/suggest.js');
    throw await unknownCommand(walked, groups, io.platform);
  }
  const about = note === undefined ? '' : `${note}\n\n`;
  return printLong(io, walked, about + helpText(walked, groups, outLook));
}

/** What the guide has under the words behind `help`. */
async function guidePage({ unknown, flags }: Walk, io: Io): Promise<string | undefined> {
  const { word = '', rest = [], tail = [] } = unknown ?? {};
  const values = [...flags.values()].flat();
  const behind = tail.filter((each) => !each.startsWith('-') && !values.includes(each));
  const { isTTY, columns } = io.stdout;
  const chalk = await loadChalk(colorLevel(io, { color: !flags.has('color') }, 'stdout'));
  const { guideHelp } = await import('./cli/help/guide.js');
  return guideHelp([word, ...rest, ...behind], { isTTY: isTTY === true, columns, chalk });
}

/** Of help that is wrapped already, its lines tell whether it fits on the screen; of other text the pager finds out. */
async function printLong(
  io: Io,
  { flags }: Walk,
  text: string,
  { isWrapped = true }: { isWrapped?: boolean } = {},
): Promise<number> {
  const { isTTY, rows = 0 } = io.stdout;
  const isLong = isTTY === true && rows > 0 && (!isWrapped || text.split('\n').length > rows);
  if (!isLong || flags.has('pager') || flags.has('input')) return print(io, text);
  const { pageHelp } = await import('./cli/help/page-help.js');
  await pageHelp(io, text);
  return exitCodes.ok.code;
}

/** Writes and waits until the write has succeeded or failed; `run` tells which. */
async function print({ stdout }: Io, text: string): Promise<number> {
  await new Promise<unknown>((done) => {
    stdout.on('error', done);
    stdout.write(text, (failure) => failure ?? done(undefined));
  });
  return exitCodes.ok.code;
}

async function look({ flags }: Walk, io: Io, stream: 'stdout' | 'stderr'): Promise<HelpLook> {
  const { isTTY, columns } = io[stream];
  const level = colorLevel(io, { color: !flags.has('color') }, stream);
  return helpLook(isTTY ? columns : undefined, await loadChalk(level));
}

async function fail(cause: unknown, io: Io, globals: Globals, argv: readonly string[]): Promise<number> {
  if (cause instanceof ReaderGone) return exitCodes.ok.code;
  if (cause instanceof DocsError && cause.isTold) return cause.exitCode;
  const { printError } = await import('./output/messages.js');
  const { withNextCommand } = await import('./cli/run/next-commands.js');
  const failure = toDocsError(cause, io);
  const line = { argv, groups, platform: io.platform };
  const hinting = await withNextCommand(failure, line).catch(() => failure);
  const json = globals.json === true || globals.output === 'json' || globals.output === 'ndjson';
  const error = json ? await withAllNext(hinting, { ...line, io }) : hinting;
  printError(error, { io, json, chalk: await loadChalk(json ? 0 : colorLevel(io, globals, 'stderr')) });
  return error.exitCode;
}

/** Prints the failure of something that nobody waits for, such as a timer. */
export async function crashed(cause: unknown, io: Io, argv: readonly string[]): Promise<void> {
  const failure = cause instanceof DocsError ? cause : toDocsError(cause, io);
  await fail(failure, io, { json: argv.includes('--json') }, argv);
}

/** For programs: the same failure with all that can be run next. */
async function withAllNext(error: DocsError, line: Line & { io: Io }): Promise<DocsError> {
  const { withNextCommands } = await import('./cli/run/next-commands.js');
  return withNextCommands(error, line).catch(() => error);
}

/** The reason of the run's signal is thrown by whatever waits when the run is aborted. */
function toDocsError(cause: unknown, io: Io): DocsError {
  if (cause instanceof DocsError) return cause;
  const { aborted, reason } = io.signal;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (aborted && cause === reason) {
    const kind = message === 'SIGTERM' ? 'terminated' : 'interrupted';
    return new DocsError(kind, kind, 'Interrupted.', { hint: 'docs doctor' });
  }
  return new DocsError('bug', 'bug', `This is a bug in docs: ${message}`, { cause, hint: 'docs doctor' });
}
