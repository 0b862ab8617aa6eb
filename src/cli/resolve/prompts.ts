import { DocsError, notSent, usageError } from '../../base/errors.js';
import type { Input } from '../../base/io.js';
import { searchKey } from '../../base/name.js';
import { colorLevel, terminalWidth } from '../../output/terminal.js';
import { safeLine } from '../../output/text.js';
import { cut, widthOf } from '../../output/text-width.js';
import type { Session } from '../declare/session.js';
import type { Offer } from '../declare/takers.js';

/** Questions, asked only where somebody is there to answer (DESIGN, "What a person meets"). */

type Prompts = typeof import('@inquirer/prompts');
type PromptContext = NonNullable<Parameters<Prompts['confirm']>[1]>;

async function ask<T>(
  { io, globals }: Session,
  question: (prompts: Prompts, context: PromptContext) => Promise<T>,
): Promise<T> {
  const { stdin: input, stderr: output, paging } = io;
  // Prompts decide on their look while they are loaded, by the environment of the process alone.
  if (colorLevel(io, globals, 'stderr') === 0)
    process.env[io.env.FORCE_COLOR === undefined ? 'NO_COLOR' : 'FORCE_COLOR'] = '0';
  const prompts = await import('@inquirer/prompts');
  paging?.show();
  const leaving = new AbortController();
  const signal = AbortSignal.any([io.signal, leaving.signal]);
  // It is a terminal, so this is Node's own stream.
  const answer = question(prompts, { input, output: output as NodeJS.WriteStream, signal });
  const onKey = (_: unknown, key: Key = {}): void => {
    if (leaves(key, input)) leaving.abort();
  };
  input.on('keypress', onKey);
  try {
    return await answer;
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : '';
    if (!/^(ExitPromptError|AbortPromptError|CancelPromptError)$/.test(name)) throw cause;
    const what = leaving.signal.aborted ? 'cancelled' : 'interrupted';
    throw notSent('interrupted', 'interrupted', `${what}; nothing was sent`);
  } finally {
    input.off('keypress', onKey);
  }
}

/** A key as Node's readline names it. */
interface Key {
  name?: string;
  ctrl?: boolean;
}

/**
 * Whether a key leaves the question, beside Ctrl-C: Esc, and Ctrl-D where nothing is typed, which the prompts ignore.
 * Readline has then closed its input, so the terminal is in raw mode no more; elsewhere Ctrl-D deletes a character.
 */
function leaves({ name, ctrl }: Key, { isRaw }: Input): boolean {
  return name === 'escape' || (ctrl === true && name === 'd' && isRaw !== true);
}

interface Question {
  /** The flag or positional, as typed. */
  what: string;
  label: string;
  choices?: readonly (string | { value: string; name: string })[] | undefined;
  /** The choice under the cursor; default: the first. */
  initial?: string | undefined;
  /** The choice after which any value may be typed. */
  other?: string | undefined;
  /** Refuses a typed text; its message is shown below, and the question asked again. @throws DocsError */
  check?: Answer['check'];
  /** The command to run next, for the error. */
  hint?: string | undefined;
}

/** A value that is required and missing: asked for on a terminal, an error that names it elsewhere. */
export async function askFor(
  session: Session,
  { what, label, choices, initial, other, check, hint }: Question,
): Promise<string> {
  if (!session.interactive) {
    throw usageError('missing_argument', `${what} is required: ${label}`, { hint });
  }
  const message = `${label}:`;
  if (choices === undefined) return askText(session, message, { check });
  const listed = choices.map((choice) => {
    const { value, name } = typeof choice === 'string' ? { value: choice, name: choice } : choice;
    return { value, name: fitting(session, name) };
  });
  const question = { message, choices: listed, default: initial, pageSize: mostSelected };
  const chosen = await ask(session, (prompts, context) => prompts.select(question, context));
  return chosen === other ? askText(session, message, { check }) : chosen;
}

/** Choices shown at once; of what a declaration offers, more than these are narrowed by typing. */
const mostSelected = 12;

/** One of the values that a declaration offers, by its value. The one in force is under the cursor. */
export async function askOffer(session: Session, label: string, offers: readonly Offer[]): Promise<string> {
  const choices = offers.map(({ value, name, id, description }) => {
    const shown = { value, name: fitting(session, safeLine(name), id && safeLine(id)) };
    return { ...shown, description: description && safeLine(description) };
  });
  const message = `${label}:`;
  if (choices.length <= mostSelected) {
    const current = offers.find((offer) => offer.current)?.value;
    const question = { message, choices, default: current, loop: false, pageSize: mostSelected };
    return ask(session, (prompts, context) => prompts.select(question, context));
  }
  const all = choices.map(({ value, name, description = '' }, at) => ({
    ...{ value: { id: value }, name, short: value, description },
    text: searchKey(`${value} ${offers[at]?.name} ${name} ${description}`),
  }));
  const source = async (term = '') => all.filter(({ text }) => text.includes(searchKey(term.trim())));
  return (await askFromList(session, message, source)).id;
}

