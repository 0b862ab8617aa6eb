import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { localIoError, usageError } from '../../base/errors.js';
import type { Change } from '../../jobs/change.js';
import { isRefusal, readsOf } from '../../jobs/reads.js';
import { resources } from '../../model/resources.js';
import { type Argument, type Command, camel, type ManualInput, type Option } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import type { Check } from '../declare/takers.js';
import { editedOption } from '../declare/told.js';
import { readLongText } from '../parse/typed-text.js';
import { askFor, askOffer, askText } from '../resolve/prompts.js';
import { editorOf, plainEditor, writeText } from './editor.js';
import { type Asking, argumentValue, lacksOption, sentValue, type Typed, type Values } from './gather.js';

/** Asks for what a command line lacks: one question after the other, each answer checked in place; texts last. */

/** Puts the answers into the values. @throws DocsError usage `missing_argument` where nobody can be asked */
export async function askAll(
  typed: Typed,
  values: Values,
  { args, options }: Pick<Command, 'args' | 'options'>,
  asking: Asking,
): Promise<void> {
  const { session, command, input } = typed;
  for (const arg of args) {
    const field = arg.field as string;
    const sentFor = (answer: string) => argumentValue(typed, arg, arg.variadic ? [answer] : answer);
    const check = async (answer: string) => asking.check(field, await sentFor(answer));
    values.set(field, await sentFor(await askArgument(session, input, arg, check)));
  }
  const edited = editedOption(command);
  for (const option of options.filter((one) => one !== edited)) {
    const field = option.field as string;
    const sentFor = (answer: string) => sentValue(session, {}, option, option.variadic ? [answer] : answer);
    const check = async (answer: string) => asking.check(field, await sentFor(answer));
    const listed = listOf(option, option.closed ? await asking.present(field) : undefined);
    const question = { what: `--${option.name}`, label: labelOf(option), ...listed, check };
    values.set(field, await sentFor(await askFor(session, question)));
  }
  if (edited === undefined) return;
  // What somebody wrote for minutes must not depend on a question that comes after it.
  if (input.options.editor === true) await write(typed, values, edited, asking);
  else if (options.includes(edited)) await writeSomehow(typed, values, edited, asking);
}

async function askArgument(
  session: Session,
  input: ManualInput,
  arg: Argument,
  check?: (answer: string) => unknown,
): Promise<string> {
  const { name, kind, choices, listedBy } = arg;
  const [what, label] = [`<${name}>`, labelOf(arg)];
  const list = listedBy ?? (kind && resources[kind].command.words);
  const hint = list === undefined ? undefined : `docs ${list}`;
  const offered = await askOffered(session, input, arg, hint);
  if (offered !== undefined) return offered;
  const own = await checkOf(arg)?.();
  const checked = async (answer: string) => {
    await own?.(answer, session, input);
    await check?.(answer);
  };
  return askFor(session, {
    what,
    label: session.interactive ? label : arg.description,
    choices,
    hint,
    check: checked,
  });
}

/** One of the values that a declaration offers; undefined where it offers none, and a text is typed. */
async function askOffered(
  session: Session,
  input: ManualInput,
  arg: Argument,
  hint = '',
): Promise<string | undefined> {
  const offers = session.interactive ? await arg.offers?.() : undefined;
  const found = await offers?.list(session, input);
  if (offers === undefined || found === undefined) return undefined;
  if (found.length > 0) return askOffer(session, labelOf(arg), found);
  const message = `<${arg.name}> is required: ${labelOf(arg)}. ${offers.none}`;
  throw usageError('missing_argument', message, { hint });
}

/** What checks an answer in place, beside its schema: what is declared, or that a path that is read is there. */
export function checkOf({
  check,
  path,
}: Pick<Argument, 'check' | 'path'>): (() => Promise<Check>) | undefined {
  return check ?? (path?.use === 'reads' ? async () => checkIsThere : undefined);
}

/** @throws DocsError local-io `unreadable_file` */
const checkIsThere: Check = async (typed, { io }) => {
  try {
    await stat(resolve(io.cwd, typed));
  } catch (cause) {
    throw localIoError(cause, `cannot read ${typed}`);
  }
};

/** The positionals of a hand-written command, then its flags. */
export async function askArguments(session: Session, command: Command, input: ManualInput) {
  let complete = input;
  for (const arg of command.args) {
    const { name, required, variadic, kindIn, offers } = arg;
    if (!required || kindIn !== undefined || (complete.args[name]?.length ?? 0) > 0) continue;
    const asked = { ...session, interactive: session.interactive && (!variadic || offers !== undefined) };
    const answer = await askArgument(asked, complete, arg);
    const args = { ...complete.args, [name]: variadic ? [answer] : answer };
    const chosen = offers === undefined ? complete.chosen : [...(complete.chosen ?? []), name];
    complete = { ...complete, args, chosen };
  }
  return session.interactive ? askFlags(session, command, complete) : complete;
}

