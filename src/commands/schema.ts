import { Type } from '../api/type.js';
import type { GroupEntry } from '../cli/declare/command.js';
import { manual } from '../cli/declare/define.js';
import { option } from '../cli/declare/standing-flags.js';
import { commandTree, type TreeEntry } from '../cli/declare/tree.js';
import { describe } from '../cli/help/describe.js';
import { wholeInputSchema } from '../cli/help/describe-input.js';
import { errorSchema } from '../cli/help/describe-result.js';
import { dialect, type JsonSchema } from '../cli/help/plain-schema.js';
import { type DocsError, usageError } from '../errors.js';
import { nearest } from '../nearest.js';
import { maybe } from '../output/printed-shapes.js';

/** `docs schema`: the JSON Schemas of one command's input and output. */

/** The schemas that a command has, by the name of the part. */
const parts = ['input', 'body', 'result', 'preview', 'error'] as const;
type Part = (typeof parts)[number];

const anyObject = Type.Object({});

export const schema = manual({
  name: 'schema',
  summary: 'Print the JSON Schemas of a command',
  why:
    'Parts: input (arguments and flags), body (for --input), result (of --json), preview (of --dry-run ' +
    '--json) and error (on stderr).',
  args: { '<command...>': 'Words of the command: members update' },
  options: [
    option('--part <part>', 'Print only this schema', {
      choices: parts,
      closed: true,
      choiceError: 'unknown_part',
    }),
  ],
  returns: Type.Object({
    command: maybe,
    input: Type.Optional(anyObject),
    body: Type.Optional(anyObject),
    result: Type.Optional(anyObject),
    preview: Type.Optional(anyObject),
    error: Type.Optional(anyObject),
  }),
  examples: {
    'schema members update': 'print all schemas of a command',
    'schema spaces update --part body': 'print the schema of --input',
  },
  local: true,
  async run(session, { args, options }, { groups }) {
    const words = ([args.command ?? []].flat() as string[]).flatMap((word) => word.split(/\s+/));
    const entry = findCommand(await commandTree(groups), groups, words);
    const schemas = schemasOf(entry);
    const part = parts.find((name) => name === options.part);
    if (part === undefined) return session.printer.value(schemas);
    const chosen = schemas[part];
    if (chosen === undefined) throw noSuchPart(entry, part);
    return session.printer.value(chosen);
  },
});

/** All schemas of a command, each a document of its own. */
export function schemasOf(entry: TreeEntry): { command: string } & Partial<Record<Part, JsonSchema>> {
  const { body, result, preview } = describe(entry);
  const document = (what: string, given: JsonSchema): JsonSchema => ({
    $schema: dialect,
    title: `docs ${entry.path}: ${what}`,
    ...given,
  });
  return {
    command: entry.path,
    input: document('input', wholeInputSchema(entry.command)),
    ...(body !== undefined && { body: document('body', body) }),
    result: document('result', result),
    ...(preview !== undefined && { preview: document('preview', preview) }),
    error: document('error', errorSchema),
  };
}

/**
 * The command of these words; aliases count.
 * @throws DocsError usage `missing_argument`, `unknown_command`, naming the commands of a group, or the nearest
 */
export function findCommand(
  tree: readonly TreeEntry[],
  groups: readonly GroupEntry[],
  words: readonly string[],
): TreeEntry {
  const typed = ownWords(words[0] === 'docs' ? words.slice(1) : words, groups).join(' ');
  if (typed === '') throw usageError('missing_argument', '<command...> is required: the words of a command.');
  const found = tree.find((entry) => spellings(entry).includes(typed));
  if (found !== undefined) return found;
  const below = tree.filter(({ path }) => path.startsWith(`${typed} `)).map(({ path }) => path);
  if (below.length > 0)
    throw usageError('unknown_command', `docs ${typed} is a group; its commands: ${below.join(', ')}.`);
  const meant = nearest(
    typed,
    tree.map(({ path }) => path),
  );
  const near = meant === undefined ? '' : ` Did you mean ${meant}?`;
  throw usageError('unknown_command', `There is no command docs ${typed}.${near}`, { hint: 'docs commands' });
}

/** The words with the group's own name in place of a short one: `cr list`. */
function ownWords([group, ...rest]: readonly string[], groups: readonly GroupEntry[]): string[] {
  const entry = groups.find(({ aliases }) => aliases?.includes(group ?? ''));
  return group === undefined ? [] : [entry?.name ?? group, ...rest];
}

/** A command's own words, and those with its short name in place of the last. */
function spellings({ path, command }: TreeEntry): string[] {
  const above = path.split(' ').slice(0, -1);
  return [path, ...command.aliases.map((alias) => [...above, alias].join(' '))];
}

function noSuchPart({ path, command }: TreeEntry, part: Part): DocsError {
  const why =
    part === 'body'
      ? 'sends no body'
      : `changes nothing${command.danger === 'read' ? '' : ' of the platform'}`;
  return usageError('no_such_schema', `docs ${path} ${why}, so it has no ${part} schema.`, {
    hint: `docs schema ${path}`,
  });
}
