import type { Issue } from '../api/check.js';
import type { LooseInput } from '../api/client.js';
import { type AnyOperation, pathParameters } from '../api/operation.js';
import { DocsError, usageError } from '../errors.js';
import type { Resolved, Settings } from '../settings/settings.js';
import type { Command, ManualInput, Option, Parse } from './command.js';
import { missingContext } from './context.js';
import { type ContextParameter, contextFlags } from './define.js';
import { askFor } from './prompts.js';
import type { Session } from './session.js';
import { readIds, readJsonObject, readLongText, readSource } from './typed-text.js';

/** From what was typed to the requests that will be sent: gathered, completed, checked. */

/** One request to come. */
export interface PlannedCall {
  op: AnyOperation;
  input: LooseInput;
  /** The id that names the item: the last path parameter. */
  id: string;
}

export interface Assembled {
  calls: PlannedCall[];
  /** Whether the results are those of many items: several ids, or ids from a file or standard input. */
  many: boolean;
}

/** Values by field, in the form that is sent. */
type Values = Map<string, unknown>;

/**
 * Assembles the calls of a command: one, or one an id where the command takes many.
 * Asks for what is missing on a terminal.
 * @throws usage errors that name flag and limit; nothing was sent
 */
export async function assemble(session: Session, command: Command, input: ManualInput): Promise<Assembled> {
  const values: Values = new Map();
  const base = await readBase(session, input);
  const many = await gatherArguments(session, command, input, values);
  await gatherOptions(session, command, input, values, base);
  await askForMissing(session, command, values, base, many !== undefined);
  fillContext(session.settings, command, values);
  const op = chooseOperation(command, values, many?.field);
  refuseForeign(command, op, values);
  const ids: readonly (string | undefined)[] = many?.ids ?? [undefined];
  const calls = ids.map((id) => plan(op, values, base, many?.field, id));
  const check = await session.checker();
  for (const call of calls) refuseIssues(command, check(op, call.input), call.input);
  refuseNoChange(command, op, calls[0]);
  return { calls, many: many !== undefined && !many.single };
}

async function readBase(session: Session, input: ManualInput): Promise<Record<string, unknown>> {
  const source = input.options.input;
  return typeof source === 'string' ? readJsonObject(session.io, source, '--input') : {};
}

/** The positional that takes many ids, if the command has one. */
export function manyArgument(command: Command): { name: string; field: string } | undefined {
  const paths = command.operations.flatMap((op) => pathParameters(op.path));
  const found = command.args.find(
    (arg) => arg.variadic && arg.field !== undefined && paths.includes(arg.field),
  );
  return found?.field === undefined ? undefined : { name: found.name, field: found.field };
}

async function gatherArguments(
  session: Session,
  command: Command,
  input: ManualInput,
  values: Values,
): Promise<{ field: string; ids: string[]; single: boolean } | undefined> {
  const many = manyArgument(command);
  let ids: string[] | undefined;
  let single = false;
  for (const arg of command.args) {
    const typed = input.args[arg.name];
    if (arg.field === undefined || typed === undefined || typed.length === 0) continue;
    if (arg.field === many?.field) {
      ids = await readIds(session.io, typed as string[], arg.name);
      single = typed.length === 1 && ids[0] === typed[0];
      if (ids.length === 0 && !input.options.allowEmpty) {
        throw usageError(
          'no_items',
          `No ids were given for <${arg.name}>; add --allow-empty if that is fine.`,
        );
      }
    } else {
      const change = command.spec?.flags?.[arg.field];
      const parse = change ? change.parse : undefined;
      values.set(arg.field, parse ? await parseTyped(session, parse, typed, `<${arg.name}>`) : typed);
    }
  }
  return many && ids ? { field: many.field, ids, single } : undefined;
}

async function gatherOptions(
  session: Session,
  command: Command,
  input: ManualInput,
  values: Values,
  base: Record<string, unknown>,
): Promise<void> {
  for (const option of command.options) {
    const typed = typedOption(option, input);
    if (option.field === undefined || typed === undefined) continue;
    refuseSecond(command, option, values);
    values.set(option.field, await sentValue(session, option, typed));
  }
  const { pageSize, page, limit } = input.options;
  if (limit !== undefined) wholeNumber('--limit', limit);
  if (pageSize !== undefined) values.set('limit', wholeNumber('--page-size', pageSize));
  if (page !== undefined) values.set('page', page);
  for (const name of (input.options.unset as string[] | undefined) ?? []) {
    const option = command.options.find((candidate) => candidate.name === name && candidate.nullable);
    if (option?.field === undefined) {
      const known = command.options
        .filter((candidate) => candidate.nullable)
        .map((candidate) => candidate.name);
      throw usageError('not_nullable', `--unset must be one of ${known.join(', ')}, not "${name}".`);
    }
    if (values.has(option.field))
      throw usageError('contradiction', `--${name} and --unset ${name} contradict each other.`);
    values.set(option.field, null);
    delete base[option.field];
  }
}