async function askFlags(session: Session, { options }: Command, input: ManualInput): Promise<ManualInput> {
  let complete = input;
  for (const option of options.filter((one) => lacksOption(input, one))) {
    const own = await checkOf(option)?.();
    const check = (answer: string) => own?.(answer, session, complete);
    const listed = option.choices === undefined ? {} : listOf(option, undefined);
    const question = { what: `--${option.name}`, label: labelOf(option), ...listed, check };
    const answer = await askFor(session, question);
    const value = option.variadic ? [answer] : answer;
    complete = { ...complete, options: { ...complete.options, [camel(option.name)]: value } };
  }
  return complete;
}

/** A description as a question: without what holds for command lines only. */
function labelOf({ description }: Pick<Argument, 'description'>): string {
  return description
    .replace(/; (?:- or @file|or give --).*$/, '')
    .replace(/[;,] - for (?:stdin|standard input)/, '');
}

/** For what is not among the values that are known. */
const other = '\0other';

/**
 * The values of a flag to choose from. The present one is marked and under the cursor; of a closed flag where it is
 * not known, the last one is, since declarations list values from the most powerful to the least.
 */
export function listOf({ choices, closed, nullable, nullName = 'none' }: Option, present: unknown) {
  if (choices === undefined) return {};
  const now = present === null ? 'none' : present;
  const all = choices.map((value) => ({ value, name: value }));
  if (nullable) all.push({ value: 'none', name: nullName });
  const listed = all.map(({ value, name }) => ({
    value,
    name: value === now ? `${name}, as it is now` : name,
  }));
  if (!closed) return { choices: [...listed, { value: other, name: 'Another value' }], other };
  return { choices: listed, initial: all.find(({ value }) => value === now)?.value ?? choices.at(-1) };
}

/** A text that is required: in the editor of the person, or as they like where they have chosen none. */
async function writeSomehow(typed: Typed, values: Values, option: Option, asking: Asking): Promise<void> {
  const { session } = typed;
  if (editorOf(session.io) === undefined) {
    const choices = [
      { value: 'line', name: 'Write one line here' },
      { value: 'editor', name: `Open ${plainEditor(session.io)}` },
    ];
    const label = labelOf(option);
    const way = await askFor(session, { what: `--${option.name}`, label, choices });
    if (way === 'line') {
      const field = option.field as string;
      const sentFor = (answer: string) => sentValue(session, { literal: true }, option, answer);
      const check = async (answer: string) => asking.check(field, await sentFor(answer));
      values.set(field, await sentFor(await askText(session, `${label}:`, { check })));
      return;
    }
  }
  await write(typed, values, option, asking);
}

async function write(typed: Typed, values: Values, option: Option, asking: Asking): Promise<void> {
  const { session, command, input } = typed;
  const field = option.field as string;
  const given = values.get(field) ?? (await asking.present(field));
  const about = [input.args, [...values].filter(([name]) => name !== field)];
  const text = await writeText(session, {
    command: wordsOf(command, input),
    option,
    about,
    before: textOf(given),
    notes: command.spec?.textNotes,
  });
  const value = option.variadic ? linesOf(text) : text;
  values.set(field, await sentValue(session, { literal: true }, option, value));
}

/** `--editor` of a hand-written command, which reads its flags itself. */
export async function editOption(
  session: Session,
  command: Command,
  input: ManualInput,
): Promise<ManualInput> {
  const option = editedOption(command);
  if (option === undefined) return input;
  const { name } = option;
  const { [camel(name)]: typed, editor: _, ...rest } = input.options;
  const before = typeof typed === 'string' ? await readLongText(session, typed, `--${name}`) : '';
  const asked = { command: wordsOf(command, input), option, about: [input.args, rest], before };
  const text = await writeText(session, asked);
  // Such a text would name a file.
  const isSource = text === '-' || text.startsWith('@');
  const value = isSource ? `@${session.drafts?.at(-1)?.path ?? ''}` : text;
  return { ...input, options: { ...input.options, [camel(name)]: value } };
}

function wordsOf({ name }: Command, { groupPath }: ManualInput): string {
  return [groupPath, name].filter(Boolean).join(' ');
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** The text of a value that is sent: itself, a line for each, or the one text in it, as in `{ markdown }`. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('\n');
  const parts = Object.values(value ?? {}).filter((part) => typeof part === 'string');
  return parts.length === 1 ? (parts[0] ?? '') : '';
}

/**
 * What a field of a resource is now, by the read that undo uses.
 * @returns undefined where no read shows it, or the read is refused: the change's own answer says why
 * @throws DocsError where the platform is out of reach
 */
export async function presentValue(session: Session, { op, input }: Change, field: string): Promise<unknown> {
  // Loaded here: it knows the undo of every operation.
  const { ruleOf } = await import('../../jobs/undo-rules.js');
  const { creates, read } = ruleOf(op);
  if (creates || read === undefined) return undefined;
  const client = await session.client({ timeoutPerRequest: true });
  try {
    return (await read(readsOf(client), input))?.[field];
  } catch (cause) {
    if (!isRefusal(cause)) throw cause;
    return undefined;
  }
}
