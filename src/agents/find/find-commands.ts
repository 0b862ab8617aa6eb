import type { TSchema } from '@sinclair/typebox';
import { nearest } from '../../base/nearest.js';
import { isIdle, stem, wordsIn } from '../../base/words.js';
import { type Command, capital, type Danger } from '../../cli/declare/command.js';
import type { TreeEntry } from '../../cli/declare/outline.js';
import { cannotSentence, limitationOf } from '../../model/cannot.js';
import { fieldPaths } from '../../output/printed-shapes.js';
import { meantAt, wordsAsked } from './synonyms.js';

/** A command as a document: its declaration, cut into parts of different weight. */

/** How much a word in each part counts. */
const weights = {
  path: 5,
  summary: 4,
  aliases: 1.5,
  examples: 1.5,
  why: 1,
  arguments: 0.7,
  flags: 0.7,
  fields: 0.3,
} as const;

type WeightedField = keyof typeof weights;
const parts = Object.keys(weights) as WeightedField[];

/** How often each word, without its ending, stands in a part; and how many words the part has. */
interface PartWords {
  counts: ReadonlyMap<string, number>;
  length: number;
}

interface CommandDocument {
  entry: TreeEntry;
  parts: Readonly<Record<WeightedField, PartWords>>;
}

/** The words of a command's declaration, by part. */
function documentOf(entry: TreeEntry): CommandDocument {
  const { path, command } = entry;
  const { aliases, summary, why = '', examples, args, options } = command;
  const takers = (all: Command['args'] | Command['options']): string =>
    all.map(({ name, description, choices = [] }) => [name, description, ...choices].join(' ')).join(' ');
  const texts: Record<WeightedField, string> = {
    path,
    summary,
    aliases: aliases.join(' '),
    examples: examples.map(({ does }) => does).join(' '),
    why,
    arguments: takers(args),
    flags: takers(options.filter(({ field, name }) => field !== undefined || !standing.has(name))),
    fields: fieldsOf(command).join(' '),
  };
  const counted = parts.map((part) => [part, countWords(texts[part])] as const);
  return { entry, parts: Object.fromEntries(counted) as Record<WeightedField, PartWords> };
}

/** Flags of the grammar, which say nothing of what a command is for. */
const standing = new Set(
  'limit page page-size concurrency fail-fast allow-empty again show save-plan input encoding unset'.split(
    ' ',
  ),
);

/** The names of the fields that a command prints. */
function fieldsOf({ operations, returns }: Command): string[] {
  const answers = operations.flatMap(({ returns: answer }): TSchema[] =>
    answer.kind === 'page' ? [answer.item] : answer.kind === 'one' ? [answer.schema] : [],
  );
  const printed: readonly TSchema[] = returns === undefined ? answers : [itemOf(returns)];
  return [...new Set(printed.flatMap((schema) => fieldPaths(schema).fields))];
}

function itemOf(schema: TSchema): TSchema {
  return schema.type === 'array' ? schema.items : schema;
}

function countWords(text: string): PartWords {
  const words = wordsIn(text).filter((word) => !isIdle(word));
  const counts = new Map<string, number>();
  for (const word of words) counts.set(stem(word), (counts.get(stem(word)) ?? 0) + 1);
  return { counts, length: words.length };
}

/**
 * Finds commands by what they are for, offline: a ranking of their declarations by BM25 over weighted parts
 * (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009), with stems and synonyms.
 */

/** A command that was found. */
export interface FoundCommand {
  /** The words after `docs`. */
  path: string;
  summary: string;
  danger: Danger;
}

/** One thing that a question asks for: the words that would say it, each with its weight. */
type Asked = ReadonlyMap<string, number>;

/** What a document's score grows by at most, and how little long parts count: the usual values of BM25. */
const saturation = 1.2;
const byLength = 0.5;

/** A synonym counts less than the word itself, and each further one less than the one before. */
const ofSynonym = 0.7;
const ofNext = 0.9;

/** Of several words that may be meant, the best counts in full, and the others so much. */
const ofOthers = 0.3;

/** A question like the path of a command counts half as much as one like its summary. */
const ofPath = 0.5;

/** A word that no command has counts as the one most like it. */
const ofTypo = 0.6;

/**
 * The commands that fit words best, best first.
 * @param words a question or a task, as a person puts it: `who can publish`
 * @param commands the commands to look among, as `commandTree` gives them
 * @param most how many at most; 10 unless told
 * @returns none where no word is known, where most words are unknown, or where they name what no command does
 */
export function findCommands(words: string, commands: readonly TreeEntry[], most = 10): FoundCommand[] {
  const index = indexOf(commands);
  const { asked, unknown } = askedIn(words, index.vocabulary);
  if (unknown > asked.length) return [];
  return index.documents
    .map((document) => ({ document, score: scoreOf(document, asked, index) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ document: { entry } }) => ({
      path: entry.path,
      summary: entry.command.summary,
      danger: entry.command.danger,
    }));
}

