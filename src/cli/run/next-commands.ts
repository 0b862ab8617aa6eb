import { dirname } from 'node:path';
import type { DocsError, NextCommand } from '../../base/errors.js';
import type { ExitName } from '../../base/exit-codes.js';
import type { Io } from '../../base/io.js';
import { commandLine, shellWord, shellWords } from '../../base/shell-word.js';
import { type GroupEntry, isGroup } from '../declare/command.js';
import { atPlace, type ContextParameter, contextFlags } from '../declare/global-flags.js';
import type { CommandOutline } from '../declare/outline.js';
import { guideTopic, helpTopicSummaries, isHelpTopic } from '../help/topic-names.js';
import { type Walk, walk } from '../parse/walk.js';

/**
 * The commands that a program can run after a failure, as `error.next`: the hint and others, each complete, none
 * the one that failed, none that asks on a terminal, and none that would be a usage error.
 */

/** How many are named: a program chooses among few. */
const most = 4;

/** A command that may come next. */
interface Candidate {
  command: string;
  /** Default: what its summary says. */
  when?: string;
  /** Whether its help takes its place where it cannot be run as it is. */
  orHelp?: true;
}

/**
 * The same failure with what can be run next, possibly nothing.
 * @param error whose hint is complete already
 */
export async function withNextCommands(error: DocsError, line: Line & { io: Io }): Promise<DocsError> {
  const typed = await walk(line.argv, line.groups);
  const { hint, next: own = [] } = error.failure;
  const hinted: Candidate[] = hint === undefined ? [] : [{ command: hint, orHelp: true }];
  const likely = [...own, ...meant(error, typed, line), ...hinted];
  const candidates: Candidate[] = [...likely, ...(await alternatives(error, typed, line))];
  const next: NextCommand[] = [];
  const known = await knownParents(typed, line.io);
  for (const candidate of candidates) {
    const found = await runnable(candidate, typed, { ...line, known });
    if (found === undefined || next.some(({ command }) => command === found.command)) continue;
    next.push(found);
    if (next.length === most) break;
  }
  return error.changed({ next });
}

type Parent = (typeof contextFlags)[ContextParameter];
const parents = Object.entries(contextFlags) as [ContextParameter, Parent][];

/** The parents that settings name where the failed command looked for them. */
async function knownParents({ flags }: Walk, io: Io): Promise<ReadonlySet<string>> {
  if (flags.has('sandbox')) return new Set(['org']);
  const { readSettings } = await import('../../settings/settings.js');
  const profile = flags.get('profile')?.at(-1);
  try {
    const settings = readSettings(io, { profile });
    return new Set((['org', 'space', 'site'] as const).filter((name) => settings[name] !== undefined));
  } catch {
    return new Set();
  }
}

/** The parent that a command needs and nothing tells. Titles are looked up in an organization. */
function lackingParent(
  { flags }: Walk,
  { options, operations }: CommandOutline,
  typed: Walk,
  known: ReadonlySet<string>,
): Parent | undefined {
  return parents.find(([parameter, flag]) => {
    const takes = options.some(({ name, field }) => name === flag && field === parameter);
    const always = operations.every(({ path }) => path.includes(`{${parameter}}`));
    // A command written by hand that takes an organization needs it, whatever it reads there.
    const needed = (takes && (always || flag === 'org')) || (flag === 'org' && flags.has('by-title'));
    const given = flags.has(flag) || (takes && typed.flags.has(flag));
    return needed && !given && !known.has(flag);
  })?.[1];
}

/** What tells more about a kind of failure. */
const ofKind: Partial<Record<ExitName, readonly string[]>> = {
  unauthenticated: ['docs auth status', 'docs auth list'],
  forbidden: ['docs auth status'],
  configuration: ['docs config list', 'docs help environment'],
  network: ['docs doctor'],
  deadline: ['docs doctor'],
  'rate-limited': ['docs doctor'],
  'server-error': ['docs doctor'],
  'bad-response': ['docs doctor'],
  'unknown-outcome': ['docs jobs list'],
  bug: ['docs doctor'],
};

/** Where reads failed, no job ran: what may be wrong is the token or the way to the platform. */
const afterReads = ['docs auth status', 'docs doctor'];

