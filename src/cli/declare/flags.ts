import type { TObject, TSchema } from '@sinclair/typebox';
import type { AnyOperation } from '../../api/operation.js';
import { paging } from '../../api/validate.js';
import { encodings } from '../../base/encodings.js';
import { defined } from '../../base/values.js';
import { resourceOfField, resourceOfPlaceholder } from '../../model/resources.js';
import type { Argument, FlagChange, OperationSpec, Option } from './command.js';
import { type ContextParameter, contextFlags } from './global-flags.js';
import { blankOption, option } from './option.js';

/** Flags that do not come from a field of one operation: those of the grammar (command-tree, "Grammar"). */

/** What each parent is called. */
export const contextDescriptions: Record<ContextParameter, string> = {
  organizationId: 'Organization',
  spaceId: 'Space',
  siteId: 'Site',
  changeRequestId: 'Change request, by id or number',
};

/** A flag that many commands take, with one meaning. */
const standing = (usage: string, description: string, more: Partial<Option> = {}): Option =>
  option(usage, description, { standing: true, ...more });

/** The flag that names a parent, such as `--org`. */
export function contextOption(parameter: ContextParameter): Option {
  const name = contextFlags[parameter];
  const description = contextDescriptions[parameter];
  const value = parameter === 'changeRequestId' ? '<id>' : `<${name}>`;
  const letter = parameter === 'spaceId' ? { short: 's' } : {};
  const folded = parameter === 'organizationId' ? { standing: true as const } : {};
  return withKind({ ...blankOption, ...letter, ...folded, name, value, description, field: parameter });
}

/** Flags of every list (command-tree, "Grammar"). */
export const listOptions = (): Option[] => [
  standing('-L, --limit <n>', 'Maximum number of items; default: all', { number: 'count' }),
  standing('--page-size <n>', 'Items per request', { number: 'count', schema: paging.limit, default: 1000 }),
  standing('--page <cursor>', 'Start at this page', { schema: paging.page }),
];

/**
 * `--sort-by`, where a command prints a list.
 * @param options the other flags of the command
 * @param changesWith flags with which it prints another list, of what it did
 */
export function sortOption(options: readonly Option[], changesWith: readonly string[] = []): Option {
  const conflicts = options.flatMap(({ name }) =>
    name === 'page' || changesWith.includes(name) ? [name] : [],
  );
  return standing(
    '--sort-by <field>',
    'Sort by fields, such as title or role,id:desc; reads all items first',
    {
      ...(conflicts.length > 0 && { conflicts }),
    },
  );
}

/** `--full`, of what shows a plan. */
export const fullOption = standing('--full', 'Show every finding and note, not only the first 20 of a kind');

/** How much is done at once; `concurrencyOf` reads it. */
export const concurrencyOption = standing('--concurrency <n>', 'Requests sent in parallel', {
  number: 'count',
  default: 8,
});

/** Which part of the work is done, for commands that can be split (decision 045); `parseShard` reads it. */
export const shardOption = standing('--shard <i/n>', 'Only part i of n, such as 3/7, by a hash of the id');

/** Where a part is kept, and where parts are joined from; `withShards` reads them. */
export const partsOptions = (): Option[] => [
  standing('--parts <folder>', 'With --shard: folder for the part, to join all of them later', {
    path: { use: 'writes' },
    conflicts: ['merge'],
  }),
  standing('--merge <folder>', 'Join the parts in this folder instead of reading the platform', {
    path: { use: 'reads' },
    conflicts: ['shard'],
  }),
];

/** The own rate limit of a process, which several processes split; the session reads it. */
export const paceOption = standing('--pace <requests>', 'Requests per second at most, such as 0.5', {
  number: true,
});

export const failFastOption = standing('--fail-fast', 'Start no further item after a failure');

/** Flags of every change of many items. */
export const manyOptions = (): Option[] => [
  concurrencyOption,
  failFastOption,
  standing('--allow-empty', 'Accept an empty list of ids'),
  standing('--again', 'Start over, even if a job with the same input is unfinished'),
];

/** `--save-plan`, where a command changes something on the platform (PLANS.md, 1). */
export const savePlanOption = standing(
  '--save-plan <file>',
  'Write the changes to a file for docs apply; send only reads',
  { path: { use: 'writes' } },
);

/** Of a report; see `cli/run/output-file.ts`. */
export const outOption = standing(
  '--out <file>',
  'Write the report to a file, in the format of -o or of its extension',
  { path: { use: 'writes' }, receives: true },
);

/** Of what is looked at rather than piped; see `cli/run/report-page.ts`. */
export const htmlOption = standing('--html <file>', 'Print the report, and also write it as a page', {
  path: { use: 'writes' },
});

/** `--show`, where a command says on a terminal what it changed (VOICE.md, 7). */
export const showOption = standing('--show', 'Print the record on a terminal instead of a sentence', {
  conflicts: ['save-plan'],
});

/** `--watch`, where a command reads what moves. */
export const watchOption = standing(
  '--watch [interval]',
  'Read again every 2s, or as often as given, until nothing moves',
  { duration: true },
);

/** `--web`, where a command reads what `docs open` can open. */
export const webOption = standing('-w, --web', 'Open it in the browser instead of printing it');

/** `--unset`, where a command has nullable fields. */
export function unsetOption(fields: readonly string[]): Option {
  return option('--unset <field>...', 'Set a field to null; --input sends the text "null"', {
    choices: fields,
    closed: true,
    choiceError: 'not_nullable',
  });
}

