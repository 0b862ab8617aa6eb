import { dirname } from 'node:path';
import type { DocsError, NextCommand } from '../../base/errors.js';
import type { ExitName } from '../../base/exit-codes.js';
import type { Io } from '../../base/io.js';
import { commandLine, shellWord, shellWords } from '../../base/shell-word.js';
import { type ContextParameter, contextFlags } from '../declare/global-flags.js';
import type { CommandOutline } from '../declare/outline.js';
import { guideTopic, helpTopicSummaries, isHelpTopic } from '../help/topic-names.js';
import { type Walk, walk } from '../parse/walk.js';
import { completed, type Line, listsAround, unlessSame } from './next-command.js';

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