async function alternatives(
  { kind, code, failure }: DocsError,
  typed: Walk,
  line: Line,
): Promise<Candidate[]> {
  const isOfReads = kind === 'partial' && code === 'not_all_read';
  const jobs = kind === 'partial' && typed.command?.danger !== 'read' ? ['docs jobs list'] : [];
  const named = (isOfReads ? afterReads : [...(ofKind[kind] ?? []), ...jobs]).map((command) => ({ command }));
  if (kind === 'not-found' || kind === 'conflict') {
    const lists = (await listsAround(typed, line.groups)).map((command) => ({ command }));
    return [...searches(code, failure.details ?? {}, line), ...lists, ...named];
  }
  if (kind !== 'usage') return named;
  const help = typed.path.length === 0 ? 'docs --help' : `docs ${typed.path.join(' ')} --help`;
  return [
    ...(code === 'not_confirmed' ? [dryRun(line)] : []),
    ...(code === 'unknown_command' ? [found(typed, line)] : []),
    { command: help },
  ];
}

/** A title that no space has may stand in the content of one. */
function searches(code: string, { kind, text }: Record<string, unknown>, { platform }: Line): Candidate[] {
  if (code !== 'unknown_title' || kind !== 'space' || typeof text !== 'string') return [];
  return [{ command: `docs orgs search ${shellWord(text, platform)}` }];
}

/** What a mistyped word or flag most likely stands for. */
function meant({ code, failure }: DocsError, { stray }: Walk, line: Line): Candidate[] {
  const { nearest } = failure.details ?? {};
  const when = 'if this is correct';
  if (['unknown_command', 'unknown_guide_page', 'unknown_guide_section'].includes(code))
    return (Array.isArray(nearest) ? nearest : []).map((command) => ({ command: String(command), when }));
  const wrong = stray && line.argv[stray.at];
  if (code !== 'unknown_flag' || typeof nearest !== 'string' || stray === undefined || wrong === undefined)
    return [];
  const words = line.argv.with(stray.at, nearest + wrong.slice(stray.flag.length));
  return [{ command: commandLine(words, line.platform), when }];
}

/** What the command that has to be confirmed would send. */
function dryRun(line: Line): Candidate {
  const when = 'to preview the changes; nothing is sent';
  return { command: commandLine([...line.argv, '--dry-run'], line.platform), when };
}

function found({ unknown, path }: Walk, line: Line): Candidate {
  const words = [...path, unknown?.word ?? '', ...(unknown?.rest ?? [])].join(' ').slice(0, 200);
  return { command: `docs find ${shellWord(words, line.platform)}`, when: 'to find the command for a task' };
}

/**
 * A candidate as it can be run here. One that lacks a value, or that asks on a terminal, becomes its help.
 * @param line.known the parents that variables, files and the profile name
 * @returns undefined where it is not a command of docs, repeats the one that failed, or would have to be confirmed
 */
async function runnable(
  candidate: Candidate,
  typed: Walk,
  line: Line & { known: ReadonlySet<string> },
): Promise<NextCommand | undefined> {
  if (!candidate.command.startsWith('docs ')) return undefined;
  const walked = await walk(shellWords(candidate.command).slice(1), line.groups);
  const { command, path } = walked;
  if (isHelp(walked)) {
    const topic = walked.help ? walked.unknown?.word : undefined;
    if (topic === undefined ? walked.unknown !== undefined : !(await isAnswered(topic))) return undefined;
    return otherThan(candidate, typed, line, walked);
  }
  if (command === undefined || walked.stray !== undefined) return undefined;
  if (!(await isComplete(walked, command, candidate.command)))
    return candidate.orHelp ? runnable({ command: `docs ${path.join(' ')} --help` }, typed, line) : undefined;
  const lacking = lackingParent(walked, command, typed, line.known);
  if (lacking !== undefined) {
    const { resourceOfContext } = await import('../../model/resources.js');
    const list = `docs ${resourceOfContext(lacking).command.words}`;
    return candidate.command === list ? undefined : runnable({ command: list }, typed, line);
  }
  const isHarmless = ['yes', 'dry-run', 'save-plan'].some((flag) => walked.flags.has(flag));
  if (/confirm|type-title/.test(command.danger) && !isHarmless) return undefined;
  return otherThan(candidate, typed, line, walked);
}

/** Whether `docs help` has something under the word. */
async function isAnswered(word: string): Promise<boolean> {
  if (isHelpTopic(word) || word === guideTopic.name) return true;
  return (await import('../help/guide.js')).guidePages().includes(word);
}

function isHelp({ help, flags }: Walk): boolean {
  return help || flags.has('help');
}

async function otherThan(
  { command, when }: Candidate,
  typed: Walk,
  line: Line,
  walked: Walk,
): Promise<NextCommand | undefined> {
  const whole = await unlessSame(await completed(command, typed, line), typed, line);
  return whole === undefined ? undefined : { command: whole, when: when ?? purposeOf(walked) };
}