/** Columns that the list leaves for what marks a choice. */
const marked = 4;

/** A choice on one line, since lists that wrap cannot be read. @param id what tells it from others; never cut */
function fitting({ io }: Session, text: string, id?: string): string {
  const room = Math.max(20, terminalWidth(io, { stream: 'stderr' }) - marked);
  if (id === undefined) return cut(text, room);
  const left = room - widthOf(id) - 2;
  return left < fewest || text === '' ? cut(id, room) : `${cut(text, left)}  ${id}`;
}

/** Columns of a title below which it says nothing. */
const fewest = 4;

/** A line of a list to choose from. */
export interface Choice<T> {
  value: T;
  /** What is listed; sanitised. */
  name: string;
  /** What tells it from another of the same name; listed behind the name, and never cut. */
  id?: string;
  /** What stands for it once it is chosen. */
  short: string;
  /** Shown below the list while the choice is under the cursor. */
  description?: string;
}

/**
 * One of a list that is narrowed by typing.
 * @param source what fits the text typed so far; undefined for none
 */
export async function askFromList<T extends { id: string }>(
  session: Session,
  message: string,
  source: (term: string | undefined) => Promise<readonly Choice<T>[]>,
): Promise<T> {
  let latest: Promise<readonly Choice<T>[]> = Promise.resolve([]);
  const onOneLine = (found: readonly Choice<T>[]) =>
    found.map((choice) => ({ ...choice, name: fitting(session, choice.name, choice.id) }));
  const fittingTo = (term: string | undefined) => {
    latest = source(term)
      .then(onOneLine)
      .catch((cause: unknown) => {
        throw new Error(safeLine(cause instanceof Error ? cause.message : String(cause)));
      });
    return latest;
  };
  // Enter comes sooner than the answer to what was typed: what is still listed may not fit it any more.
  const validate = async ({ id }: T) => (await latest).some(({ value }) => value.id === id);
  const question = { message, source: fittingTo, validate, pageSize: 10 };
  return ask(session, (prompts, context) => prompts.search<T>(question, context));
}

interface Answer {
  /** What Enter alone answers. */
  initial?: string | undefined;
  /** Refuses a text; its message is shown below, and the question asked again. @throws DocsError */
  check?: ((typed: string) => unknown) | undefined;
}

/** For a question: whether a text is right, else what is wrong with it. */
function validated(check: Answer['check']) {
  return async (typed: string): Promise<true | string> => {
    try {
      await check?.(typed);
      return true;
    } catch (cause) {
      if (cause instanceof DocsError) return safeLine(cause.message);
      throw cause;
    }
  };
}

/** A text that is not shown while it is typed. */
export async function askHidden(session: Session, message: string, { check }: Answer = {}): Promise<string> {
  const question = { message, mask: false, validate: validated(check) };
  return ask(session, (prompts, context) => prompts.password(question, context));
}

/** One line of text. */
export async function askText(
  session: Session,
  message: string,
  { initial, check }: Answer = {},
): Promise<string> {
  const options = { message, required: true, default: initial, validate: validated(check) };
  return ask(session, (prompts, context) => prompts.input(options, context));
}

/** Yes or no; no unless yes is said. */
export async function askYes(session: Session, message: string): Promise<boolean> {
  return ask(session, (prompts, context) => prompts.confirm({ message, default: false }, context));
}

/** What would have been done. */
type Done = 'changed' | 'removed' | 'sent' | 'signed' | 'written';

/** The error where somebody was asked, and did not agree. */
export function notConfirmed(done: Done): DocsError {
  return usageError('not_confirmed', `not confirmed; nothing was ${done}`);
}

/**
 * Asks before something is done: yes or no, or for a text that only those type who have looked.
 * @param answers the texts, each of which will do
 * @throws DocsError usage `not_confirmed`
 */
export async function askToGoOn(
  session: Session,
  question: string,
  done: Done,
  answers?: readonly string[],
): Promise<void> {
  const isAgreed =
    answers === undefined
      ? await askYes(session, question)
      : answers.includes((await askText(session, question)).trim());
  if (!isAgreed) throw notConfirmed(done);
}

/**
 * Asks about what was chosen from a list: whoever chose it may have pressed Enter too soon.
 * @param what the sentence without its question mark: `Delete alias co`
 * @throws DocsError usage `not_confirmed`
 */
export async function confirmChosen(session: Session, what: string, done: Done = 'changed'): Promise<void> {
  if (!session.globals.yes) await askToGoOn(session, `${what}?`, done);
}
