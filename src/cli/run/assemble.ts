import type { LooseInput } from '../../api/client.js';
import { copyJson } from '../../api/json-values.js';
import type { AnyOperation } from '../../api/operation.js';
import { pathParameters } from '../../api/operation-facts.js';
import { checkInput, type Issue } from '../../api/validate.js';
import { sentences, usageError } from '../../base/errors.js';
import { didYouMean, nearest } from '../../base/nearest.js';
import type { Change } from '../../jobs/change.js';
import { stringify } from '../../output/json.js';
import type { Resolved, Settings } from '../../settings/settings.js';
import { type Command, camel, type ManualInput, type Option } from '../declare/command.js';
import { type ContextParameter, contextFlags } from '../declare/global-flags.js';
import type { Session } from '../declare/session.js';
import { editedOption, manyArgument } from '../declare/told.js';
import {
  type Asking,
  gatherArguments,
  gatherOptions,
  lacksOption,
  readBase,
  type Typed,
  type Values,
} from './gather.js';

/** From what was typed to the requests that will be sent: gathered, completed, checked. */

/** One request to come. */

export interface Assembled {
  calls: Change[];
  /** Whether the results are those of many items: several ids, or ids from a file or standard input. */
  many: boolean;
}

/** The calls of a command, one per id; asks for what is missing. @throws usage errors; nothing was sent */
export async function assemble(session: Session, command: Command, input: ManualInput): Promise<Assembled> {
  const values: Values = new Map();
  const typed: Typed = { session, command, input };
  const base = await readBase(typed);
  const many = await gatherArguments(typed, values);
  await gatherOptions(typed, values, base);
  const one = many === undefined ? [undefined] : many.ids;
  const planWith = async (field: string, value: unknown) => {
    const known = new Map(values).set(field, value);
    fillContext(session.settings, command, known);
    const asked = await chooseOperation(session, command, known, many?.field);
    return planner(asked, known, base, many?.field)(one[0]);
  };
  await askForMissing(typed, values, base, many !== undefined, {
    async present(field) {
      if (one.length !== 1) return undefined;
      const { presentValue } = await import('./ask-missing.js');
      return presentValue(session, await planWith(field, null), field);
    },
    async check(field, value) {
      const call = await planWith(field, value);
      const own = checkInput(call.op, call.input).filter((issue) =>
        `${issue.field}.`.startsWith(`${field}.`),
      );
      refuseIssues(command, own, call.input);
    },
  });
  fillContext(session.settings, command, values);
  const op = await chooseOperation(session, command, values, many?.field);
  refuseForeign(command, op, values);
  const ids: readonly (string | undefined)[] = many?.ids ?? [undefined];
  const flags = flagsFor(command, input);
  const planned = planner(op, values, base, many?.field);
  const calls = ids.map((id) => ({ ...planned(id), ...flags }));
  for (const call of calls) refuseIssues(command, checkInput(op, call.input), call.input);
  refuseNoChange(command, op, calls[0]);
  return { calls, many: many !== undefined && !many.single };
}

/** The flags that were given for the guard. */
function flagsFor({ spec }: Command, { options }: ManualInput): Pick<Change, 'flags'> {
  const given = (spec?.guardFlags ?? [])
    .map(({ name }) => name)
    .filter((name) => options[camel(name)] === true);
  return given.length > 0 ? { flags: given } : {};
}

