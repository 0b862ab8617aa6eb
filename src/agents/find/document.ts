import type { TSchema } from '@sinclair/typebox';
import type { Command } from '../../cli/declare/command.js';
import type { TreeEntry } from '../../cli/declare/tree.js';
import { fieldPaths } from '../../output/field-paths.js';
import { isIdle, stem, wordsIn } from './words.js';

/** A command as a document: its declaration, cut into parts of different weight. */

/** How much a word in each part counts. */
export const weights = {
  path: 5,
  summary: 4,
  aliases: 1.5,
  examples: 1.5,
  why: 1,
  arguments: 0.7,
  flags: 0.7,
  fields: 0.3,
} as const;

export type Part = keyof typeof weights;
export const parts = Object.keys(weights) as Part[];

/** How often each word, without its ending, stands in a part; and how many words the part has. */
export interface PartWords {
  counts: ReadonlyMap<string, number>;
  length: number;
}

export interface CommandDocument {
  entry: TreeEntry;
  parts: Readonly<Record<Part, PartWords>>;
}

/** The words of a command's declaration, by part. */
export function documentOf(entry: TreeEntry): CommandDocument {
  const { path, command } = entry;
  const { aliases, summary, why = '', examples, args, options } = command;
  const takers = (all: Command['args'] | Command['options']): string =>
    all.map(({ name, description, choices = [] }) => [name, description, ...choices].join(' ')).join(' ');
  const texts: Record<Part, string> = {
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
  return { entry, parts: Object.fromEntries(counted) as Record<Part, PartWords> };
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