/** `--fail-on`, where a command compares two states; and its name before. */
export const failOnChange = option('--fail-on <what>', 'Exit 17 if anything changed', {
  choices: ['change'],
  closed: true,
});
export const exitCodeOption = option('--exit-code', 'Exit 17 if anything changed', { hidden: true });

/** Whether a change is to fail: by `--fail-on`, or by its name before. */
export function failsOnChange({ failOn, exitCode }: Readonly<Record<string, unknown>>): boolean {
  return failOn === 'change' || exitCode === true;
}

/** `--input`, where a command sends a body. */
export const inputOption = standing('--input <file|->', 'JSON body to start from; flags override it', {
  reads: 'path',
});

/** `--editor`, where a command sends a text that a person writes. */
export const editorOption = (name: string): Option =>
  option('-e, --editor', `Write --${name} in your editor ($VISUAL or $EDITOR)`);

/** `--encoding`, where a command reads texts. */
export const encodingOption = standing(
  '--encoding <encoding>',
  'Encoding of the input text, unless it has a byte order mark',
  { choices: encodings, closed: true, default: 'utf-8' },
);

/** The flags that many commands take, for `docs help flags`: those that help folds. */
export const standingOptions = (): Option[] => [
  contextOption('organizationId'),
  ...listOptions(),
  sortOption([]),
  showOption,
  savePlanOption,
  inputOption,
  ...manyOptions(),
  paceOption,
  shardOption,
  ...partsOptions(),
  encodingOption,
  watchOption,
  webOption,
  outOption,
  htmlOption,
  fullOption,
];

/** From the fields of operations to flags. */

/** Fills in the kind of resource whose ids are taken: by the field, else by the placeholder. */
export function withKind<T extends Argument | Option>(taker: T): T {
  const placeholder = 'value' in taker ? taker.value : taker.name;
  const kind = taker.kind ?? resourceOfField(taker.field) ?? resourceOfPlaceholder(placeholder);
  return kind === undefined ? taker : { ...taker, kind };
}

/** The flags that fill the query and the body of an operation. @param taken fields that positionals fill */
export function fieldOptions(
  spec: OperationSpec<AnyOperation, string>,
  op: AnyOperation,
  taken: Set<string | undefined>,
): Option[] {
  const changes = spec.flags ?? {};
  return [...fieldsOf(op.query), ...fieldsOf(op.body)].flatMap(([field, schema, required]) => {
    if (taken.has(field) || changes[field] === false) return [];
    const parts = Object.entries(changes).filter(([key]) => key.startsWith(`${field}.`));
    if (parts.length > 0) {
      return parts.flatMap(([key, change]) =>
        change === false
          ? []
          : [fieldOption(key, partSchema(schema, key.slice(field.length + 1)), false, change)],
      );
    }
    const change = changes[field] || {};
    const other = change.or === undefined ? [] : [fieldOption(field, schema, false, change.or)];
    return [fieldOption(field, schema, required, change), ...other];
  });
}

function fieldsOf(schema: TSchema | undefined): (readonly [field: string, TSchema, required: boolean])[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Partial<
    Pick<TObject, 'properties' | 'required'>
  >;
  return Object.entries(properties).map(([field, of]) => [field, of, required.includes(field)]);
}

function partSchema(schema: TSchema, part: string): TSchema {
  return part.split('.').reduce<TSchema>((at, key) => at.properties?.[key] ?? {}, schema);
}

function fieldOption(field: string, schema: TSchema, required: boolean, change: FlagChange): Option {
  const branches = (schema.anyOf as TSchema[] | undefined) ?? [schema];
  const nullable = branches.some((branch) => branch.type === 'null');
  const cores = branches.filter((branch) => branch.type !== 'null');
  const core = cores.find((branch) => (branch.type === 'array') === change.variadic) ?? cores[0] ?? schema;
  const element: TSchema = core.type === 'array' ? core.items : core;
  const closed = element.enum !== undefined;
  const choices = (element.enum ?? element['x-known']) as readonly string[] | undefined;
  const isBoolean = core.type === 'boolean' && change.parse === undefined;
  const { name = kebab(field), pair = 'no', or: _, ...own } = change;
  return withKind({
    ...blankOption,
    ...defined({ default: schema.default as unknown, ...own, reads: own.longText ? 'at' : own.reads }),
    name,
    field,
    required,
    nullable,
    variadic: own.variadic ?? core.type === 'array',
    description: own.description ?? schema.description ?? core.description ?? inWords(name),
    ...(isBoolean
      ? { boolean: pair === false ? true : pair }
      : { value: own.value ?? `<${placeholder(name, element)}>` }),
    ...(choices !== undefined && { choices, closed }),
    ...(['number', 'integer'].includes(element.type) && { number: true as const }),
    schema: element,
  });
}

function placeholder(name: string, schema: TSchema): string {
  if (schema.type === 'number' || schema.type === 'integer') return 'n';
  if (schema.format === 'uri') return 'url';
  return name.split('-').at(-1) ?? 'value';
}

function kebab(field: string): string {
  return field.replace(/[A-Z]+/g, (capitals) => `-${capitals.toLowerCase()}`).replaceAll('.', '-');
}

/** A flag's name as words: `email-domain` → `Email domain`. */
export function inWords(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
