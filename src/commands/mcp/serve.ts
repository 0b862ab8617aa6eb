import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Desk } from '../../agents/mcp/call-tool.js';
import type { McpWorld, TypedLine } from '../../agents/mcp/calls.js';
import { localIoError, usageError } from '../../base/errors.js';
import { type Bound, derivedIo } from '../../base/io.js';
import { defined } from '../../base/values.js';
import { camel, type GroupEntry, type ManualInput } from '../../cli/declare/command.js';
import { globalOptions } from '../../cli/declare/global-options.js';
import { commandAt } from '../../cli/declare/outline.js';
import type { RunLine, Session } from '../../cli/declare/session.js';
import { walkLine } from '../../cli/parse/mistakes.js';
import { parseCommand } from '../../cli/parse/parser.js';
import { bindPolicies } from '../../policy/read.js';
import { policyFiles } from '../../settings/settings.js';

/** `docs mcp serve`. */

/** What the command is given. */
interface Around {
  groups: readonly GroupEntry[];
  runLine: RunLine;
}

/**
 * Serves until the client goes, or until interrupted.
 * @throws DocsError usage where --http is not a port; local-io where the folder of --files cannot be read
 */
export async function serve(session: Session, { options }: ManualInput, around: Around): Promise<void> {
  const { settings } = session;
  const policies = bindPolicies(policyFiles(session.io, settings));
  const profile = settings.profile.source === 'default' ? undefined : settings.profile.value;
  const bound: Bound = { policies, ...defined({ profile }) };
  const io = derivedIo(session.io, { bound });
  const world: McpWorld = {
    io,
    ...around,
    parse: (argv) => parseLine(argv, around.groups, io.platform),
    flags: passedOn(session),
    context: contextOf(options),
    ...(typeof options.files === 'string' && { files: folderOf(session, options.files) }),
    allowWrites: options.allowWrites === true,
    hasPolicy: policies.length > 0,
  };
  const desk = new Desk(world);
  if (options.http === undefined) {
    const { serveOverStdio } = await import('../../agents/mcp/stdio.js');
    return serveOverStdio(desk, io);
  }
  const port = portOf(options.http);
  const { serveOverHttp } = await import('../../agents/mcp/http.js');
  await serveOverHttp(desk, io, port);
}

/** The flags of every command that say how requests are sent, as they were typed. */
function passedOn({ globals, io }: Session): string[] {
  return globalOptions.flatMap(({ sets, name, boolean }) => {
    const typed: unknown = Reflect.get(globals, camel(name));
    // Calls work in the folder of --files.
    const value = name === 'policy' && typeof typed === 'string' ? resolve(io.cwd, typed) : typed;
    if (sets === undefined || value === undefined) return [];
    if (boolean === undefined) return [`--${name}=${String(value)}`];
    if (value === true) return boolean === true ? [`--${name}`] : [];
    return [`--no-${name}`];
  });
}

function contextOf(options: ManualInput['options']): Record<string, string> {
  const named = ['org', 'space', 'site'].map((name) => [name, options[name]] as const);
  return Object.fromEntries(
    named.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

/** The folder without links. @throws DocsError usage `bad_value`; local-io */
function folderOf({ io }: Session, typed: string): string {
  const path = resolve(io.cwd, typed);
  try {
    const real = realpathSync(path);
    if (statSync(real).isDirectory()) return real;
  } catch (cause) {
    throw localIoError(cause, `cannot read ${path}`);
  }
  throw usageError('bad_value', `--files must be a folder, not ${JSON.stringify(typed)}`);
}

/** @returns 0 for a free one @throws DocsError usage `bad_value` */
function portOf(typed: unknown): number {
  if (typed === true) return 0;
  const port = Number(typed);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw usageError('bad_value', `--http must be a port from 0 to 65535, not ${JSON.stringify(typed)}`);
}

/**
 * Parses a command line as the program does.
 * @throws DocsError usage: an unknown command or flag, no command, or a wrong value
 */
export async function parseLine(
  argv: readonly string[],
  groups: readonly GroupEntry[],
  platform: NodeJS.Platform,
): Promise<TypedLine> {
  const walked = await walkLine(argv, groups, platform);
  const { path, pathAt, command: outline } = walked;
  const asksHelp = walked.help || walked.flags.has('help') || walked.flags.has('version');
  if (outline === undefined || asksHelp || argv[0]?.startsWith('__')) {
    const message = `argv must name a command, without "docs" before it and without --help; docs_describe explains one`;
    throw usageError('unknown_command', message);
  }
  const typed = parseCommand(argv, { path, pathAt, command: outline });
  const { command } = await commandAt(groups, path.join(' '));
  return { path: path.join(' '), end: (pathAt.at(-1) ?? -1) + 1, command, ...typed };
}
