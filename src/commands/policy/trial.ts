import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { DocsError } from '../../base/errors.js';
import { derivedIo, type Io } from '../../base/io.js';
import { type Command, camel, type GroupEntry, type ManualInput } from '../../cli/declare/command.js';
import { commandAt } from '../../cli/declare/outline.js';
import type { Globals, RunOptions, Session } from '../../cli/declare/session.js';
import { notACommand, walkLine } from '../../cli/parse/mistakes.js';
import { parseCommand } from '../../cli/parse/parser.js';
import { runCommand } from '../../cli/run/pipeline.js';
import { operationOf } from '../../jobs/operations.js';
import type { Printer } from '../../output/printer.js';
import { loadPlan } from '../../plans/file.js';
import type { Plan } from '../../plans/plan.js';
import { decide, wordsMatch } from '../../policy/decide.js';
import type { Cause, CommandTable, Gate, Policy, Verdict } from '../../policy/policy.js';

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

/**
 * Tries a command line for `docs policy test`: what it reads is what its own code reads, held against the policies as it
 * is sent. Only GET leaves this machine, no program starts, and what is written is removed.
 */

/** Whether a policy may deny a read: where none does, nothing is read to find out. */
export function mayDenyReads({ policies }: Gate, { operations }: CommandTable): boolean {
  if (policies.some(({ orgs }) => orgs !== undefined)) return true;
  return [...operations].some(
    ([id, { words }]) =>
      operationOf(id).method === 'GET' &&
      (decide(policies, { command: words, effect: 'read', danger: 'read' }).is === 'deny' ||
        policies.some((policy) => looksAtFields(policy, words))),
  );
}

/** Whether a rule of a policy looks at what is sent in a read, which is not known before. */
function looksAtFields({ allow, deny }: Policy, words: string): boolean {
  const typed = words.split(' ');
  return [...allow, ...deny].some(
    (rule) => rule.attributes.some(({ name }) => name !== 'danger') && wordsMatch(rule.words, typed),
  );
}

/** A line, and where what is not certain of it is said: the line itself prints nowhere. */
export interface NotedLine extends TestedLine {
  notes: Pick<Printer, 'note'>;
}

/** What else of a command is checked only as it is sent. */
export function noteUnknown(notes: NotedLine['notes']): void {
  notes.note('Its requests are not known beforehand; each is checked before it is sent.');
}

/** Whether a line can be tried: it runs no other program, needs the platform, and nothing of it is written in an editor. */
export function isTried(line: TestedLine): boolean {
  const { command, globals } = line;
  const isApart = command.passThrough === true || command.local === true || globals.sandbox === true;
  return !isApart && !programsOf(line).includes('an editor');
}

/** What a trial does without: a watch lasts until something rests, and a key may ask for its passphrase. */
const leftOut = { watch: undefined, sign: undefined };

/**
 * Tries what a command reads, by a dry run, which writes no file.
 * @returns a row where that is denied; what it does without, and what cannot be known, is said
 */
export async function triedReads(line: NotedLine, groups: readonly GroupEntry[]): Promise<Row[]> {
  const denied = new Map<string, Cause>();
  const onDenied: RunOptions['onDenied'] = ({ request = '', cause }) => denied.set(request, cause);
  const dry = { ...line, globals: { ...line.globals, dryRun: true } };
  const options = { ...line.input.options, ...leftOut };
  const failure = await tried(dry, options, groups, onDenied).then(() => undefined, failureOf);
  if (failure?.code === 'policy_denied') return [deniedRead(failure, [...denied.values()].at(-1))];
  // These two come after the last read.
  const isWhole = failure === undefined || failure.kind === 'findings' || failure.kind === 'partial';
  if (!isWhole) noteCutShort(line.notes, failure);
  else if (denied.size > 0) noteLeftOut(line.notes, [...denied.keys()]);
  return [];
}

function failureOf(cause: unknown): DocsError {
  if (!(cause instanceof DocsError) || ['interrupted', 'terminated'].includes(cause.kind)) throw cause;
  return cause;
}

/** What a dry run does not know, such as whose token it is, may decide what is read after it. */
function noteCutShort(notes: NotedLine['notes'], { message }: DocsError): void {
  const why = message.replace(/\.$/, '');
  notes.note(`Not all of its reads could be tested: ${why}. Each is checked before it is sent.`);
}

/** The most reads that are named. */
const most = 3;

function noteLeftOut(notes: NotedLine['notes'], requests: readonly string[]): void {
  const left = requests.length - most;
  const more = left > 0 ? `, and ${left} more` : '';
  notes.note(
    `It runs without what a policy denies it to read: ${requests.slice(0, most).join(', ')}${more}.`,
  );
}

/**
 * What was typed, without the files that it would write; one that is written without a flag goes into the folder. What is
 * written later is read before.
 */
function onlyReading({ command, input }: TestedLine, folder: string): ManualInput['options'] {
  const files = command.options.filter(({ path }) => path?.use === 'writes' && path.later !== true);
  const kept = files.map(({ name, path }) => [camel(name), path?.usual === undefined ? undefined : folder]);
  return { ...input.options, ...Object.fromEntries(kept) };
}

/** Makes the plan of a command; no other file is written. @returns undefined where it makes none */
export async function madePlan(line: TestedLine, groups: readonly GroupEntry[]): Promise<Plan | undefined> {
  // One that runs a program is not run to find out what it would send.
  if (line.command.passThrough === true) return undefined;
  return inFolder(async (folder) => {
    const savePlan = join(folder, 'plan.json');
    const planned = { ...onlyReading(line, folder), savePlan };
    await tried({ ...line, globals: { ...line.globals, dryRun: false, yes: true } }, planned, groups);
    return existsSync(savePlan) ? (await loadPlan(line.io, savePlan)).plan : undefined;
  });
}

/** What the making of its plan reads. @returns a row where that is denied */
export async function planRows(line: TestedLine, groups: readonly GroupEntry[]): Promise<Row[]> {
  const denied = await denial(() => madePlan(line, groups));
  return denied === undefined ? [] : [denied];
}

async function tried(
  { io, globals, argv, path, input }: TestedLine,
  options: ManualInput['options'],
  groups: readonly GroupEntry[],
  onDenied?: RunOptions['onDenied'],
): Promise<void> {
  const runLine = () => Promise.reject(new Error('Only one command is tried.'));
  const around = { readOnly: true, ...(onDenied && { onDenied }) } as const;
  await runCommand(
    { io, globals, argv, groups, runLine, options: around },
    path,
    { ...input, options },
    true,
  );
}

/** Works with a folder of its own, which is removed. */
async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'docs-policy-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