/** What is said where the API cannot do what words ask for, in place of commands; undefined where it may. */
export function limitationNote(words: string): string | undefined {
  const limitation = limitationOf(words);
  return limitation && `${capital(cannotSentence(limitation))}.`;
}

/**
 * Whether a question may be one about what is written in spaces rather than about commands: none fits, or the
 * best ones search content.
 * @param found what `findCommands` found
 */
export function isAboutContent(found: readonly FoundCommand[]): boolean {
  const best = found.slice(0, 3).map(({ path }) => path);
  return best.length === 0 || best.includes('orgs search') || best.includes('spaces search');
}

interface Index {
  documents: readonly CommandDocument[];
  /** How many words each part has in the mean. */
  lengths: Readonly<Record<string, number>>;
  /** In how many documents each word stands. */
  vocabulary: ReadonlyMap<string, number>;
}

/** One index for each list of commands: a server is asked many times. */
const indexes = new WeakMap<readonly TreeEntry[], Index>();

function indexOf(commands: readonly TreeEntry[]): Index {
  const known = indexes.get(commands);
  if (known !== undefined) return known;
  const documents = commands.map(documentOf);
  const vocabulary = new Map<string, number>();
  for (const document of documents) {
    const words = new Set(parts.flatMap((part) => [...document.parts[part].counts.keys()]));
    for (const word of words) vocabulary.set(word, (vocabulary.get(word) ?? 0) + 1);
  }
  const lengths = Object.fromEntries(
    parts.map((part) => {
      const sum = documents.reduce((total, document) => total + document.parts[part].length, 0);
      return [part, Math.max(1, sum / documents.length)];
    }),
  );
  const index = { documents, lengths, vocabulary };
  indexes.set(commands, index);
  return index;
}

/**
 * What a question asks for: its words that say something, each with what else may say it, and how many of its
 * words no command knows; more than all where it names what no command does.
 */
function askedIn(question: string, vocabulary: Index['vocabulary']): { asked: Asked[]; unknown: number } {
  const words = wordsAsked(question);
  const stems = words.map(stem);
  const asked: Asked[] = [];
  let unknown = 0;
  for (let at = 0; at < words.length; ) {
    const phrase = meantAt(stems.slice(at));
    const length = phrase?.length ?? 1;
    if (phrase?.meanings.length === 0) unknown = Number.POSITIVE_INFINITY;
    // A phrase stands for its meaning alone: `get rid of` does not ask for `get`.
    const own = length === 1 && !isIdle(words[at] ?? '') ? stems.slice(at, at + 1) : [];
    const weighted = new Map<string, number>();
    for (const [rank, word] of (phrase?.meanings ?? []).entries())
      weighted.set(word, ofSynonym * ofNext ** rank);
    for (const word of own) {
      if (vocabulary.has(word)) weighted.set(word, 1);
      else if (phrase === undefined) addLikeliest(weighted, word, vocabulary);
    }
    if (weighted.size > 0) asked.push(weighted);
    else unknown += own.length;
    at += length;
  }
  return { asked, unknown };
}

function addLikeliest(weighted: Map<string, number>, word: string, vocabulary: Index['vocabulary']): void {
  // Nearer than a mistyped command, which has few to be: most words of other trades are like some word of this one.
  const meant = word.length < 5 ? undefined : nearest(word, vocabulary.keys(), word.length < 8 ? 1 : 2);
  if (meant !== undefined && meant[0] === word[0]) weighted.set(meant, ofTypo);
}

/** What a document says to all that is asked, and more where its summary says just that. */
function scoreOf(document: CommandDocument, asked: readonly Asked[], index: Index): number {
  const sum = asked.reduce((total, alternatives) => {
    const scores = [...alternatives].map(([word, weight]) => weight * scoreOfWord(word, document, index));
    const best = Math.max(0, ...scores);
    const others = scores.reduce((all, score) => all + score, 0) - best;
    return total + best + ofOthers * others;
  }, 0);
  const { summary, path } = document.parts;
  return sum * (1 + likeness(summary, asked) + ofPath * likeness(path, asked));
}

/** The share of words that a part and a question have in common: 1 where they have the same. */
function likeness({ counts }: PartWords, asked: readonly Asked[]): number {
  const words = [...counts.keys()];
  const said = asked.map((alternatives) => Math.max(0, ...words.map((word) => alternatives.get(word) ?? 0)));
  const common = said.reduce((sum, weight) => sum + weight, 0);
  return common / Math.max(1, counts.size + asked.length - common);
}

function scoreOfWord(word: string, document: CommandDocument, index: Index): number {
  const weighted = parts.reduce((sum, part) => {
    const { counts, length } = document.parts[part];
    const count = counts.get(word);
    if (count === undefined) return sum;
    const shortened = 1 - byLength + (byLength * length) / (index.lengths[part] ?? 1);
    return sum + (weights[part] * count) / shortened;
  }, 0);
  const holding = index.vocabulary.get(word) ?? 0;
  const rarity = Math.log(1 + (index.documents.length - holding + 0.5) / (holding + 0.5));
  return (rarity * weighted) / (saturation + weighted);
}
