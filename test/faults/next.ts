import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { wordsOf } from '../../src/cli/declare/place-flags.js';
import { docsFile, docsFirst } from '../started.js';

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
    expect(flags(wordsOf(command).slice(1)), 'the command that failed').not.toBe(flags(line));
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
  const quiet = createServer((_, response) => {
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"code":404}}');
  });
  await new Promise<void>((done) => quiet.listen(0, '127.0.0.1', done));
  const at = `http://127.0.0.1:${(quiet.address() as AddressInfo).port}`;
  try {
    for (const { line, command } of fresh) {
      const words = wordsOf(command.replaceAll(url, at)).slice(1);
      const there = { ...env, DOCS_BASE_URL: at, DOCS_TIMEOUT: '5s' };
      const { status, stderr } = await run(words, there, cwd);
      // A job belongs to the platform that it was made for, which has another address than the one of here.
      const isElsewhere = stderr.includes(`belongs to ${url}, not to ${at}`);
      const isUsage = status === 2 && !isElsewhere;
      expect(isUsage, `docs ${line.join(' ')} named ${command}: ${stderr}`).toBe(false);
    }
  } finally {
    quiet.close();
    quiet.closeAllConnections();
  }
}

/** Runs docs without a terminal, for three minutes at most. */
function run(
  words: readonly string[],
  env: Record<string, string>,
  cwd: string,
): Promise<{ status: number | null; stderr: string }> {
  return new Promise((done, failed) => {
    const child = spawn(docsFile, [...docsFirst, ...words], {
      env,
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 180_000,
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', failed);
    child.on('close', (status) => done({ status, stderr }));
  });
}