/** Whether it has all that it needs, and nothing that it does not know. */
async function isComplete(walked: Walk, command: CommandOutline, text: string): Promise<boolean> {
  const words = shellWords(text).slice(1);
  const hasGap = words.some((word) => /^<.+>$|…/.test(word));
  if (hasGap || walked.pending !== undefined || command.asks) return false;
  try {
    const { parseCommand } = await import('../parse/parser.js');
    const { args, options } = parseCommand(words, { ...walked, command });
    return (
      command.args.every(({ name, required }) => !required || [args[name] ?? []].flat().length > 0) &&
      (Object.hasOwn(options, 'input') ||
        command.options.every(({ name, required }) => !required || walked.flags.has(name)))
    );
  } catch {
    return false;
  }
}

/** What a command is for, as its declaration says it. */
function purposeOf(walked: Walk): string {
  const { command, path, unknown } = walked;
  const topic = unknown?.word;
  if (isHelp(walked)) {
    if (topic !== undefined && isHelpTopic(topic)) return purpose(helpTopicSummaries[topic]);
    if (topic !== undefined) return 'to read the guide';
    return `to read the help of ${['docs', ...path].join(' ')}`;
  }
  return purpose(command?.summary ?? '');
}

function purpose(summary: string): string {
  return `to ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`;
}

/** The command to run next, as it has to be typed after this one: with its flags, and never the same one. */

/** What was typed: the words after `docs`, and all commands there are. */
export interface Line {
  argv: readonly string[];
  groups: readonly GroupEntry[];
  platform: NodeJS.Platform;
}

/**
 * The same failure with its command to run next as it has to be typed: with the caller's profile and parents,
 * and another one where it would only repeat the command that failed. One that was stopped goes on.
 */
export async function withNextCommand(error: DocsError, line: Line): Promise<DocsError> {
  const { hint } = error.failure;
  const typed = await walk(line.argv, line.groups);
  if (error.code === 'bad_encoding' && typed.command !== undefined) {
    const { withEncodingHint } = await import('../parse/typed-text.js');
    return withEncodingHint(error, line.argv, typed.command, line.platform);
  }
  if (hint === undefined || !hint.startsWith('docs ')) return error;
  if (goesOn(error)) return error.changed({ hint: await completed(hint, typed, line) });
  // Some commands are to be typed again with a further flag.
  const own = typed.args.map((word) => shellWord(word, line.platform)).join(' ');
  const other = async (command: string) => unlessSame(await completed(command, typed, line), typed, line);
  const longer = withTimeout(hint, typed, line);
  if (longer !== undefined) return error.changed({ hint: longer });
  let next = await other(hint.replace('…', () => own));
  if (next !== undefined) return error.changed({ hint: next });
  for (const command of await othersFor(typed, line)) next ??= await other(command);
  return error.changed({ hint: next });
}

/** The same read with the time limit that a hint sets: a setting would not count beside the flag that was typed. */
function withTimeout(hint: string, { command, flags }: Walk, { argv, platform }: Line): string | undefined {
  const [, needed] = /^docs config set timeout (\S+)$/.exec(hint) ?? [];
  if (needed === undefined || !flags.has('timeout') || command?.danger !== 'read') return undefined;
  const at = argv.findLastIndex((word) => /^--timeout(?:=|$)/.test(word));
  if (at === -1) return undefined;
  const words = argv[at] === '--timeout' ? argv.with(at + 1, needed) : argv.with(at, `--timeout=${needed}`);
  return commandLine(words, platform);
}

/** Failures after which nothing helps: what was found is the answer, and whoever left a question knows why. */
const needNoTry: ReadonlySet<ExitName> = new Set(['findings', 'interrupted', 'terminated']);

/** The same failure with one command to run next for a person: the likeliest, where the failure names none. */
export async function withTry(error: DocsError, line: Line & { io: Io }): Promise<DocsError> {
  const { kind, code, failure } = error;
  const isLeft = code === 'not_confirmed' && line.io.stdin.isTTY === true;
  // Another program has said what failed.
  const isOther = failure.exitCode !== undefined;
  if (failure.hint !== undefined || needNoTry.has(kind) || isLeft || isOther) return error;
  const { next = [] } = (await withNextCommands(error, line)).failure;
  const { path, help } = await walk(line.argv, line.groups);
  const ownHelp = path.length === 0 || help ? 'docs help exit-codes' : `docs ${path.join(' ')} --help`;
  return error.changed({ hint: next[0]?.command ?? lookOnDisk(error, line) ?? ownHelp });
}