/** Refuses flags that are wrong by themselves, before anybody is asked or a file is read. @throws usage errors */
export async function refuseWrongFlags(
  session: Session,
  command: Command,
  input: ManualInput,
): Promise<void> {
  const op = command.operations[0];
  if (command.spec === undefined || op === undefined) return;
  const options = command.options.filter(({ parse, longText }) => parse === undefined && !longText);
  const { unset: _, ...given } = input.options;
  const values: Values = new Map();
  const typed = { session, command: { options }, input: { ...input, options: given } };
  await gatherOptions(typed, values, {});
  const call = planner(op, values, {}, undefined)(undefined);
  const wrong = checkInput(op, call.input).filter(
    ({ field, where }) => where !== 'path' && values.has(field),
  );
  refuseIssues(command, wrong, call.input);
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

async function chooseOperation(
  session: Session,
  command: Command,
  values: Values,
  manyField: string | undefined,
): Promise<AnyOperation> {
  const missing = (op: AnyOperation) =>
    pathParameters(op.path).filter((name) => !values.has(name) && name !== manyField);
  const chosen = command.operations.find((op) => missing(op).length === 0);
  if (chosen !== undefined) return chosen;
  const lacking = missing(command.operations.at(-1) as AnyOperation)[0] as string;
  const flag = contextFlags[lacking as ContextParameter];
  if (flag === undefined) throw usageError('missing_argument', `<${lacking}> is missing`);
  throw (await import('../resolve/id-places.js')).missingContext(session, flag);
}

/** A flag that only a sibling operation knows, such as `--status` for links of a change request. */
function refuseForeign(command: Command, op: AnyOperation, values: Values): void {
  if (command.operations.length < 2) return;
  const parameters = pathParameters(op.path);
  const own = new Set([
    ...parameters,
    ...Object.keys(op.query.properties),
    ...bodyFields(op),
    'page',
    'limit',
  ]);
  const foreign = [...values.keys()].find((field) => !own.has(topOf(field)) && !(field in contextFlags));
  if (foreign === undefined) return;
  const place = parameters.includes('changeRequestId') ? 'a change request' : 'a space';
  throw usageError('not_available', `${labelOf(command, foreign)} is not available for ${place}`);
}

function bodyFields(op: AnyOperation): string[] {
  return Object.keys((op.body?.properties ?? {}) as object);
}

function topOf(field: string): string {
  return field.split('.')[0] as string;
}

/** The change of each id, where there are many: what they share of path and query is put together once. */
function planner(
  op: AnyOperation,
  values: Values,
  base: Record<string, unknown>,
  manyField: string | undefined,
): (id: string | undefined) => Change {
  const parameters = pathParameters(op.path);
  const fields = bodyFields(op);
  const put = ({ path, query, body }: Parts, field: string, value: unknown) => {
    if (parameters.includes(field)) path[field] = String(value);
    // `spaceId` is a parent in most paths, but what is added in the body of `sections create`.
    else if (fields.includes(topOf(field))) setDeep(body, field.split('.'), value);
    else if (!(field in contextFlags)) query[field] = value;
  };
  const path = Object.fromEntries(parameters.map((name) => [name, String(values.get(name))]));
  const shared: Parts = { path, query: {}, body: {} };
  for (const [field, value] of values) put(shared, field, value);
  return (id) => {
    const all: Parts = { path: { ...shared.path }, query: { ...shared.query }, body: copyJson(base) };
    if (op.body !== undefined) for (const [field, value] of values) put(all, field, value);
    if (manyField !== undefined && id !== undefined) put(all, manyField, id);
    const { body: _, ...bodiless } = all;
    return {
      op,
      input: op.body === undefined ? bodiless : all,
      id: all.path[parameters.at(-1) ?? ''] ?? '',
    };
  };
}

/** What a request is made of. */
interface Parts {
  path: Record<string, string>;
  query: Record<string, unknown>;
  body: Record<string, unknown>;
}

function setDeep(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = target;
  for (const key of path.slice(0, -1)) {
    at[key] ??= {};
    at = at[key] as Record<string, unknown>;
  }
  at[path.at(-1) as string] = value;
}

/** Commands of something that exists, which without any field would change nothing. */
const changing: readonly string[] = ['update', 'move'];

function refuseNoChange(command: Command, op: AnyOperation, call: Change | undefined): void {
  const body = call?.input.body;
  if (op.method !== 'PATCH' && !changing.includes(command.name)) return;
  if (op.body === undefined || body === undefined || Object.keys(body as object).length > 0) return;
  const fields = bodyFields(op);
  const flags = command.options.filter(({ field }) => field !== undefined && fields.includes(topOf(field)));
  const names = flags.map(({ name }) => `--${name}`).join(', ');
  throw usageError('nothing_to_change', `nothing to change: give at least one of ${names}`);
}

/** Refuses input that breaks the declaration, by flag or positional. @throws usage `invalid_input` */
function refuseIssues(command: Command, issues: readonly Issue[], input: LooseInput): void {
  if (issues.length === 0) return;
  const lines = issues.map((issue) => {
    const value = givenValue(issue, input);
    const fault = `${labelOf(command, issue.field, issue)} ${issue.message}${gotOf(issue, value)}`;
    return fault + meant(command, issue, value);
  });
  throw usageError('invalid_input', sentences(...lines.slice(0, 3)), {
    details: { issues: issues.map(({ field, message }) => ({ field, message })) },
  });
}

/** The choice that a mistyped one most likely means. */
function meant(command: Command, { field }: Issue, value: unknown): string {
  const option = command.options.find((one) => one.closed && one.field === field);
  const near = typeof value === 'string' ? nearest(value, option?.choices ?? []) : undefined;
  return didYouMean(near);
}

function givenValue({ where, field }: Issue, input: LooseInput): unknown {
  let value: unknown = where === 'body' ? input.body : input[where];
  for (const key of field.split('.')) value = (value as Record<string, unknown> | undefined)?.[key];
  return value;
}

/** Adds what was given, where it is short enough to help. */
function gotOf({ keyword }: Issue, value: unknown): string {
  if (keyword === 'required' || keyword === 'additionalProperties') return '';
  if (typeof value === 'string' && /Length$/.test(keyword)) return `, not ${[...value].length}`;
  const text = value === undefined ? undefined : stringify(value);
  return text === undefined || text.length > 60 ? '' : `, not ${text}`;
}

/** The name a person knows a field by: its flag or positional, else its place in `--input`. */
function labelOf({ args, options }: Command, field: string, issue?: Issue): string {
  if (issue?.where === 'query' && field === 'limit') return '--page-size';
  if (issue?.where === 'query' && field === 'page') return '--page';
  const known = issue?.keyword !== 'additionalProperties';
  const top = field.split('.')[0];
  const fills = (one: { field?: string }) => one.field === field || (known && one.field === top);
  const arg = args.find(fills);
  if (arg !== undefined) return `<${arg.name}>`;
  const parts = options.filter((option) => option.field?.startsWith(`${field}.`));
  if (known && parts.length > 0) return parts.map((part) => `--${part.name}`).join(' or ');
  const option = options.find(fills);
  return option === undefined ? `--input: ${field}` : `--${option.name}`;
}

/** What a command line lacks: asked for where somebody is there; what asks is loaded only then. */

/**
 * The positionals and flags that a hand-written command requires: what is missing is asked for on a terminal.
 * Elsewhere the command names a missing flag itself.
 * @throws DocsError usage `missing_argument` where nobody can be asked
 */
export async function requireArguments(
  session: Session,
  command: Command,
  input: ManualInput,
): Promise<ManualInput> {
  if (command.spec !== undefined) return input;
  const { args, options } = command;
  const isMissing =
    args.some(({ name, required }) => required && (input.args[name]?.length ?? 0) === 0) ||
    (session.interactive && options.some((option) => lacksOption(input, option)));
  if (!isMissing && input.options.editor !== true) return input;
  const { askArguments, editOption } = await import('./ask-missing.js');
  const complete = isMissing ? await askArguments(session, command, input) : input;
  return input.options.editor === true ? editOption(session, command, complete) : complete;
}

/**
 * Asks for what is required and missing, and opens the editor; without a terminal only a missing positional fails
 * here. @param hasIds whether the positional that takes many has values
 */
async function askForMissing(
  typed: Typed,
  values: Values,
  base: Record<string, unknown>,
  hasIds: boolean,
  asking: Asking,
): Promise<void> {
  const { command, input, session } = typed;
  const many = manyArgument(command);
  const lacks = ({ required, field }: Pick<Option, 'required' | 'field'>): boolean =>
    required && field !== undefined && !values.has(field);
  const args = command.args.filter((arg) => lacks(arg) && !(arg.field === many?.field && hasIds));
  // Elsewhere the check names what is missing, together with all else that is wrong.
  const options = session.interactive
    ? command.options.filter((option) => lacks(option) && !((option.field ?? '') in base))
    : [];
  if (args.length + options.length === 0 && input.options.editor !== true) return;
  const { askAll } = await import('./ask-missing.js');
  await askAll(typed, values, { args, options }, asking);
}

/** Refuses `--editor` where nobody can write. @throws DocsError usage `no_terminal`, `not_available` */
export function refuseEditor({ interactive }: Session, command: Command, input: ManualInput): void {
  const option = editedOption(command);
  if (input.options.editor !== true || option === undefined || interactive) return;
  const reads = option.longText ? `@file, or - for standard input` : option.value;
  const message = `--editor needs a terminal, and questions are off here; nothing was sent. Pass --${option.name} ${reads} instead.`;
  throw usageError('no_terminal', message);
}
