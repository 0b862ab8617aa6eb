import { type DocsError, usageError } from '../../base/errors.js';
import { didYouMean, nearest } from '../../base/nearest.js';
import { commandLine, shellWord } from '../../base/shell-word.js';
import { type GroupEntry, isGroup } from '../declare/command.js';
import { outlineOf, outlineTree } from '../declare/outline.js';
import { guideTopic, helpTopicNames } from '../help/topic-names.js';
import { type Named, named, type Walk, walk } from './walk.js';

/** What the verbs of other command lines are called here. A word that stands here is sought in its group alone. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  add: ['create', 'set'],
  new: ['create'],
  make: ['create'],
  invite: ['create'],
  post: ['create'],
  remove: ['delete'],
  erase: ['delete'],
  destroy: ['delete'],
  show: ['get'],
  view: ['get'],
  info: ['get'],
  describe: ['get'],
  all: ['list'],
  edit: ['update'],
  modify: ['update'],
  change: ['update'],
  rename: ['update'],
  find: ['search', 'list'],
  recover: ['restore'],
  undelete: ['restore'],
  mv: ['move'],
};

/** What the first word is called elsewhere: the words of docs for it, the likeliest first. `version` is a flag here. */
const firstWords: Readonly<Record<string, readonly string[]>> = {
  browse: ['open'],
  web: ['open'],
  users: ['members'],
  user: ['members'],
  people: ['members'],
  groups: ['teams'],
  pages: ['content pages'],
  page: ['content pages'],
  files: ['content files'],
  pr: ['change-requests'],
  prs: ['change-requests'],
  alias: ['config alias'],
  profiles: ['auth list'],
  upgrade: ['doctor'],
  version: ['--version'],
  permissions: ['access who', 'access matrix', 'auth can-i'],
  permission: ['access who', 'access matrix', 'auth can-i'],
  roles: ['members list', 'access matrix'],
  settings: ['config list', 'orgs get'],
  preferences: ['config list'],
  history: ['jobs list', 'audit list'],
  revert: ['undo'],
  rollback: ['undo'],
  preview: ['plan', 'rehearse'],
  check: ['doctor'],
  publish: ['site-spaces create', 'openapi publish'],
  deploy: ['site-spaces create', 'openapi publish'],
};

/** The same of a word in a group, where the command stands elsewhere or has a name of its own. */
const inGroups: Readonly<Record<string, readonly string[]>> = {
  'plan apply': ['apply'],
  'plan run': ['apply'],
  'plan pull': ['pull'],
  'plan save': ['help plans'],
  'plan create': ['help plans'],
  'plan list': ['audit list', 'jobs list'],
  'jobs undo': ['undo'],
  'jobs revert': ['undo'],
  'jobs retry': ['jobs resume'],
  'jobs delete': ['jobs discard'],
  'backup list': ['backup log', 'backup status'],
  'backup create': ['backup run'],
  'backup check': ['backup verify'],
  'spaces members': ['access who'],
  'spaces access': ['access who'],
  'spaces permissions': ['access who'],
  'members access': ['members spaces', 'access explain'],
  'members permissions': ['members spaces', 'access explain'],
  'members roles': ['members list'],
  'members grant': ['members update'],
  'members promote': ['members update'],
  'change-requests close': ['change-requests update'],
  'change-requests archive': ['change-requests update'],
  'comments resolve': ['comments update'],
  'spaces publish': ['site-spaces create'],
  'teams add': ['teams members set'],
  'teams access': ['access matrix'],
  'teams spaces': ['access matrix'],
  'orgs settings': ['orgs get', 'orgs update'],
  'auth whoami': ['auth status'],
  'content upload': ['content import'],
  'sites status': ['sites get'],
  'policy list': ['policy explain'],
  'policy show': ['policy explain'],
  'audit log': ['audit list'],
};

/** In a group, what shows an item in the browser. */
const browsing: readonly string[] = ['browse', 'open', 'web'];

const nothing: NonNullable<Walk['unknown']> = { word: '', rest: [], tail: [] };

/** A word that names no command, group or topic, at the place where it stands. */
export async function unknownCommand(
  walked: Walk,
  groups: readonly GroupEntry[],
  platform: NodeJS.Platform,
): Promise<DocsError> {
  const { path, unknown = nothing } = walked;
  const limited = walked.help ? undefined : await beyondTheApi(walked);
  if (limited !== undefined) return limited;
  const meant = isAsked(walked) ? [] : await meantBy(walked, groups);
  const fitting = await Promise.all(meant.map((line) => withoutStrayWords(line, unknown.rest, groups)));
  const lines = fitting.map((line) => commandLine([...line, ...unknown.tail], platform));
  const suggestion = didYouMean(lines.join(', or ') || undefined);
  const details = lines.length === 0 ? undefined : { nearest: lines };
  const asked = [unknown.word, ...unknown.rest].join(' ').slice(0, 200);
  // Several words that name nothing are a question.
  const isQuestion = path.length === 0 && lines.length === 0 && unknown.rest.length > 0 && !walked.help;
  const [only] = lines.length === 1 ? lines : [];
  const help = only ?? ['docs', ...path, '--help'].join(' ');
  const hint = isQuestion ? `docs find ${shellWord(asked, platform)}` : help;
  return usageError('unknown_command', `${unknownWord(walked)}${suggestion}`, { hint, details });
}

