import { anchor } from '../base/name.js';
import type { Group, Option } from '../cli/declare/command.js';
import { visibleOptions } from '../cli/declare/global-flags.js';
import type { TreeEntry } from '../cli/declare/outline.js';
import type { DescribedCommand } from '../cli/help/describe.js';
import { argumentUsage, optionText } from '../cli/help/help.js';
import type { JsonSchema } from '../cli/help/plain-schema.js';
import { tableLines } from '../document/markdown.js';

/** The reference page of a group: everything the declarations say about its commands. */

/** A command and its description. */
export interface PageCommand {
  entry: TreeEntry;
  described: DescribedCommand;
}

/** A group as listed in the root help. */
export interface GroupPage {
  name: string;
  aliases: readonly string[];
  summary: string;
  /** Absent for a command at the root. */
  group?: Group;
  commands: readonly PageCommand[];
}

/** The text of the page `docs/reference/<name>.md`. */
export function groupPage(page: GroupPage): string {
  const { name, aliases, summary, group, commands } = page;
  const index = commands.map(({ entry, described }) => [
    `[docs ${entry.path}](#${anchor(`docs ${entry.path}`)})`,
    escaped(described.summary),
  ]);
  const isGroup = group !== undefined;
  const shown = new Map<string, string>();
  return lines(
    `# docs ${name}`,
    '',
    escaped(`${group?.summary ?? summary}.${group?.why === undefined ? '' : ` ${group.why}`}`),
    ...aliasLine(aliases.map((alias) => `docs ${alias}`)),
    ...(isGroup ? ['', ...tableLines(['Command', ''], index)] : []),
    ...commands.flatMap((told) => ['', ...commandSection(told, isGroup, shown)]),
  );
}

/** The section of a command. `shown` names, by shape, the command whose section describes it already. */
function commandSection(
  { entry, described }: PageCommand,
  heading: boolean,
  shown: Map<string, string>,
): string[] {
  const { command } = entry;
  const { why, aliases, usage, danger } = described;
  const about = [`${described.summary}.`, ...(why === undefined ? [] : [why]), dangers[danger] ?? ''];
  return [
    ...(heading ? [`## docs ${entry.path}`, '', escaped(about.filter(Boolean).join(' ')), ''] : []),
    ...(!heading && why !== undefined ? [escaped(about.slice(1).filter(Boolean).join(' ')), ''] : []),
    '```text',
    usage,
    '```',
    ...aliasLine(aliases),
    ...titled(
      'Arguments',
      described.args.map((argument) => [
        code(argumentUsage({ ...argument, variadic: false })),
        escaped(withSource(argument.description, argument.idsFrom)),
      ]),
    ),
    ...titled(
      'Flags',
      described.options.map((option, at) => [
        code(option.flags),
        escaped(withSource(optionText(visibleOptions(command)[at] as Option), option.idsFrom)),
      ]),
    ),
    ...requests(described),
    ...results(entry.path, described, shown),
    '',
    `**Exit codes** ${described.exitCodes.map((exit) => exit.code).join(', ')} ([meanings](${exitPage}))`,
    '',
    '**Examples**',
    '',
    '```sh',
    ...described.examples.flatMap(({ run, does }) => [`# ${does}`, run]),
    '```',
  ];
}

function aliasLine(aliases: readonly string[]): string[] {
  return aliases.length === 0 ? [] : ['', `Alias: ${aliases.map(code).join(', ')}`];
}

const exitPage = '../guide/errors-and-exit-codes.md';

const dangers: Readonly<Record<string, string>> = {
  confirm: 'Asks for confirmation; scripts must pass --yes.',
  'type-title': 'Asks you to type the title or the id; scripts must pass --yes.',
};

function withSource(text: string, idsFrom: string | undefined): string {
  return idsFrom === undefined ? text : `${text}; ${idsFrom} lists them`;
}

function titled(title: string, rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0 ? [] : ['', ...tableLines([title, ''], rows)];
}

function requests({ request }: DescribedCommand): string[] {
  if (request.length === 0) return [];
  const rows = request.map(({ method, path, parameters }) => {
    const from = Object.entries(parameters).map(([name, source]) => `${code(name)} from ${code(source)}`);
    return [code(`${method} ${path}`), from.join(', ')];
  });
  return ['', ...tableLines(['Request', ''], rows)];
}

