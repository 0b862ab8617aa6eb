import type { ChalkInstance } from 'chalk';
import type { DocsError } from '../errors.js';
import type { Io } from '../io.js';
import { type Painter, plain } from './colors.js';
import { stringify } from './json.js';
import { safeLine } from './safe-text.js';
import { writeStandardError } from './standard-error.js';
import { wordWrapped } from './word-wrap.js';

/** Characters of a platform's message that are shown; JSON has all of it. */
const longest = 4000;

/**
 * Prints a failure on stderr: at most four lines for a person, or one line of JSON (DESIGN.md,
 * "Errors"). Never throws.
 * @param options.json print `{"error": …}` instead
 */
export function printError(
  error: DocsError,
  { io, json, chalk }: { io: Io; json: boolean; chalk?: ChalkInstance | undefined },
): void {
  const text = json ? `${stringify({ error: error.toJSON() })}\n` : forPerson(error, io, chalk?.red);
  writeStandardError(io, text);
}

function forPerson(error: DocsError, { stderr }: Io, red: Painter = plain): string {
  const message = wordWrapped(
    `error: ${shown(error.message)} (${error.kind}, exit ${error.exitCode})`,
    stderr,
  );
  const lines = [
    message.replace(/^error:/, (word) => red(word)),
    requestLine(error),
    attemptsLine(error),
    error.failure.hint === undefined ? '' : `  Try: ${shown(error.failure.hint)}`,
  ];
  return lines
    .filter((line) => line !== '')
    .map((line) => `${line}\n`)
    .join('');
}

function requestLine({ failure: { method, path, status, requestId } }: DocsError): string {
  const request = [method, path].filter((part) => part !== undefined).join(' ');
  const answer = status === undefined ? '' : `answered ${status}`;
  const id = requestId === undefined ? '' : `request id ${requestId}`;
  const text = [[request, answer].filter((part) => part !== '').join(' '), id]
    .filter((part) => part !== '')
    .join(', ');
  return text === '' ? '' : `  ${shown(text)}`;
}

/** How often it was tried, and what is known of the effect where that is in doubt. */
function attemptsLine({ failure: { attempts = 0, outcome, retryable } }: DocsError): string {
  const tried = attempts > 1 ? `tried ${attempts} times` : '';
  const effect = outcome === 'unknown' ? 'the outcome is unknown' : '';
  const again = retryable === true && attempts > 0 ? 'it may work later' : '';
  const text = [tried, effect, again].filter((part) => part !== '').join('; ');
  return text === '' ? '' : `  ${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function shown(text: string): string {
  const line = safeLine(text.length > longest ? `${text.slice(0, longest)}…` : text);
  return line.trim();
}
