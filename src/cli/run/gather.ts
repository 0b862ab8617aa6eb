import { DocsError, usageError } from '../../errors.js';
import type { Command, ManualInput, Option, Parse } from '../declare/command.js';
import { camel } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { manyArgument } from '../declare/traits.js';
import { readIds, readJsonObject, readLongText, readSource } from '../parse/typed-text.js';
import { numberValue, wholeNumber } from '../parse/values.js';
import { catalogue } from '../resolve/catalogue.js';
import { askFor } from '../resolve/prompts.js';

/** From what was typed to values by field, in the form that is sent. */

/** Values by field, in the form that is sent. */
export type Values = Map<string, unknown>;
export async function readBase(session: Session, input: ManualInput): Promise<Record<string, unknown>> {
  const source = input.options.input;
  return typeof source === 'string' ? readJsonObject(session.io, source, '--input') : {};
}
export async function gatherArguments(
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
    if (arg.field === undefined || typed === undefined || (arg.variadic && typed.length === 0)) continue;
    if (arg.field === many?.field) {
      ids = input.literal ? [typed].flat() : await readIds(session.io, typed as string[], arg.name);
      single = typed.length === 1 && ids[0] === typed[0] && input.fromList !== true;
      if (ids.length === 0 && !input.options.allowEmpty) {
        throw usageError(
          'no_items',
          `No ids were given for <${arg.name}>; add --allow-empty if that is fine.`,
        );
      }
    } else {
      const change = command.spec?.flags?.[arg.field];
      const parse = change ? change.parse : undefined;
      values.set(arg.field, parse ? await parseTyped(session, input, parse, typed, `<${arg.name}>`) : typed);
    }
  }
  return many && ids ? { field: many.field, ids, single } : undefined;
}

export async function gatherOptions(
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
    values.set(option.field, await sentValue(session, input, option, typed));
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

async function sentValue(
  session: Session,
  input: Pick<ManualInput, 'literal'>,
  option: Option,
  typed: unknown,
): Promise<unknown> {
  const flag = `--${option.name}`;
  if (option.nullable && option.closed && typed === 'none') return null;
  if (option.longText && typeof typed === 'string') {
    const text = input.literal ? typed : await readLongText(session.io, typed, flag);
    return option.parse ? parseTyped(session, input, option.parse, text, flag) : text;
  }
  if (option.parse) return parseTyped(session, input, option.parse, typed as string | string[], flag);
  return option.number ? numberValue(flag, typed) : typed;
}

/** Runs a declared parser, whose errors are the rest of a sentence that begins with the flag. */
async function parseTyped(
  session: Session,
  { literal }: Pick<ManualInput, 'literal'>,
  parse: Parse,
  typed: string | string[],
  flag: string,
): Promise<unknown> {
  try {
    return await parse(typed, (source) => {
      if (literal) throw new Error(`reads no file in a row: @${source}`);
      return readSource(session.io, source, flag);
    });
  } catch (cause) {
    if (cause instanceof DocsError) throw cause;
    throw usageError('bad_value', `${flag} ${(cause as Error).message}.`);
  }
}

/** `--concurrency`; default: 8. */
export function concurrencyOf({ options }: ManualInput): number {
  return options.concurrency === undefined ? 8 : wholeNumber('--concurrency', options.concurrency);
}

/**
 * The positionals that a hand-written command requires: what is missing is asked for on a terminal.
 * @throws DocsError usage `missing_argument` where nobody can be asked
 */
export async function requireArguments(
  session: Session,
  { args: declared, spec }: Command,
  input: ManualInput,
): Promise<ManualInput> {
  const args = { ...input.args };
  for (const { name, required, variadic, description: label, choices, kind, kindIn, listedBy } of declared) {
    if (spec !== undefined || !required || kindIn !== undefined || (args[name]?.length ?? 0) > 0) continue;
    const list = listedBy ?? (kind && catalogue[kind].command.words);
    const hint = list === undefined ? undefined : `docs ${list}`;
    const asked = { ...session, interactive: session.interactive && !variadic };
    args[name] = await askFor(asked, { what: `<${name}>`, label, choices, hint });
  }
  return { ...input, args };
}

export async function askForMissing(
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
    const list = arg.kind && catalogue[arg.kind].command.words;
    const hint = list === undefined ? undefined : `docs ${list}`;
    const typed = await askFor(session, { what: `<${arg.name}>`, label: arg.description, hint });
    values.set(arg.field, typed);
  }
  // Elsewhere the check names what is missing, together with all else that is wrong.
  if (!session.interactive) return;
  for (const option of command.options) {
    if (!option.required || option.field === undefined || values.has(option.field) || option.field in base)
      continue;
    const choices = option.closed ? option.choices : undefined;
    const typed = await askFor(session, {
      what: `--${option.name}`,
      label: option.description,
      choices,
    });
    values.set(option.field, await sentValue(session, {}, option, option.variadic ? [typed] : typed));
  }
}
