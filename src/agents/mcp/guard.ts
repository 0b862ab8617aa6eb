import fs from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type DocsError, systemCode, usageError } from '../../base/errors.js';
import { type Argument, type Command, camel, type Option } from '../../cli/declare/command.js';
import { watchOption, webOption } from '../../cli/declare/flags.js';
import { globalOptions } from '../../cli/declare/global-options.js';
import { isBelow } from '../../files/asked-file.js';
import type { McpWorld, TypedLine } from './calls.js';

/**
 * What a call may not say: whose token and which platform is used, which files of this machine are read or written,
 * and secrets. All of it follows from the declarations of flags and positionals.
 */

/** What reads may say on a terminal alone. A watch would hold its client until all rests, which may be never. */
const neverHere: readonly (readonly [Option, string])[] = [
  [watchOption, 'a call has one answer; call it again to see the progress'],
  [webOption, 'it starts a browser on this machine; the answer has the address in urls'],
];

type Held = Pick<McpWorld, 'files' | 'context'> & {
  /** Whether the call has rows of its own, which stand for standard input. */
  hasRows?: boolean;
};
type Line = Pick<TypedLine, 'command' | 'args' | 'options' | 'globals'>;

/**
 * Refuses a command line that reaches beyond the platform.
 * @param use what it is run for; nothing is written for a read, not even inside `--files`
 * @throws DocsError usage `refused_flag`, `refused_file`, `refused_command`; nothing was sent
 */
export function refuseUnsafe(held: Held, line: Line, use: 'read' | 'plan'): void {
  const { command, options, globals } = line;
  if (command.passThrough) {
    const message = 'the command is refused here. It runs another program. Nothing was sent.';
    throw usageError('refused_command', message);
  }
  for (const option of globalOptions)
    if (option.sets === 'owner' && isTyped(globals, option)) throw refusedFlag(option);
  for (const option of command.options)
    if (option.secret && isTyped(options, option)) throw refusedFlag(option);
  if (globals.output !== undefined && globals.output !== 'json')
    throw usageError('refused_flag', '--output is refused here: answers are JSON; nothing was sent');
  for (const [option, why] of neverHere)
    if (isTyped(options, option))
      throw usageError('refused_flag', `${nameOf(option)} is refused here: ${why}. Nothing was sent.`);
  refuseOtherContext(held, line);
  for (const { taker, words } of typedWords(line)) refuseFiles(held, taker, words, use);
}

/**
 * Refuses what is not a read, or does something on this machine.
 * @throws DocsError usage `not_a_read`; nothing was sent
 */
export function refuseChange({ path, command, args, options }: TypedLine): void {
  const { actsHere = false, effect, changesWith } = command;
  const onlyReads = changesWith?.every((name) => options[camel(name)] === undefined) === true;
  const isHere = typeof actsHere === 'string' ? options[camel(actsHere)] !== true : actsHere;
  const acts = isHere || (effect === 'local' && !onlyReads);
  const reads = onlyReads || (command.anyRequest ? isGet(args, options) : command.danger === 'read');
  if (reads && !acts) return;
  const flag = typeof actsHere === 'string' ? `; add --${actsHere}` : '';
  const why = acts ? `does something on this machine${flag}` : 'is not a read; use docs_plan';
  throw usageError('not_a_read', `docs ${path} ${why}. Nothing was sent.`);
}

/** Whether `docs api` is to send a GET: as named, or because there is nothing to send. */
function isGet(args: TypedLine['args'], options: TypedLine['options']): boolean {
  const [first = ''] = [args['method-or-path'] ?? []].flat();
  if (args.path !== undefined) return first.toUpperCase() === 'GET';
  return ['field', 'rawField', 'input'].every((name) => options[name] === undefined);
}

function isTyped(typed: object, { name }: Option): boolean {
  const value: unknown = Reflect.get(typed, camel(name));
  return value !== undefined && value !== false;
}

/** Context that the server was started with holds for every call. */
function refuseOtherContext({ context }: Held, { options }: Line): void {
  for (const [name, value] of Object.entries(context)) {
    const typed = options[camel(name)];
    if (typed === undefined || [typed].flat().every((one) => one === value)) continue;
    const message = `--${name} is refused here: the server was started with --${name} ${value}; nothing was sent`;
    throw usageError('refused_flag', message);
  }
}