/** The shapes of the JSON; one that the page already describes becomes a link. */
function results(path: string, { result }: DescribedCommand, shown: Map<string, string>): string[] {
  return shapesOf(result).flatMap(({ lead, fields }, index) => {
    const or = index === 0 ? '**JSON** ' : 'Or: ';
    const key = JSON.stringify(fields);
    const before = fields.length === 0 ? undefined : shown.get(key);
    if (before !== undefined) {
      const link = `[docs ${before}](#${anchor(`docs ${before}`)})`;
      return ['', `${or}${escaped(lead.replace(/[:.]$/, ''))}, as for ${link}.`];
    }
    shown.set(key, path);
    const plain = fields.every(({ description }) => description === '');
    const rows = fields.map((field) => [
      code(field.path),
      escaped(field.type),
      ...(plain ? [] : [escaped(field.description)]),
    ]);
    const head = plain ? ['Field', 'Type'] : ['Field', 'Type', ''];
    return ['', `${or}${escaped(lead)}`, ...(rows.length === 0 ? [] : ['', ...tableLines(head, rows)])];
  });
}

/** A field of a printed object. */
interface Field {
  /** Dotted path; `[]` means each item of a list, `?` a field that may be absent. */
  path: string;
  type: string;
  description: string;
}

/** One of the shapes that a command may print. */
interface Shape {
  /** Such as `A list. Each item:`, `An object:`, `A string.` */
  lead: string;
  fields: Field[];
}

/** The shapes of a result: more than one if the shape depends on the input. */
function shapesOf(result: JsonSchema): Shape[] {
  const definitions = (result.$defs ?? {}) as Record<string, JsonSchema>;
  const branches = (result.anyOf as JsonSchema[] | undefined) ?? [result];
  return branches.map((branch) => shapeOf(branch, definitions));
}

function shapeOf(schema: JsonSchema, definitions: Record<string, JsonSchema>): Shape {
  const about = typeof schema.description === 'string' ? ` (${lowered(schema.description)})` : '';
  const item = schema.items as JsonSchema | undefined;
  if (schema.type === 'array' && item !== undefined) {
    if (item.properties === undefined) return { lead: `A list of ${typeText(item)}${about}.`, fields: [] };
    return { lead: `A list${about}. Each item:`, fields: fieldsOf(item, '', definitions) };
  }
  if (schema.properties !== undefined)
    return { lead: `An object${about}:`, fields: fieldsOf(schema, '', definitions) };
  if (schema.type === 'string') return { lead: `A string${about}.`, fields: [] };
  const told = typeof schema.description === 'string' ? schema.description : 'Any JSON value';
  return { lead: `${told}.`, fields: [] };
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** The fields of an object, nested ones after the field that contains them. */
function fieldsOf(schema: JsonSchema, prefix: string, definitions: Record<string, JsonSchema>): Field[] {
  const required = (schema.required ?? []) as string[];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return properties.flatMap(([name, part]) => {
    const path = `${prefix}${name}`;
    const own: Field = {
      path: required.includes(name) ? path : `${path}?`,
      type: typeText(part),
      description: typeof part.description === 'string' ? part.description : '',
    };
    const { core, list } = inside(part);
    return core.properties === undefined
      ? [own]
      : [own, ...fieldsOf(core, `${path}${list ? '[]' : ''}.`, definitions)];
  });
}

/** The object schema of a field, without null; for a list, that of its items. */
function inside(schema: JsonSchema): { core: JsonSchema; list: boolean } {
  const branches = (schema.anyOf as JsonSchema[] | undefined)?.filter(({ type }) => type !== 'null');
  const core = branches?.length === 1 ? (branches[0] ?? schema) : schema;
  if (core.type !== 'array') return { core, list: false };
  return { core: inside((core.items ?? {}) as JsonSchema).core, list: true };
}

/** A type in words: `string`, `number or null`, `list of string`, `one of a, b`. */
function typeText(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.map(String).join(', ')}`;
  if (schema.$ref !== undefined) return 'the same type, nested';
  if (Array.isArray(schema.anyOf)) {
    return [...new Set((schema.anyOf as JsonSchema[]).map(typeText))].join(' or ');
  }
  if (schema.type === 'array') return `list of ${typeText((schema.items ?? {}) as JsonSchema)}`;
  if (Array.isArray(schema.examples)) return `string, such as ${schema.examples.map(String).join(', ')}`;
  if (schema.format === 'date-time') return 'time';
  return typeof schema.type === 'string' ? schema.type : 'any value';
}

/** Builds Markdown from plain text. */

/** Escapes all characters with a meaning in Markdown. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|]/g, '\\$&');
}

/** A code span, also valid in a table cell. */
export function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  return `${fence}${text.replaceAll('|', '\\|')}${fence}`;
}

/** Joins lines to the text of a file. */
export function lines(...texts: readonly string[]): string {
  return `${texts.join('\n')}\n`;
}
