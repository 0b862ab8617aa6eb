import { defined, isObject } from '../../base/values.js';
import type { TreeEntry } from '../../cli/declare/tree.js';
import { describe as describeFully } from '../../cli/help/describe.js';
import type { DescribedCommand, DescribedOption } from '../../cli/help/described-command.js';
import { argumentUsage } from '../../cli/help/help.js';
import type { JsonSchema } from '../../cli/help/plain-schema.js';
import { operationOf } from '../../jobs/operation-of.js';
import { ruleOf } from '../../jobs/undo-rules.js';
import { isPlannable } from './guard.js';

/** `docs_describe`: one command, in few words. */

/** Most characters of a description. */
export const mostDescribed = 2400;

/** A command in short: as long as it may be, with less and less where it is too long. */
export function describeCommand(entry: TreeEntry): Record<string, unknown> {
  const full = describeFully(entry);
  const steps: readonly Detail[] = [
    { text: 200, fields: 40, examples: 2, names: false },
    { text: 90, fields: 30, examples: 1, names: false },
    { text: 60, fields: 20, examples: 1, names: false },
    { text: 40, fields: 12, examples: 1, names: false },
    { text: 40, fields: 12, examples: 1, names: true },
    { text: 20, fields: 6, examples: 0, names: true },
  ];
  const found = steps
    .map((detail) => told(entry, full, detail))
    .find((one) => JSON.stringify(one).length <= mostDescribed);
  return found ?? { command: entry.path, usage: full.usage, more: pageOf(entry.path) };
}

/** Limits of a description: characters of a text, fields of the result, examples. */
interface Detail {
  text: number;
  fields: number;
  examples: number;
  names: boolean;
}

function told(entry: TreeEntry, full: DescribedCommand, detail: Detail): Record<string, unknown> {
  const { command, path } = entry;
  const { text, names, examples } = detail;
  const fields = fieldsOf(full.result);
  const shown = fields.slice(0, detail.fields);
  return defined({
    command: path,
    summary: full.summary,
    why: full.why && short(full.why, text * 2),
    usage: full.usage,
    tool: toolOf(entry),
    danger: full.danger,
    arguments: full.args.map(
      (argument) => `${argumentUsage({ ...argument, variadic: false })} ${short(argument.description, text)}`,
    ),
    flags: full.options
      .filter(({ name }) => !['save-plan', 'show', 'encoding'].includes(name))
      .map((option) => (names ? option.flags : flagText(option, text))),
    result: [...shown, ...(fields.length > shown.length ? ['…'] : [])].join(', '),
    undo: undoOf(command.operations.filter(({ method }) => method !== 'GET').map(({ id }) => id)),
    examples: full.examples.slice(0, examples).map(({ run }) => run),
    more: pageOf(path),
  });
}

/** The reference page that has all of it. */
function pageOf(path: string): string {
  return `docs://reference/${path.split(' ')[0]}`;
}

/** The tool that runs it; undefined for commands of this machine. */
export function toolOf({ command }: Pick<TreeEntry, 'command'>): string | undefined {
  const { danger, actsHere, effect } = command;
  if (danger === 'read' && actsHere !== true && effect !== 'local') return 'docs_read';
  return isPlannable(command) ? 'docs_plan' : undefined;
}

function flagText(
  { flags, description, limits = {}, choices = [], required }: DescribedOption,
  text: number,
) {
  const bounds = Object.entries(limits)
    .filter(([, value]) => typeof value === 'number')
    .map(([name, value]) => `${name} ${String(value)}`);
  const about = [short(description, text), ...bounds, ...(required ? ['required'] : [])];
  const values = choices.length === 0 ? '' : ` [${choices.slice(0, 8).join('|')}]`;
  return `${flags}: ${about.join('; ')}${values}`;
}

function short(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).trimEnd()}…`;
}

/** Names at the top of what is printed; of a list, those of an item. */
function fieldsOf(schema: JsonSchema): string[] {
  const names = new Set<string>();
  const visit = (at: unknown, depth: number): void => {
    if (!isObject(at) || depth > 6) return;
    const { $ref, properties, items, anyOf } = at;
    if (typeof $ref === 'string' && isObject(schema.$defs))
      visit(schema.$defs[$ref.replace('#/$defs/', '')], depth + 1);
    if (isObject(properties)) for (const name of Object.keys(properties)) names.add(name);
    visit(items, depth + 1);
    if (Array.isArray(anyOf)) for (const branch of anyOf) visit(branch, depth + 1);
  };
  visit(schema, 0);
  return [...names];
}

/** What undo can do as far as the kind of change shows; a plan tells it for each request. */
function undoOf(operations: readonly string[]): string | undefined {
  if (operations.length === 0) return undefined;
  if (operations.length > 4) return 'depends on the change; docs_plan tells';
  return [...new Set(operations.map(forecastOf))].join(' or ');
}

function forecastOf(id: string): string {
  try {
    const { undo, why } = ruleOf(operationOf(id)).forecast({ path: {}, query: {}, body: {} });
    return why === undefined ? undo : `${undo}: ${short(why, 120)}`;
  } catch {
    return 'depends on the change; docs_plan tells';
  }
}
