import { PassThrough } from 'node:stream';
import { usageError } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import type { Command, GroupEntry, ManualInput } from '../../cli/declare/command.js';
import type { Globals, Session } from '../../cli/declare/session.js';
import { commandAt } from '../../cli/declare/tree.js';
import { parseCommand } from '../../cli/parse/parser.js';
import { mistakeIn } from '../../cli/parse/suggest.js';
import { walk } from '../../cli/parse/walk.js';

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
  const walked = await walk(argv, groups);
  const mistake = await mistakeIn(walked, argv, groups, io.platform);
  if (mistake !== undefined) throw mistake;
  const { path: steps, pathAt, command: outline } = walked;
  if (outline === undefined) {
    const name = ['docs', ...steps].join(' ');
    throw usageError('unknown_command', `"${name}" is a group, not a command`, { hint: `${name} --help` });
  }
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
  return { ...io, stdout: sink(io.stdout), stderr: sink(io.stderr) };
}
