import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, inject } from 'vitest';
import { shellWords } from '../../src/base/shell-word.js';
import { runHere } from '../e2e/here.js';
import { runProgram } from '../e2e/program.js';

/** What the errors of the fault tests name as `next`, run as it is printed. */

export interface Named {
  /** The words after `docs` that failed. */
  line: readonly string[];
  command: string;
}

/** Commands that were run in this worker already; ids and ports count as one. */
const seen = new Set<string>();

/** The commands that a failure names. @throws where one is the command that failed */
export function namedBy(line: readonly string[], error: Record<string, unknown>): Named[] {
  if (error.code === undefined) return [];
  expect(Array.isArray(error.next), `error.next of docs ${line.join(' ')}`).toBe(true);
  return (error.next as { command: string; when: string }[]).map(({ command, when }) => {
    expect(when).not.toBe('');
    // How it prints makes no other command of it.
    const flags = (words: readonly string[]) =>
      words
        .filter((word) => word !== '--json')
        .sort()
        .join(' ');
    expect(flags(shellWords(command).slice(1)), 'the command that failed').not.toBe(flags(line));
    return { line, command };
  });
}

/** Runs each of them against a platform that knows nothing. @throws where one is a usage error */
export async function expectNextRuns(
  named: readonly Named[],
  { env, cwd, url }: { env: Record<string, string>; cwd: string; url: string },
): Promise<void> {
  const fresh = named.filter(({ command }) => {
    const shape = command.replaceAll(/\d+/g, '0');
    return !seen.has(shape) && seen.add(shape);
  });
  if (fresh.length === 0) return;
  const run = inject('layer') === 'world' && process.env.DOCS_BIN === undefined ? runHere : runProgram;
  const quiet = createServer((_, response) => {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"code":404}}');
  });
  await new Promise<void>((done) => quiet.listen(0, '127.0.0.1', done));
  const at = `http://127.0.0.1:${(quiet.address() as AddressInfo).port}`;
  try {
    for (const { line, command } of fresh) {
      const words = shellWords(command.replaceAll(url, at)).slice(1);
      const there = { ...env, DOCS_BASE_URL: at, DOCS_TIMEOUT: '30s' };
      const { code, stderr } = await run(words, there, cwd, undefined);
      // A job belongs to the platform that it was made for, which has another address than the one of here.
      const isElsewhere = stderr.includes(`belongs to ${url}, not to ${at}`);
      const isUsage = code === 2 && !isElsewhere;
      expect(isUsage, `docs ${line.join(' ')} named ${command}: ${stderr}`).toBe(false);
    }
  } finally {
    quiet.close();
    quiet.closeAllConnections();
  }
}