/** Words that a command of the usual form has, and that are the id of nothing: `permissions list`. */
const verbWords = ['list', 'get', 'show', 'set', 'create', 'update', 'delete'];

/** A suggestion without words that were typed for another command: it takes fewer, or they are verbs. */
async function withoutStrayWords(
  line: string[],
  typed: readonly string[],
  groups: readonly GroupEntry[],
): Promise<string[]> {
  const { command, args } = await walk(line, groups);
  if (command === undefined || args.length === 0 || args.length > typed.length) return line;
  const named = line.slice(0, line.length - args.length);
  if (verbWords.includes(args[0] ?? '')) return named;
  const isOpen = command.args.some(({ variadic }) => variadic);
  return isOpen || args.length <= command.args.length ? line : named;
}

/** Whether a line begins like a question, so its first word is not a mistyped command: `who can see this space`. */
const isAsked = ({ path, unknown = nothing }: Walk): boolean =>
  path.length === 0 &&
  unknown.rest.length > 0 &&
  /^(?:who|what|which|how|why|where|when|is|are|can|do|does|i)$/i.test(unknown.word);

/** The lines that a word means by its name elsewhere, as it is spelled. */
export async function meantElsewhere(walked: Walk, groups: readonly GroupEntry[]): Promise<string[][]> {
  return firstMeant(walked) ?? (await synonymous(walked, groups)) ?? (await elsewhere(walked, groups)) ?? [];
}

/** The words that people say in this place, of those that begin like what was typed. */
export function wordsSaid(path: readonly string[], typed: string): string[] {
  const before = path.map((word) => `${word} `).join('');
  const said = Object.keys(path.length === 0 ? firstWords : inGroups);
  return said.filter((words) => words.startsWith(before + typed)).map((words) => words.slice(before.length));
}

/** The lines that may be meant. */
async function meantBy(walked: Walk, groups: readonly GroupEntry[]): Promise<string[][]> {
  const pages = walked.help ? (await import('../help/guide.js')).guidePages() : [];
  return (
    firstMeant(walked) ??
    (await synonymous(walked, groups)) ??
    near(walked, groups, pages) ??
    (await elsewhere(walked, groups)) ??
    []
  );
}

function unknownWord({ path, unknown = nothing }: Walk): string {
  return `unknown command ${JSON.stringify(unknown.word.slice(0, 60))} for "${['docs', ...path].join(' ')}"`;
}

/** The error for words that ask for something the API cannot do: `members invite`, `clear cache`. */
async function beyondTheApi(walked: Walk): Promise<DocsError | undefined> {
  const { cannotSentence, limitationOf } = await import('../../model/cannot.js');
  const { path, unknown = nothing } = walked;
  const words = [unknown.word, ...unknown.rest].slice(0, 12);
  for (let length = 1; length <= words.length; length += 1) {
    const limitation = limitationOf([...path, ...words.slice(0, length)].join(' '));
    if (limitation === undefined) continue;
    const message = `${unknownWord(walked)}: ${cannotSentence(limitation)}`;
    return usageError('unknown_command', message, { hint: limitation.hint });
  }
  return undefined;
}

/** A word by its name elsewhere, or the item of a group to look at in the browser. */
function firstMeant({ path, group, unknown = nothing }: Walk): string[][] | undefined {
  const { word, rest } = unknown;
  const typed = [...path, word].join(' ');
  const table = path.length === 0 ? firstWords : inGroups;
  const known = Object.hasOwn(table, typed) ? table[typed] : undefined;
  if (known !== undefined) return known.map((line) => [...line.split(' '), ...rest]);
  if (group !== undefined) {
    const shows = browsing.includes(word) && group.commands.find(({ name }) => name === 'get');
    const canOpen = shows && !isGroup(shows) && shows.options.some(({ name }) => name === 'web');
    return canOpen ? [[...path, 'get', ...rest, '--web']] : undefined;
  }
  return undefined;
}

