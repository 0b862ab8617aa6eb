import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keepCode, takeCode } from '../compiled.js';
import { leaveTexts } from '../planted.js';
import { isHere } from '../program.js';
import { sandboxHere } from '../sandbox-here.js';
import { Screen } from '../screen.js';
import { type OnTerminal, onTerminal } from '../terminal.js';
import { onTerminalHere } from '../terminal-here.js';

/** Plays a session of commands and keys on a real terminal, and gives what was to be seen. */

/** A command as somebody types it, and what they answer. */
export interface Command {
  /** The words behind `docs`. */
  run: readonly string[];
  /** What is waited for on the screen, and what is typed then. */
  answers?: readonly (readonly [waitFor: string, type: string])[];
  /** Somebody else's, or of another day: it is run, but is neither shown nor in the journals. */
  hidden?: true;
  /** Variables beside those of every step, such as an editor that needs no terminal. */
  env?: Readonly<Record<string, string>>;
}

/** What is typed into the shell beside docs: an edit of a file, a comment. */
export interface ShellLine {
  shell: string;
  /** It prepares what comes next, and is not shown. */
  hidden?: true;
}

export type Step = Command | ShellLine;

export interface Session {
  /** Spaces whose texts are all needed; without it, those of all are (`leaveTexts`). */
  textsOf?: readonly string[];
  /** Asks for what it needs to know of the sandbox, and gives the steps. */
  steps(sandbox: { url: string; token: string }): readonly Step[];
}

/** What the recording shows instead of what is different each time. */
const home = '/home/ada';
const port = '41234';
const job = '20260105-090000-c0ffee';

/**
 * Plays a session against a sandbox of its own, filled from `acme`.
 * @param whole with all its texts
 * @returns what the terminal showed, as text: the same each time but for what `settled` replaces
 */
export async function record(session: Session, columns: number, whole = false): Promise<string> {
  const path = mkdtempSync(join('/tmp', 'ada-'));
  if (!isHere) takeCode(path);
  const env = {
    HOME: path,
    PATH: process.env.PATH ?? '',
    DOCS_CREDENTIAL_STORE: 'file',
    LANG: 'C.UTF-8',
    DOCS_TIMEOUT: '5m',
    // A pager that asks for no keys; less may not be there.
    DOCS_PAGER: 'cat',
  };
  const sandbox = await sandboxHere({ path }, 'acme', '.', (db) => {
    if (session.textsOf !== undefined && !whole) leaveTexts(db, session.textsOf);
  });
  try {
    const { url, token } = sandbox;
    const shown: string[] = [];
    const place = { env, cwd: path, columns, url };
    for (const step of session.steps({ url, token })) {
      const seen = 'shell' in step ? typed(step, place) : await play(step, place);
      if (!step.hidden) shown.push(seen);
    }
    return shown.join('\n\n');
  } finally {
    await sandbox.close();
    if (!isHere) keepCode(path);
    rmSync(path, { recursive: true, force: true });
  }
}

interface Place {
  env: Readonly<Record<string, string>>;
  cwd: string;
  columns: number;
  url: string;
}

/** Runs one command, and shows it as a shell does. */
async function play({ run, answers = [], hidden, env: own }: Command, place: Place): Promise<string> {
  const { cwd, columns, url } = place;
  const env = { ...place.env, ...own, ...(hidden && { DOCS_JOURNAL: 'off' }) };
  const terminal = (process.env.DOCS_BIN ? onTerminal : onTerminalHere)(run, { env, cwd, columns });
  for (const [waitFor, type] of answers) {
    await shown(terminal, waitFor);
    terminal.type(type);
  }
  const { code, signal } = await terminal.ended;
  const screen = new Screen(columns);
  screen.write(`$ docs ${run.map(quoted).join(' ')}\r\n`);
  screen.write(settled(terminal.bytes, cwd, url));
  const ending =
    signal === 0 && code === 0 ? '' : `\n[${signal === 0 ? `exit code ${code}` : `signal ${signal}`}]`;
  return screen.text() + ending;
}

/** Waits for a question; one that never comes is told with what the screen shows instead. */
async function shown(terminal: OnTerminal, text: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const never = new Promise<never>((_, fail) => {
    timer = setTimeout(
      () => fail(new Error(`This was waited for: ${text}\n${terminal.screen.text()}`)),
      150_000,
    );
  });
  try {
    await Promise.race([terminal.shows(text), never]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs a line in the shell, and shows it with what it printed. */
function typed({ shell }: ShellLine, { env, cwd }: Place): string {
  const printed = execFileSync('bash', ['-c', shell], { env, cwd, encoding: 'utf8' });
  return `$ ${shell}\n${printed}`.trimEnd();
}

function quoted(word: string): string {
  if (/^[\w./:=@,-]+$/.test(word)) return word;
  return word.includes('"') ? `'${word}'` : `"${word}"`;
}

/** The bytes with what is different each time replaced: the port, the home, names of jobs, the minutes of the clocks. */
function settled(bytes: string, cwd: string, url: string): string {
  return bytes
    .replaceAll(new URL(url).port, port)
    .replaceAll(cwd, home)
    .replaceAll(/\b\d{8}-\d{6}-[\da-f]{6}\b/g, job)
    .replaceAll(/(\d{4}-\d\d-\d\dT09):\d\d:\d\d\.\d{3}Z/g, '$1:00:00.000Z')
    .replaceAll(/\bRead \d\d:\d\d:\d\d\b/g, 'Read 09:00:00')
    .replaceAll(/(\d{4}-\d\d-\d\d 09):\d\d(?=\s+UTC)/g, '$1:00');
}