/** Two flags may fill one field, each in its way: `--space-id` and `--new-space`. */
function refuseSecond(command: Command, option: Option, values: Values): void {
  if (option.field === undefined || !values.has(option.field)) return;
  const first = command.options.find((candidate) => candidate.field === option.field);
  throw usageError('contradiction', `--${first?.name} and --${option.name} contradict each other.`);
}

/** What was typed for an option; the second flag of a pair means false. */
function typedOption(option: Option, input: ManualInput): unknown {
  const typed = input.options[camel(option.name)];
  const isPair = typeof option.boolean === 'string' && !['no', 'only-no'].includes(option.boolean);
  if (!isPair || input.options[camel(option.boolean as string)] !== true) return typed;
  if (typed === true)
    throw usageError('contradiction', `--${option.name} and --${option.boolean} contradict each other.`);
  return false;
}

async function sentValue(session: Session, option: Option, typed: unknown): Promise<unknown> {
  const flag = `--${option.name}`;
  if (option.nullable && option.closed && typed === 'none') return null;
  if (option.longText && typeof typed === 'string') {
    const text = await readLongText(session.io, typed, flag);
    return option.parse ? parseTyped(session, option.parse, text, flag) : text;
  }
  if (option.parse) return parseTyped(session, option.parse, typed as string | string[], flag);
  return option.number ? numberValue(flag, typed) : typed;
}

/** Runs a declared parser, whose errors are the rest of a sentence that begins with the flag. */
async function parseTyped(
  session: Session,
  parse: Parse,
  typed: string | string[],
  flag: string,
): Promise<unknown> {
  try {
    return await parse(typed, (source) => readSource(session.io, source, flag));
  } catch (cause) {
    if (cause instanceof DocsError) throw cause;
    throw usageError('bad_value', `${flag} ${(cause as Error).message}.`);
  }
}

function numberValue(flag: string, typed: unknown): number {
  const value = Number(typed);
  if (typed === '' || Number.isNaN(value))
    throw usageError('not_a_number', `${flag} must be a number, not "${typed}".`);
  return value;
}

/** A whole number of at least 1, for `--limit` and its kin. */
export function wholeNumber(flag: string, typed: unknown): number {
  const value = numberValue(flag, typed);
  if (!Number.isSafeInteger(value) || value < 1) {
    throw usageError('not_a_number', `${flag} must be a whole number of at least 1, not "${typed}".`);
  }
  return value;
}

async function askForMissing(
  session: Session,
  command: Command,
  values: Values,
  base: Record<string, unknown>,
  hasIds: boolean,
): Promise<void> {
  const many = manyArgument(command);
  for (const arg of command.args) {
    if (!arg.required || arg.field === undefined || values.has(arg.field)) continue;
    if (arg.field === many?.field && hasIds) continue;
    const typed = await askFor(session, { what: `<${arg.name}>`, label: arg.description, command });
    values.set(arg.field, typed);
  }
  for (const option of command.options) {
    if (!option.required || option.field === undefined || values.has(option.field) || option.field in base)
      continue;
    const choices = option.closed ? option.choices : undefined;
    const typed = await askFor(session, {
      what: `--${option.name}`,
      label: option.description,
      command,
      choices,
    });
    values.set(option.field, await sentValue(session, option, option.variadic ? [typed] : typed));
  }
}

/** Parents come from flag, environment, project file or profile; the flags are in the settings already. */
function fillContext(settings: Settings, command: Command, values: Values): void {
  const needed = new Set(command.operations.flatMap((op) => pathParameters(op.path)));
  for (const [parameter, name] of Object.entries(contextFlags) as [ContextParameter, string][]) {
    if (!needed.has(parameter) || values.has(parameter) || name === 'change-request') continue;
    const resolved = settings[name as 'org' | 'space' | 'site'] as Resolved<string> | undefined;
    if (resolved !== undefined) values.set(parameter, resolved.value);
  }
}

function chooseOperation(command: Command, values: Values, manyField: string | undefined): AnyOperation {
  const missing = (op: AnyOperation) =>
    pathParameters(op.path).filter((name) => !values.has(name) && name !== manyField);
  const chosen = command.operations.find((op) => missing(op).length === 0);
  if (chosen !== undefined) return chosen;
  const lacking = missing(command.operations.at(-1) as AnyOperation)[0] as string;
  const flag = contextFlags[lacking as ContextParameter];
  throw flag === undefined
    ? usageError('missing_argument', `<${lacking}> is missing.`)
    : missingContext(flag);
}

