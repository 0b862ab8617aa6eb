import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { questionsOf, type Request } from '../../access/impact/impact.js';
import { commandLine, shellWord, withFlags } from '../../base/shell-word.js';
import { asText, isObject } from '../../base/values.js';
import { findCredential } from '../../settings/credentials.js';
import { camel, type GroupEntry } from '../declare/command.js';
import { standingOptions } from '../declare/flags.js';
import { allSpellings, atPlace } from '../declare/global-flags.js';
import { globalOptions } from '../declare/global-options.js';
import type { CommandOutline, OptionOutline } from '../declare/outline.js';
import type { Previewed, PreviewName, Session } from '../declare/session.js';
import { previews } from '../help/previews.js';
import { parseCommand } from '../parse/parser.js';
import { type Walk, walk } from '../parse/walk.js';
import { impactCommands } from './impact.js';
import { typedLine } from './make-plan.js';
import { isStructured } from './output.js';
import { refuseLocal } from './rehearsal.js';

/** The last line of every preview: the other ways to look at the same change. None is named that would be refused. */

/** Says which other previews there are of the change that was shown last; JSON and rehearsals do without. */
export async function noteOtherPreviews(session: Session, groups: readonly GroupEntry[]): Promise<void> {
  const previewed = session.previewed?.at(-1);
  if (previewed === undefined || isStructured(session) || session.settings.rehearsal !== undefined) return;
  const others = await otherPreviews(session, groups, previewed);
  if (others.length > 0) session.printer.note(`Other previews: ${others.join(', ')}`);
}

/** A command line that makes a change, without what only previews it or says where. */
interface ChangeLine {
  words: readonly string[];
  walked: Walk;
  command: CommandOutline;
}

/** `--save-plan plan.json (let someone else decide)`, in the order of the table of previews. */
async function otherPreviews(
  session: Session,
  groups: readonly GroupEntry[],
  previewed: Previewed,
): Promise<string[]> {
  const { shown, words = session.line } = previewed;
  const line = await changeLine(words, groups);
  const ways: Readonly<Record<PreviewName, () => Promise<string[]> | string[]>> = {
    '--dry-run': () => dryRunWays(session, previewed, line),
    'docs impact': () => impactWays(session, previewed.changes ?? []),
    'docs rehearse': () => rehearsalWays(session, previewed, line),
    '--save-plan': () => planWays(session, previewed, line, groups),
  };
  const named = previews
    .filter(({ name }) => name !== shown)
    .map(async ({ name, brief }) => (await ways[name]()).map((way) => `${way} (${briefOf(way, brief)})`));
  return (await Promise.all(named)).flat();
}

/** `docs impact access` has an answer of its own. */
function briefOf(way: string, brief: string): string {
  return way.startsWith('docs impact access ') ? 'who gains or loses access' : brief;
}

/** Flags that say what is shown and how, or on which platform, and not what is changed. */
const left: ReadonlySet<string> = new Set([
  ...['dry-run', 'save-plan', 'profile', 'base-url', 'policy', 'sandbox', 'quiet', 'pager', 'color', 'debug'],
  ...['output', 'json', 'fields', 'jq', 'header', 'csv-raw', 'sort-by', 'show', 'out', 'html', 'full'],
]);

/** @returns undefined for what names no command, or what its command does not take */
async function changeLine(
  typed: readonly string[],
  groups: readonly GroupEntry[],
): Promise<ChangeLine | undefined> {
  const own = (await walk(typed, groups)).command?.options ?? [];
  const options: readonly OptionOutline[] = [...own, ...globalOptions, ...standingOptions()];
  const words: string[] = [];
  const end = typed.includes('--') ? typed.indexOf('--') : typed.length;
  for (let at = 0; at < typed.length; at += 1) {
    const word = typed[at] ?? '';
    const option = at < end ? flagIn(word, options) : undefined;
    const isLeft = option !== undefined && left.has(option.name) && !(await isValue(typed, at, groups));
    if (!isLeft) words.push(word);
    else if (option.value !== undefined && !isAttached(word)) at += 1;
  }
  const walked = await walk(words, groups);
  const { command } = walked;
  if (command === undefined || walked.unknown !== undefined || walked.stray !== undefined) return undefined;
  try {
    parseCommand(words, { ...walked, command });
    return { words, walked, command };
  } catch {
    return undefined;
  }
}

function flagIn(word: string, options: readonly OptionOutline[]): OptionOutline | undefined {
  const name = word.split('=')[0] ?? '';
  if (name.startsWith('--')) return options.find((option) => allSpellings(option).includes(name));
  return /^-\w/.test(word) ? options.find(({ short }) => short === word.charAt(1)) : undefined;
}