/** The command of the same group that is known by another verb elsewhere: `delete` for `remove`. */
async function synonymous(
  { path, group, unknown = nothing }: Walk,
  groups: readonly GroupEntry[],
): Promise<string[][] | undefined> {
  const names = verbs(unknown.word);
  if (group === undefined)
    return names.length === 0 ? undefined : verbFirst(unknown.word, unknown.rest, groups);
  const name = names.find((verb) => group?.commands.some((command) => command.name === verb));
  return name === undefined ? undefined : [[...path, name, ...unknown.rest]];
}

const verbs = (word: string): readonly string[] =>
  Object.hasOwn(synonyms, word) ? (synonyms[word] ?? []) : [];

/** Similarly spelled words that would fit here. @param pages of the guide, where they fit too */
function near(
  { path, group, unknown = nothing }: Walk,
  groups: readonly GroupEntry[],
  pages: readonly string[],
): string[][] | undefined {
  const here: readonly Named[] = group?.commands ?? groups;
  const words = new Map(
    here.flatMap((each) => [each.name, ...(each.aliases ?? [])].map((word) => [word, each.name])),
  );
  const topics = group === undefined ? [...helpTopicNames, guideTopic.name, ...pages] : [];
  const found = nearest(unknown.word, [...words.keys(), ...topics]);
  if (found === undefined) return undefined;
  const name = words.get(found);
  return [name === undefined ? ['help', found] : [...path, name, ...unknown.rest]];
}

/** A verb before its group, `list spaces`; or a command of other groups, `login`. */
async function elsewhere(
  { path, unknown: { word, rest } = nothing }: Walk,
  groups: readonly GroupEntry[],
): Promise<string[][] | undefined> {
  const verb = path.length === 0 ? await verbFirst(word, rest, groups) : undefined;
  if (verb !== undefined) return verb;
  if (Object.hasOwn(synonyms, word)) return undefined;
  const places = (await outlineTree(groups)).flatMap(({ path: words, command }) => {
    const way = words.split(' ');
    const at = way.indexOf(word, 1);
    const byAlias = command.aliases.includes(word) && way.length > 1;
    if (byAlias) return [[...way, ...rest]];
    const below = way.slice(at + 1);
    const fits = at > 0 && below.every((part, index) => part === rest[index]);
    return fits ? [[...way, ...rest.slice(below.length)]] : [];
  });
  return places.length === 0 || places.length > 3 ? undefined : places;
}

/** `list spaces` is `spaces list`; its other words stay behind it. */
async function verbFirst(
  verb: string,
  [noun, ...rest]: readonly string[],
  groups: readonly GroupEntry[],
): Promise<string[][] | undefined> {
  if (noun === undefined) return undefined;
  const names = groups.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const entry = named(groups, noun) ?? named(groups, nearest(noun, names) ?? '');
  const node = entry && (await outlineOf(entry));
  if (entry === undefined || node === undefined || !isGroup(node)) return undefined;
  const command = [verb, ...verbs(verb)]
    .map((name) => named(node.commands, name))
    .find((one) => one !== undefined);
  return command === undefined ? undefined : [[entry.name, command.name, ...rest]];
}

/** A command or a group, by the words after `docs` that reach it. */
interface NamedEntry {
  path: string;
  isCommand: boolean;
  /** Of a group, the paths of what it holds. */
  below: readonly string[];
}

/**
 * The group or command that words name, aliases included: for commands about commands.
 * @throws DocsError usage `unknown_command`, with the nearest
 */
export async function namedEntry(
  typed: readonly string[],
  groups: readonly GroupEntry[],
  platform: NodeJS.Platform,
): Promise<NamedEntry> {
  const words = typed.flatMap((word) => word.split(/\s+/));
  const walked = await walk(words[0] === 'docs' ? words.slice(1) : words, groups);
  const { path, command, group, unknown, args } = walked;
  if (unknown !== undefined) throw await unknownCommand(walked, groups, platform);
  if (args[0] !== undefined) {
    const name = ['docs', ...path].join(' ');
    const message = `unknown command ${JSON.stringify(args[0])} for "${name}"`;
    throw usageError('unknown_command', message, { hint: `${name} --help` });
  }
  const below = group?.commands.map((one) => [...path, one.name].join(' ')) ?? [];
  return { path: path.join(' '), isCommand: command !== undefined, below };
}

/**
 * The path of the command that words name.
 * @throws DocsError as `namedEntry`; usage `unknown_command` for a group, with its commands
 */
export async function namedCommand(
  typed: readonly string[],
  groups: readonly GroupEntry[],
  platform: NodeJS.Platform,
): Promise<string> {
  const { path, isCommand, below } = await namedEntry(typed, groups, platform);
  if (isCommand) return path;
  const name = `docs ${path}`.trim();
  const list = below.length === 0 ? '' : `; its commands: ${below.join(', ')}`;
  throw usageError('unknown_command', `${name} is a group${list}`, { hint: `${name} --help` });
}
