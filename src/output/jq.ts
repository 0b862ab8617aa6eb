import { DocsError, usageError } from '../errors.js';
import { escapeUnsafe } from './json.js';
import { safeLine } from './safe-text.js';

/** A filter that compiled, ready to run. */
export interface JqFilter {
  /**
   * Runs over one JSON text.
   * @returns one entry for each output: strings as they are, others as compact JSON
   * @throws DocsError `jq_failed` (exit 2); no output of a failed run is given
   */
  run(json: string): Promise<string[]>;
}

const flags = ['--compact-output', '--'];
const compileError = /\bcompile errors?$/;

/**
 * Loads jq and compiles a filter, over no input at all, so that nothing of it runs yet.
 * @throws DocsError `bad_jq` (exit 2)
 */
export async function compileJq(filter: string): Promise<JqFilter> {
  const { raw } = await import('jq-wasm');
  try {
    await raw('', filter, flags);
  } catch (error) {
    throw usageError('bad_jq', `--jq does not compile: ${reason(error)}.`, { cause: error });
  }
  return { run: (json) => run(raw, filter, json) };
}

type Raw = (data: string, filter: string, flags: string[]) => Promise<string>;

/**
 * This jq reports a failure only where nothing was printed before it. So a last output marks the end
 * of a whole run; where it is missing, a second run without outputs tells why.
 */
async function run(raw: Raw, filter: string, json: string): Promise<string[]> {
  const data = withoutLoneSurrogates(json);
  const end = JSON.stringify(crypto.randomUUID());
  try {
    const lines = (await raw(data, `(${filter}\n), ${end}`, flags)).split('\n');
    const ended = lines.at(-1) === end;
    if (!ended) await raw(data, `(${filter}\n) | empty`, flags);
    return (ended ? lines.slice(0, -1) : lines).filter((line) => line !== '').map(shown);
  } catch (error) {
    throw new DocsError('usage', 'jq_failed', `--jq failed: ${reason(error)}.`, { cause: error });
  }
}

/** Outputs are asked for as JSON, one a line, and strings decoded here: raw ones could hold newlines. */
function shown(line: string): string {
  return line.startsWith('"') ? (JSON.parse(line) as string) : escapeUnsafe(line);
}

/** jq refuses a whole text for one of these; it knows only whole characters. */
function withoutLoneSurrogates(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replace(/\\(?:\\|ud[89a-f][\da-f]{2})/g, (found) => (found === '\\\\' ? found : '\\ufffd'));
}

/** What jq says, in one line without its own name and the place in its input, which means nothing here. */
function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [first = ''] = message
    .replace(compileError, '')
    .replace(/^Failed to execute raw query: /, '')
    .split('\n');
  return safeLine(first)
    .replace(/^jq: (parse )?error( \(at [^)]*\))?( \(not a string\))?: /, '')
    .replace(/ \(Unix shell quoting issues\?\)/, '')
    .replace(/ at <top-level>, line \d+(, column \d+)?:$/, '')
    .replace(/\.$/, '');
}