/** A flag that only a sibling operation knows, such as `--status` for links of a change request. */
function refuseForeign(command: Command, op: AnyOperation, values: Values): void {
  if (command.operations.length < 2) return;
  const own = new Set([
    ...pathParameters(op.path),
    ...Object.keys(op.query.properties),
    ...bodyFields(op),
    'page',
    'limit',
  ]);
  for (const field of values.keys()) {
    const top = field.split('.')[0] as string;
    if (own.has(top) || field in contextFlags) continue;
    const elsewhere = pathParameters(op.path).includes('changeRequestId') ? 'a change request' : 'a space';
    throw usageError('not_available', `${labelOf(command, field)} is not available for ${elsewhere}.`);
  }
}

function bodyFields(op: AnyOperation): string[] {
  return Object.keys((op.body?.properties ?? {}) as object);
}

function plan(
  op: AnyOperation,
  values: Values,
  base: Record<string, unknown>,
  manyField: string | undefined,
  id: string | undefined,
): PlannedCall {
  const all: Values = new Map(values);
  if (manyField !== undefined && id !== undefined) all.set(manyField, id);
  const parameters = pathParameters(op.path);
  const path = Object.fromEntries(parameters.map((name) => [name, String(all.get(name))]));
  const body: Record<string, unknown> = structuredClone(base);
  const query: Record<string, unknown> = {};
  const inBody = new Set(bodyFields(op));
  for (const [field, value] of all) {
    if (parameters.includes(field) || field in contextFlags) continue;
    if (inBody.has(field.split('.')[0] as string)) setDeep(body, field.split('.'), value);
    else query[field] = value;
  }
  return {
    op,
    input: { path, query, ...(op.body === undefined ? {} : { body }) },
    id: path[parameters.at(-1) ?? ''] ?? '',
  };
}

function setDeep(target: Record<string, unknown>, [key, ...rest]: string[], value: unknown): void {
  if (key === undefined) return;
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const inner = (target[key] ?? {}) as Record<string, unknown>;
  target[key] = inner;
  setDeep(inner, rest, value);
}

function refuseIssues(command: Command, issues: readonly Issue[], input: LooseInput): void {
  const [first, ...others] = issues;
  if (first === undefined) return;
  const lines = [first, ...others].map(
    (issue) => `${labelOf(command, issue.field, issue)} ${issue.message}${gotOf(issue, input)}.`,
  );
  throw usageError('invalid_input', lines.slice(0, 3).join(' '), {
    details: { issues: issues.map(({ field, message }) => ({ field, message })) },
  });
}

/** Adds what was given, where it is short enough to help. */
function gotOf(issue: Issue, input: LooseInput): string {
  if (issue.keyword === 'required' || issue.keyword === 'additionalProperties') return '';
  let value: unknown = issue.where === 'body' ? input.body : input[issue.where];
  for (const key of issue.field.split('.')) value = (value as Record<string, unknown> | undefined)?.[key];
  if (typeof value === 'string' && /Length$/.test(issue.keyword)) return `, not ${[...value].length}`;
  const text = JSON.stringify(value);
  return text === undefined || text.length > 60 ? '' : `, not ${text}`;
}

/** The name a person knows a field by: its flag or positional, else its place in `--input`. */
function labelOf(command: Command, field: string, issue?: Issue): string {
  if (issue?.where === 'query' && field === 'limit') return '--page-size';
  if (issue?.where === 'query' && field === 'page') return '--page';
  const known = issue?.keyword !== 'additionalProperties';
  const top = field.split('.')[0];
  const arg = command.args.find(
    (candidate) => candidate.field === field || (known && candidate.field === top),
  );
  if (arg !== undefined) return `<${arg.name}>`;
  const option = command.options.find(
    (candidate) => candidate.field === field || (known && candidate.field === top),
  );
  const parts = command.options.filter((candidate) => candidate.field?.startsWith(`${field}.`));
  if (known && parts.length > 0) return parts.map((part) => `--${part.name}`).join(' or ');
  return option === undefined ? `--input: ${field}` : `--${option.name}`;
}

function refuseNoChange(command: Command, op: AnyOperation, call: PlannedCall | undefined): void {
  const body = call?.input.body;
  if (op.method !== 'PATCH' && command.name !== 'update') return;
  if (op.body === undefined || body === undefined || Object.keys(body as object).length > 0) return;
  const flags = command.options.filter(
    (option) => option.field !== undefined && bodyFields(op).includes(option.field.split('.')[0] as string),
  );
  throw usageError(
    'nothing_to_change',
    `Nothing to change: give at least one of ${flags.map((o) => `--${o.name}`).join(', ')}.`,
  );
}

/** Commander keeps `--email-domain` as `emailDomain`. */
export function camel(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
