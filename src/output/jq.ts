import { parseJson } from '../api/transport/json-text.js';
import { DocsError, usageError } from '../errors.js';
import { escapeUnsafe } from './json.js';
import { safeLine } from './safe-text.js';

export interface JqFilter {
  /**
   * Runs a compiled filter over one JSON text.
   * @returns one entry for each output: strings as they are, others as compact JSON
   * @throws DocsError `jq_failed` (exit 2)
   */
  run(json: string): string[];
  /** Runs it as `run` does. @returns the outputs as values, or why it failed */
  attempt(json: string): { outputs: unknown[] } | { reason: string };
}

const flags = ['--compact-output', '--'];

/** Loads jq and compiles a filter; without input nothing of it runs yet. @throws DocsError `bad_jq` (exit 2) */
export async function compileJq(filter: string): Promise<JqFilter> {
  const { loadJq } = await import('jq-wasm');
  const jq = await loadJq();
  const compiled = jq.raw('', filter, flags);
  if (compiled.exitCode !== 0)
    throw usageError('bad_jq', `--jq does not compile: ${reason(compiled.stderr)}.`);
  const lines = (json: string): string[] | { reason: string } => {
    try {
      const { stdout, stderr, exitCode } = jq.raw(withoutLoneSurrogates(json), filter, flags);
      return exitCode === 0 ? stdout.split('\n').filter((line) => line !== '') : { reason: reason(stderr) };
    } catch (cause) {
      // It ends like this where its memory is full.
      if (cause instanceof Error && cause.name === 'RuntimeError') return { reason: outOfMemory };
      throw cause;
    }
  };
  return {
    run(json) {
      const found = lines(json);
      if (Array.isArray(found)) return found.map(shown);
      throw new DocsError('usage', 'jq_failed', `--jq failed: ${found.reason}.`);
    },
    attempt(json) {
      const found = lines(json);
      return Array.isArray(found) ? { outputs: found.map(outputOf) } : found;
    },
  };
}

const outOfMemory = 'its memory is full; pass --fields to give it less of each item, or filter -o ndjson';

/** An output as a value, large integers with all their digits. */
function outputOf(line: string): unknown {
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
