import type { ChalkInstance } from 'chalk';
import { type DocsError, sentences } from '../base/errors.js';
import type { Io, Output } from '../base/io.js';
import { type ColorLevel, loadChalk, type Painter, plain } from './colors.js';
import { stringify } from './json.js';
import { writeStandardError } from './terminal.js';
import { safeLine, safeText, wordWrapped } from './text.js';

/** Characters of a platform's message that are shown; JSON has all of it. */
const longest = 4000;

interface Shown {
  io: Io;
  json: boolean;
  chalk?: ChalkInstance | undefined;
  /** What was not done of a change, where that is known: a person is told. */
  effect?: 'sent' | 'changed' | undefined;
}

/** Prints a failure on stderr: at most four lines and its list, or `{"error": …}` (DESIGN.md, "Errors"). Never throws. */
export function printError(error: DocsError, { io, json, chalk, effect }: Shown): void {
  // Where nothing can be run next, programs are told so.
  const text = json
    ? `${stringify({ error: error.with({ next: [] }).toJSON() })}\n`
    : forPerson(error, io, { effect, red: chalk?.red });
  writeStandardError(io, text);
}

function forPerson(
  error: DocsError,
  { stderr }: Io,
  { effect, red = plain }: Pick<Shown, 'effect'> & { red?: Painter | undefined },
): string {
  const { message, label, failure } = error;
  const first = wordWrapped(`error: ${withEffect(shown(message), effect)}${label}`, stderr);
  const hint = failure.hint === undefined ? '' : `  Try: ${shown(failure.hint)}`;
  const lines = [
    first.replace(/^error:/, (word) => red(word)),
    ...(failure.lines ?? []).map((line) => wordWrapped(`  ${shown(line)}`, stderr)),
    wordWrapped(requestLine(error), stderr),
    attemptsLine(error),
    hint,
  ];
  return `${joined(lines, '\n')}\n`;
}

/** The message with what was not done, unless it says so. */
function withEffect(message: string, effect: Shown['effect']): string {
  if (effect === undefined || /\bnothing\b|\bnot sent\b|\bunknown:/i.test(message)) return message;
  return /[.?!]$/.test(message)
    ? sentences(message, `Nothing was ${effect}`)
    : `${message}; nothing was ${effect}`;
}

function joined(parts: readonly (string | undefined)[], separator: string): string {
  return parts.filter((part) => part !== undefined && part !== '').join(separator);
}

function requestLine({ failure: { method, path, status, requestId } }: DocsError): string {
  const answer = status === undefined ? '' : `answered ${status}`;
  const id = requestId === undefined ? '' : `request id ${requestId}`;
  const text = joined([joined([method, path, answer], ' '), id], ', ');
  return text === '' ? '' : `  ${shown(text)}`;
}

/** How often it was tried, and what is known of the effect where that is in doubt. */
function attemptsLine({ failure: { attempts = 0, outcome, retryable, method } }: DocsError): string {
  const tried = attempts > 1 ? `tried ${attempts} times` : '';
  // A read has no effect that could be in doubt.
  const changes = method !== 'GET';
  const refused = outcome === 'refused' && method !== undefined ? 'the request changed nothing' : '';
  const effect = !changes ? '' : outcome === 'unknown' ? 'the outcome is unknown' : refused;
  const again = retryable === true && attempts > 0 ? 'it may work later' : '';
  const text = joined([tried, effect, again], '; ');
  return text === '' ? '' : `  ${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function shown(text: string): string {
  return safeLine(text.length > longest ? `${text.slice(0, longest)}…` : text).trim();
}

/** The mark of a change that was made, before its sentence (VOICE.md, 7). */

const mark = '✓ ';

/**
 * A sentence about a change that was made, with the mark where a person reads it. A sentence alone has no full
 * stop there, for it often ends with an id or a path to copy.
 */
export function checked({ stdout }: Pick<Io, 'stdout'>, sentence: string): string {
  return stdout.isTTY === true ? withMark(sentence) : sentence;
}

/** The same, whatever reads it. */
export function withMark(sentence: string): string {
  const isAlone = !/[.!?]["')]*\s/.test(sentence) && sentence.endsWith('.') && !sentence.endsWith('..');
  const text = isAlone ? sentence.slice(0, -1) : sentence;
  return text.startsWith(mark) ? text : `${mark}${text}`;
}

/** A sentence for a stream: sanitised, wrapped, its mark green where there are colours. */
export async function markedText(
  sentence: string,
  stream: Pick<Output, 'isTTY' | 'columns'>,
  color: ColorLevel,
): Promise<string> {
  const text = wordWrapped(safeText(sentence), stream);
  const chalk = text.startsWith(mark) && stream.isTTY === true ? await loadChalk(color) : undefined;
  return `${chalk === undefined ? text : `${chalk.green('✓')}${text.slice(1)}`}\n`;
}