/** What shows the folder that a step on the disk failed in. */
function lookOnDisk({ kind, code, cause }: DocsError, { platform }: Line): string | undefined {
  const own = cause instanceof Error && 'path' in cause ? String(cause.path) : undefined;
  const path = code === 'disk_full' ? (own ?? '.') : own;
  if (kind !== 'local-io' || path === undefined) return undefined;
  const folder = shellWord(dirname(path), platform);
  if (platform === 'win32') return `dir ${folder}`;
  return `${code === 'disk_full' ? 'df -h' : 'ls -la'} ${folder}`;
}

/** Whether the same command goes on where it stopped, and is not to be replaced by another: `backup run`. */
function goesOn({ kind, failure: { retryable } }: DocsError): boolean {
  return kind === 'interrupted' || kind === 'terminated' || (kind === 'partial' && retryable === true);
}

/** A command with the flags of the one that failed: those of its platform, and those of the parents it takes. */
async function completed(command: string, typed: Walk, { groups, platform }: Line): Promise<string> {
  const next = await walk(shellWords(command).slice(1), groups);
  const value = (flag: string) => typed.flags.get(flag)?.at(-1);
  const isHelp = next.help || next.flags.has('help');
  const taken = Object.values(contextFlags).filter(
    (flag) => !isHelp && next.command?.options.some(({ name }) => name === flag) && !next.flags.has(flag),
  );
  const parents = taken.flatMap((flag) => {
    const given = typed.flags.get(flag) ?? [];
    return given.length === 1 ? [`--${flag}`, shellWord(given[0] ?? '', platform)] : [];
  });
  const place = {
    profile: value('profile'),
    baseUrl: value('base-url'),
    policy: value('policy'),
    sandbox: typed.flags.has('sandbox'),
  };
  return atPlace([command, ...parents].join(' '), place, platform);
}

/** The command, unless all that it says was typed just now. */
async function unlessSame(command: string, typed: Walk, { groups }: Line): Promise<string | undefined> {
  const next = await walk(shellWords(command).slice(1), groups);
  const isSame =
    next.help === typed.help &&
    String(next.path) === String(typed.path) &&
    String(next.args) === String(typed.args) &&
    String(unknownWords(next)) === String(unknownWords(typed)) &&
    [...next.flags].every(([flag, values]) => String(typed.flags.get(flag)) === String(values));
  return isSame ? undefined : command;
}

/** Behind `help`: the words of a topic, or of a page of the guide. */
function unknownWords({ unknown }: Walk): readonly string[] {
  return unknown === undefined ? [] : [unknown.word, ...unknown.rest];
}

/** What else tells more after a failure: the list that the resource is in, those of its parents, the checks. */
async function othersFor(typed: Walk, { groups, platform }: Line): Promise<string[]> {
  const { path, args } = typed;
  const [plan] = path[0] === 'apply' ? args : [];
  const plans = plan === undefined ? 'docs plan' : `docs plan show ${shellWord(plan, platform)}`;
  const [job] = path[0] === 'undo' || path[0] === 'jobs' ? args : [];
  return [
    ...(path[0] === 'apply' ? [plans] : []),
    ...(job === undefined ? [] : [`docs jobs show ${shellWord(job, platform)}`]),
    ...(await listsAround(typed, groups)),
    ...['docs auth status', 'docs doctor', 'docs help exit-codes'],
  ];
}

/** The lists in which the resource of a command and its parents are found, the nearest first. */
async function listsAround({ path, command }: Walk, groups: readonly GroupEntry[]): Promise<string[]> {
  const parents = command?.operations[0]?.path.match(/\w+(?=\})/g) ?? [];
  // Loaded here: most failures have a command of their own to run next.
  const { resources, resourceOfField } = await import('../../model/resources.js');
  const lists = parents.toReversed().flatMap((parameter) => {
    const kind = resourceOfField(parameter);
    return kind === undefined ? [] : [`docs ${resources[kind].command.words}`];
  });
  return [...(await listBeside(path, groups)), ...lists];
}

/** The list of the innermost group of a path, where it needs no arguments. */
async function listBeside(path: readonly string[], groups: readonly GroupEntry[]): Promise<string[]> {
  const above = path.slice(0, -1);
  const [own, around] = [await walk(path, groups), await walk(above, groups)];
  const [{ group }, words] = own.group === undefined ? [around, above] : [own, path];
  const list = group?.commands.find((one): one is CommandOutline => one.name === 'list' && !isGroup(one));
  const isFree = list !== undefined && !list.args.some(({ required }) => required);
  return isFree ? [['docs', ...words, 'list'].join(' ')] : [];
}
