import { parseJson } from '../api/transport/json-text.js';
import { DocsError, usageError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { JqEngine } from './jq-engine.js';
import { escapeUnsafe } from './json.js';
import { safeLine } from './safe-text.js';

export interface JqFilter {
  /**
   * Runs a compiled filter over one JSON text.
   * @returns one entry for each output: strings as they are, others as compact JSON
   * @throws DocsError `jq_failed` (exit 2), `jq_timeout` (exit 12); the reason of the run's signal
   */
  run(json: string): Promise<string[]>;
  /** Runs it as `run` does. @returns the outputs as values */
  values(json: string): Promise<unknown[]>;
}

/**
 * Loads jq and compiles a filter; without input nothing of it runs yet, but what is constant.
 * @param limitMs the time that it may take for each run; default: any
 * @throws DocsError `bad_jq`, `jq_failed` (exit 2), `jq_timeout` (exit 12)
 */
export async function compileJq(
  filter: string,
  io: Io,
  limitMs = Number.POSITIVE_INFINITY,
): Promise<JqFilter> {
  const engine = new JqEngine(io, limitMs);
  const lines = async (json: string): Promise<string[] | { reason: string }> => {
    const answer = await engine.run({ filter, json: withoutLoneSurrogates(json) });
    if (answer === undefined) throw timedOut(limitMs);
    if ('problem' in answer) throw new Error(`jq cannot be run: ${answer.problem}`);
    if ('isFull' in answer) return { reason: outOfMemory };
    const { stdout, stderr, exitCode } = answer;
    return exitCode === 0 ? stdout.split('\n').filter((line) => line !== '') : { reason: reason(stderr) };
  };
  const compiled = await lines('');
  if (!Array.isArray(compiled)) {
    if (compiled.reason === outOfMemory) throw failed(outOfMemory);
    throw usageError('bad_jq', `--jq does not compile: ${compiled.reason}.`);
  }
  const outputs = async (json: string): Promise<string[]> => {
    const found = await lines(json);
    if (Array.isArray(found)) return found;
    throw failed(found.reason);
  };
  return {
    run: async (json) => (await outputs(json)).map(shown),
    values: async (json) => (await outputs(json)).map(parsedValue),
  };
}

const outOfMemory =
  'it needs more memory than it may have; pass --fields to give it less of each item, or filter -o ndjson';

function timedOut(limitMs: number): DocsError {
  const message = `--jq did not end within ${limitMs / 1000} s and printed nothing.`;
  return new DocsError('deadline', 'jq_timeout', message, { hint: 'docs config set timeout 5m' });
}

function failed(reason: string): DocsError {
  return new DocsError('usage', 'jq_failed', `--jq failed: ${reason}.`);
}

/** An output as a value, large integers with all their digits. */
function parsedValue(line: string): unknown {
  const parsed = parseJson(Buffer.from(line));
  return parsed.ok ? parsed.value : line;
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
function reason(stderr: string): string {
  const [first = ''] = stderr.split('\n').filter((line) => line.startsWith('jq: '));
  return safeLine(first === '' ? stderr.trim() : first)
    .replace(/^jq: (parse )?error( \(at [^)]*\))?( \(not a string\))?: /, '')
    .replace(/ at <top-level>, line \d+(, column \d+)?:$/, '')
    .replace(/\.$/, '');
}