/** `--fields=id`, `-ojson`. */
function isAttached(word: string): boolean {
  return word.startsWith('--') ? word.includes('=') : word.length > 2;
}

/** Whether a word is the value of the flag before it. */
async function isValue(
  words: readonly string[],
  at: number,
  groups: readonly GroupEntry[],
): Promise<boolean> {
  return (await walk(words.slice(0, at), groups)).pending !== undefined;
}

/** The flag alone, where it goes with what was typed; else the whole command. */
function withFlag({ io, globals }: Session, line: ChangeLine, isHere: boolean, ...flag: string[]): string {
  if (isHere) return flag.map((word) => shellWord(word, io.platform)).join(' ');
  return atPlace(commandLine(withFlags(line.words, ...flag), io.platform), globals, io.platform);
}

function dryRunWays(session: Session, { words }: Previewed, line: ChangeLine | undefined): string[] {
  if (line === undefined || line.command.danger === 'read') return [];
  return [withFlag(session, line, words === undefined, '--dry-run')];
}

async function planWays(
  session: Session,
  previewed: Previewed,
  line: ChangeLine | undefined,
  groups: readonly GroupEntry[],
): Promise<string[]> {
  if (previewed.unplannable === true) return [];
  const typed = await changeLine(session.line, groups);
  const takers = [typed, line].filter((one) => one !== undefined && takesPlan(one));
  const [taker] = takers;
  return taker === undefined
    ? []
    : [withFlag(session, taker, taker === typed, '--save-plan', freeName(session))];
}

function takesPlan({ command, walked: { flags } }: ChangeLine): boolean {
  const option = command.options.find(({ name }) => name === 'save-plan');
  if (option === undefined) return false;
  const excludes = command.options.filter(
    ({ name, conflicts = [] }) => flags.has(name) && conflicts.includes('save-plan'),
  );
  return excludes.length === 0 && !(option.conflicts ?? []).some((name) => flags.has(name));
}

/** A file that is not there yet. */
function freeName({ io }: Session): string {
  const names = ['plan.json', 'new-plan.json'];
  return names.find((name) => !existsSync(resolve(io.cwd, name))) ?? 'another-plan.json';
}

/** More commands than this do not help. */
const mostCommands = 3;

function impactWays(session: Session, changes: readonly Request[]): string[] {
  const commands = [
    ...impactCommands(session, questionsOf(changes).questions),
    ...accessCommands(session, changes),
  ];
  return commands.length > mostCommands ? ['docs impact --help'] : commands;
}

/** What tells who gains and who loses access by changes of roles and levels. */
function accessCommands({ io, globals }: Session, changes: readonly Request[]): string[] {
  const flags = changes.flatMap(accessFlags);
  if (flags.length === 0 || flags.length > mostCommands * 2) return [];
  const words = ['impact', 'access', ...flags];
  return [atPlace(commandLine(words, io.platform), globals, io.platform)];
}

function accessFlags({ op, input: { path = {}, body } }: Request): string[] {
  const { role, defaultLevel } = isObject(body) ? body : {};
  const { userId, teamId } = path;
  const placeId = path.spaceId ?? path.collectionId;
  if (op.id === 'members.update' && asText(role) !== undefined && asText(userId) !== undefined)
    return ['--role', `${userId}=${role}`];
  const setsLevel = op.id === 'spaces.update' || op.id === 'collections.update';
  if (setsLevel && asText(placeId) !== undefined && defaultLevel !== undefined)
    return ['--level', `${placeId}=${defaultLevel ?? 'none'}`];
  if (op.id === 'team-members.delete' && asText(userId) !== undefined && asText(teamId) !== undefined)
    return ['--remove-team', `${userId}=${teamId}`];
  return [];
}

async function rehearsalWays(
  session: Session,
  { asks }: Previewed,
  line: ChangeLine | undefined,
): Promise<string[]> {
  if (line === undefined || !canRehearse(line)) return [];
  const { io, globals, settings } = session;
  const { words, walked, command } = line;
  // What is hidden in the line could not be run again from it.
  const shown = typedLine(words, await findCredential(io, settings).catch(() => undefined));
  if (shown.some((word, at) => word !== words[at])) return [];
  const isAsked = asks ?? /confirm|type-title/.test(command.danger);
  const inner = isAsked && !walked.flags.has('yes') ? withFlags(words, '--yes') : words;
  const typed = inner.map((word) => shellWord(word, io.platform)).join(' ');
  return [`${atPlace('docs rehearse', globals, io.platform)} -- ${typed}`];
}

function canRehearse({ walked: { path, flags }, command }: ChangeLine): boolean {
  const options = Object.fromEntries([...flags].map(([name, values]) => [camel(name), values]));
  try {
    refuseLocal(path.join(' '), command, { options });
    return path[0] !== 'rehearse';
  } catch {
    return false;
  }
}