/** Every positional and flag with what was typed for it; a flag that was not stands for its usual file. */
function typedWords({ command, args, options }: Line) {
  const words = (typed: unknown, usual?: string) => [typed ?? usual ?? []].flat().map(String);
  return [
    ...command.args.map((taker) => ({ taker, words: words(args[taker.name]) })),
    ...command.options.map((taker) => ({
      taker,
      words: words(options[camel(taker.name)], taker.path?.usual),
    })),
  ];
}

function refuseFiles(
  { files, hasRows = false }: Held,
  taker: Argument | Option,
  words: readonly string[],
  use: 'read' | 'plan',
): void {
  for (const word of words) {
    const file = fileIn(taker, word);
    if (file === undefined) continue;
    if (file === '-' && hasRows) continue;
    const isWrite = taker.path?.use === 'writes' && use === 'read';
    if (file !== '-' && !isWrite && files !== undefined && isInside(files, file)) continue;
    throw refusedFile(taker, file, isWrite, files);
  }
}

/** The file that a word names for a positional or flag, `-` for standard input; undefined for none. */
export function fileIn({ reads, path }: Pick<Argument, 'reads' | 'path'>, word: string): string | undefined {
  if (path !== undefined || reads === 'path') return word;
  if (reads === 'at') return word === '-' || word.startsWith('@') ? withoutAt(word) : undefined;
  if (reads === 'pair') return /^[^=]*=@(.*)$/s.exec(word)?.[1];
  if (reads === 'unless-json') return word.trimStart().startsWith('{') ? undefined : withoutAt(word);
  if (reads === 'unless-url') return /^[a-z][a-z\d+.-]*:\/\//i.test(word) ? undefined : withoutAt(word);
  return undefined;
}

function withoutAt(word: string): string {
  return word.replace(/^@/, '');
}

/** A positional or flag as a person writes it. */
export function nameOf(taker: Argument | Option): string {
  return 'nullable' in taker ? `--${taker.name}` : `<${taker.name}>`;
}

function refusedFlag(option: Option): DocsError {
  const message = `${nameOf(option)} is refused here: only whoever starts the server may give it; nothing was sent`;
  return usageError('refused_flag', message);
}

function refusedFile(
  taker: Argument | Option,
  file: string,
  isWrite: boolean,
  files: string | undefined,
): DocsError {
  const what = file === '-' ? 'standard input' : JSON.stringify(file);
  const outside = files === undefined ? 'the server was started without --files' : 'it is outside --files';
  const why = isWrite ? 'a read writes no files' : file === '-' ? 'there is none' : outside;
  return usageError('refused_file', `${nameOf(taker)}: ${what} is refused here: ${why}; nothing was sent`);
}

/** Whether a command can become a plan. */
export function isPlannable({ options }: Pick<Command, 'options'>): boolean {
  return options.some(({ name }) => name === 'save-plan');
}

/** Which files a call may name: those in the folder of `--files`, whatever links say. */

/** Entries of a folder that are looked at; a larger one is refused. */
const mostEntries = 100_000;

/**
 * Whether a path, and of a folder all that is in it, is inside a folder once every link is followed. What does not
 * exist yet is judged by the folder that it would be made in.
 * @param folder absolute, without links
 */
export function isInside(folder: string, path: string): boolean {
  const real = realPath(resolve(folder, path));
  if (real === undefined || !contains(folder, real)) return false;
  const found = fs.lstatSync(real, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return true;
  return found.isDirectory() && linksStay(folder, real);
}

function contains(folder: string, path: string): boolean {
  return isBelow(folder, path) && resolve(folder, relative(folder, path)) === path;
}

/** The path without links; undefined where it cannot be told, as with a link that leads nowhere. */
function realPath(path: string): string | undefined {
  try {
    return fs.realpathSync(path);
  } catch (cause) {
    if (systemCode(cause) !== 'ENOENT') return undefined;
    // A link to nothing would be followed once its target is there.
    if (fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined) return undefined;
    const parent = dirname(path);
    const real = parent === path ? undefined : realPath(parent);
    return real === undefined ? undefined : join(real, path.slice(parent.length));
  }
}

/** Whether all links in a folder lead to what is inside. */
function linksStay(folder: string, path: string): boolean {
  let left = mostEntries;
  const waiting = [path];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of fs.readdirSync(at, { withFileTypes: true })) {
      left -= 1;
      if (left < 0) return false;
      const inner = join(at, entry.name);
      if (entry.isDirectory()) waiting.push(inner);
      if (!entry.isSymbolicLink()) continue;
      const real = realPath(inner);
      if (real === undefined || !contains(folder, real)) return false;
    }
  }
  return true;
}
