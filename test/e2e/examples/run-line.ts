import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Io } from '../../../src/base/io.js';
import { run } from '../../../src/main.js';
import { fakeIo } from '../../fake-io.js';

/** A line of the reference, as a shell would run it: words in quotes, `<`, `>` and what follows `|` or `||`. */

export interface RanLine {
  code: number;
  stdout: string;
  stderr: string;
}

interface ShellLine {
  words: string[];
  from?: string;
  to?: string;
}

/** Splits a line. What is behind a pipe is another program's, and left out. */
export function shellLine(line: string, home: string): ShellLine {
  const tokens: string[] = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"|<>])+|[|<>]/g) ?? [];
  const pipe = tokens.indexOf('|');
  const own = pipe === -1 ? tokens : tokens.slice(0, pipe);
  const after = (sign: string): string | undefined => own[own.indexOf(sign) + 1];
  const [from, to] = [own.includes('<') ? after('<') : undefined, own.includes('>') ? after('>') : undefined];
  const words = own.filter((token, at) => !/^[<>]$/.test(token) && !/^[<>]$/.test(own[at - 1] ?? ''));
  return {
    words: words.map((word) =>
      word.replace(/^~(?=\/)/, home).replaceAll(/'([^']*)'|"([^"]*)"/g, (_, one, two) => one ?? two),
    ),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

interface LineOptions {
  cwd: string;
  env: Record<string, string>;
  stdin?: string;
  clock?: Pick<Io, 'now' | 'sleep'>;
  systemPolicies?: Io['systemPolicies'];
}

/** Runs a line that begins with `docs`, within this process. */
export async function runLine(
  line: string,
  { cwd, env, stdin, clock = fastClock(), systemPolicies }: LineOptions,
): Promise<RanLine> {
  const { words, from, to } = shellLine(line, env.HOME ?? '');
  const read = from === undefined ? stdin : readFileSync(join(cwd, from), 'utf8');
  const io = Object.assign(
    fakeIo({ cwd, env, ...(read !== undefined && { stdin: read }) }),
    clock,
    systemPolicies && { systemPolicies },
  );
  const code = await run(words.slice(1), io);
  if (to !== undefined) writeFileSync(join(cwd, to), io.stdout.text);
  return { code, stdout: io.stdout.text, stderr: io.stderr.text };
}

/** How much faster than the machine's the clock of examples and sandbox runs, so that nothing waits for long. */
export const haste = 4;
const startMs = Date.now();

/** A clock that begins now, or at a time, and sleeps that it is fast for, too. */
export function fastClock(at?: string): Pick<Io, 'now' | 'sleep'> {
  const aheadMs = at === undefined ? 0 : Date.parse(at) - startMs;
  return {
    now: () => startMs + aheadMs + (Date.now() - startMs) * haste,
    sleep: (ms, signal) => wait(ms / haste, undefined, { signal, ref: false }),
  };
}
