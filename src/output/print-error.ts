import type { DocsError } from '../errors.js';
import type { Io } from '../io.js';
import { stringify } from './json.js';
import { safeLine } from './safe-text.js';
import { writeStandardError } from './standard-error.js';
import { wordWrapped } from './word-wrap.js';

/** Beyond this a message of the platform says nothing more to a person; JSON has all of it. */
const longest = 4000;

/**
 * Prints a failure on stderr: at most four lines for a person, or one line of JSON (DESIGN.md,
 * "Errors"). Never throws.
 * @param options.json print `{"error": …}` instead
 */
export function printError(error: DocsError, options: { io: Io; json: boolean; color: boolean }): void {
  const { io, json, color } = options;
  writeStandardError(io, json ? `${stringify({ error: error.toJSON() })}\n` : forPerson(error, io, color));
}

function forPerson(error: DocsError, { stderr }: Io, color: boolean): string {
  const red = (text: string) => (color ? text.replace(/^error:/, '\x1b[31merror:\x1b[39m') : text);
  const lines = [
    red(wordWrapped(`error: ${shown(error.message)} (${error.kind}, exit ${error.exitCode})`, stderr)),
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
