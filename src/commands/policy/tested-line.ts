import { PassThrough } from 'node:stream';
import { DocsError } from '../../base/errors.js';
import { derivedIo, type Io } from '../../base/io.js';
import { type Command, camel, type GroupEntry, type ManualInput } from '../../cli/declare/command.js';
import { commandAt } from '../../cli/declare/outline.js';
import type { Globals, Session } from '../../cli/declare/session.js';
import { notACommand, walkLine } from '../../cli/parse/mistakes.js';
import { parseCommand } from '../../cli/parse/parser.js';
import type { Cause, Verdict } from '../../policy/policy.js';

/** The command line that `docs policy test` is about, and what it says of it. */

/** What was asked, and what the policies say to it. */
export interface Row {
  what: string;
  verdict: Verdict;
}

/** A command line that is tested and not run. */
export interface TestedLine {
  /** Its words after `docs`. */
  argv: readonly string[];
  /** The words of its command. */
  path: string;
  command: Command;
  input: ManualInput;
  globals: Globals;
  /** Prints nowhere, and asks nothing. */
  io: Io;
}

/** @param words what was typed after `--`, with or without `docs` @throws DocsError usage, as running it would */
export async function testedLine(
  { io, globals: around }: Session,
  words: readonly string[],
  groups: readonly GroupEntry[],
): Promise<TestedLine> {
  const argv = words[0] === 'docs' ? words.slice(1) : [...words];
  const { path: steps, pathAt, command: outline } = await walkLine(argv, groups, io.platform);
  if (outline === undefined) throw notACommand(steps);
  const { globals, ...typed } = parseCommand(argv, { path: steps, pathAt, command: outline });
  const path = steps.join(' ');
  const { command, ...place } = await commandAt(groups, path);
  return {
    ...{ argv, path, command },
    input: { ...typed, ...place },
    globals: { ...placeOf(around), ...globals, input: false },
    io: silent(io),
  };
}

/** Where to test, as the flags of `docs policy test` say. */
function placeOf({ profile, baseUrl, sandbox, policy, timeout, caFile, debug }: Globals): Globals {
  const place = { profile, baseUrl, sandbox, policy, timeout, caFile, debug };
  return Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined));
}

/** The same world with a reader who takes all and shows nothing: a terminal where the real one is, for titles. */
function silent(io: Io): Io {
  const sink = (stream: { isTTY?: boolean }) => {
    const drain = new PassThrough().resume();
    return stream.isTTY === true ? Object.assign(drain, { isTTY: true }) : drain;
  };
  return derivedIo(io, { stdout: sink(io.stdout), stderr: sink(io.stderr) });
}

/** Whether a flag was typed. */
export function isTyped({ input }: Pick<TestedLine, 'input'>, flag: string): boolean {
  return input.options[camel(flag)] !== undefined;
}

/** Flags that start a program, and what. */
const programFlags: Readonly<Record<string, string>> = { editor: 'an editor', web: 'a browser' };

/** The programs that its flags start. */
export function programsOf({ command, input }: Pick<TestedLine, 'command' | 'input'>): string[] {
  const isOn = (flag: string) =>
    command.options.some(({ name }) => name === flag) && input.options[camel(flag)] === true;
  return Object.entries(programFlags).flatMap(([flag, what]) => (isOn(flag) ? [what] : []));
}

/**
 * What it reads before it changes anything is held against the policies, too.
 * @param known the rule, where it was seen; default: as the error says
 * @throws what failed otherwise
 */
export function deniedRead(cause: unknown, known?: Cause): Row {
  if (!(cause instanceof DocsError) || cause.code !== 'policy_denied') throw cause;
  const { file, line, rule } = cause.failure.details ?? {};
  const by = known ?? { file: String(file), line: Number(line), rule: String(rule) };
  return { what: 'its reads', verdict: { is: 'deny', by, why: cause.message } };
}

/** What else goes wrong would be no matter of a policy. @returns a row where a read is denied */
export async function denial(read: () => Promise<unknown>): Promise<Row | undefined> {
  try {
    await read();
    return undefined;
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    return cause.code === 'policy_denied' ? deniedRead(cause) : undefined;
  }
}
