import { requestsAtOnce } from '../../api/client.js';
import { DocsError, usageError } from '../../base/errors.js';
import {
  type Argument,
  type Command,
  camel,
  type ManualInput,
  type Option,
  type Parse,
} from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { manyArgument } from '../declare/told.js';
import { numberValue, wholeNumber } from '../parse/plain-values.js';

/** From what was typed to values by field, in the form that is sent. */
export type Values = Map<string, unknown>;

/** A command, and what was typed for it. */
export interface Typed {
  session: Session;
  command: Command;
  input: ManualInput;
}

/** What reads texts is loaded for a word that tells where to read: a file, or standard input. */
const typedText = () => import('../parse/typed-text.js');

function isSource(word: string): boolean {
  return word === '-' || word.startsWith('@');
}

async function readIds(session: Session, words: string[], name: string): Promise<string[]> {
  return words.some(isSource) ? (await typedText()).readIds(session, words, name) : words;
}

async function readLongText(session: Session, typed: string, flag: string): Promise<string> {
  return isSource(typed) ? (await typedText()).readLongText(session, typed, flag) : typed;
}

/** The body that `--input` gives. */
export async function readBase({ session, input }: Typed): Promise<Record<string, unknown>> {
  const source = input.options.input;
  if (typeof source !== 'string') return {};
  return (await import('./typed-files.js')).readJsonObject(session, source, '--input');
}

/** @returns the ids of the positional that takes many, and whether it was given a single one, as it is */
export async function gatherArguments(
  { session, command, input }: Typed,
  values: Values,
): Promise<{ field: string; ids: string[]; single: boolean } | undefined> {
  const many = manyArgument(command);
  let found: { field: string; ids: string[]; single: boolean } | undefined;
  for (const { name, field, variadic } of command.args) {
    const typed = input.args[name];
    if (field === undefined || typed === undefined || (variadic && typed.length === 0)) continue;
    if (field !== many?.field) {
      values.set(field, await argumentValue({ session, command, input }, { name, field }, typed));
      continue;
    }
    const ids = input.literal ? [typed].flat() : await readIds(session, typed as string[], name);
    const single = typed.length === 1 && ids[0] === typed[0] && input.fromList !== true;
    if (ids.length === 0 && !input.options.allowEmpty)
      throw usageError('no_items', `no ids given for <${name}>; add --allow-empty to allow that`);
    found = { field, ids, single };
  }
  return found;
}

/** What is sent for a positional. */
export async function argumentValue(
  { session, command, input }: Typed,
  { name, field = '' }: Pick<Argument, 'name' | 'field'>,
  typed: string | string[],
): Promise<unknown> {
  const { parse } = command.spec?.flags?.[field] || {};
  return parse === undefined ? typed : parseTyped(session, input, parse, typed, `<${name}>`);
}

export async function gatherOptions(
  { session, command, input }: Omit<Typed, 'command'> & { command: Pick<Command, 'options'> },
  values: Values,
  base: Record<string, unknown>,
): Promise<void> {
  for (const option of command.options) {
    const typed = typedOption(option, input);
    if (option.field === undefined || typed === undefined) continue;
    refuseSecond(command, option, values);
    values.set(option.field, await sentValue(session, input, option, typed));
  }
  const { pageSize, page, limit, unset } = input.options;
  if (limit !== undefined) wholeNumber('--limit', limit);
  if (pageSize !== undefined) values.set('limit', wholeNumber('--page-size', pageSize));
  if (page !== undefined) values.set('page', page);
  const nullable = command.options.filter((option) => option.nullable);
  for (const name of new Set(unset as string[] | undefined)) {
    const field = nullable.find((option) => option.name === name)?.field;
    if (field === undefined) {
      const known = nullable.map((option) => option.name).join(', ');
      throw usageError('not_nullable', `--unset must be one of ${known}, not "${name}"`);
    }
    if (values.has(field)) throw contradiction(`--${name}`, `--unset ${name}`);
    values.set(field, null);
    delete base[field];
  }
}

function contradiction(one: string, other: string): Error {
  return usageError('contradiction', `${one} and ${other} contradict each other`);
}

/** Two flags may fill one field, each in its way: `--space-id` and `--new-space`. */
function refuseSecond({ options }: Pick<Command, 'options'>, { name, field }: Option, values: Values): void {
  if (field === undefined || !values.has(field)) return;
  const first = options.find((option) => option.field === field);
  throw contradiction(`--${first?.name}`, `--${name}`);
}

/** What was typed for an option; the second flag of a pair means false. */
function typedOption({ name, boolean }: Option, { options }: ManualInput): unknown {
  const typed = options[camel(name)];
  const isPair = typeof boolean === 'string' && !['no', 'only-no'].includes(boolean);
  if (!isPair || options[camel(boolean)] !== true) return typed;
  if (typed === true) throw contradiction(`--${name}`, `--${boolean}`);
  return false;
}

export async function sentValue(
  session: Session,
  input: Pick<ManualInput, 'literal'>,
  option: Option,
  typed: unknown,
): Promise<unknown> {
  const flag = `--${option.name}`;
  if (option.nullable && option.closed && typed === 'none') return null;
  if (option.longText && typeof typed === 'string') {
    const text = input.literal ? typed : await readLongText(session, typed, flag);
    return option.parse ? parseTyped(session, input, option.parse, text, flag) : text;
  }
  if (option.parse) return parseTyped(session, input, option.parse, typed as string | string[], flag);
  return option.number ? numberValue(flag, typed) : typed;
}

/** Runs a declared parser, whose errors are the rest of a sentence that begins with the flag. */
export async function parseTyped(
  session: Session,
  { literal }: Pick<ManualInput, 'literal'>,
  parse: Parse,
  typed: string | string[],
  flag: string,
): Promise<unknown> {
  try {
    return await parse(typed, (source) => {
      if (literal) throw new Error(`cannot read a file from a row: @${source}`);
      return typedText().then(({ readSource }) => readSource(session, source, flag));
    });
  } catch (cause) {
    if (cause instanceof DocsError) throw cause;
    throw usageError('bad_value', `${flag} ${(cause as Error).message}`);
  }
}

/** Whether a flag that is required was not given. */
export function lacksOption({ options }: ManualInput, { name, required }: Option): boolean {
  return required && options[camel(name)] === undefined;
}

/** `--concurrency`. */
export function concurrencyOf({ options }: ManualInput): number {
  return options.concurrency === undefined
    ? requestsAtOnce
    : wholeNumber('--concurrency', options.concurrency);
}

/** What asking knows of the input so far. */
export interface Asking {
  /** Looks up what a field is now; undefined where that is not known. */
  present: (field: string) => Promise<unknown>;
  /** Refuses a value of a field, as the check of the whole input would. @throws DocsError usage */
  check: (field: string, value: unknown) => Promise<void>;
}
