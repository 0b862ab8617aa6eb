import { closeSync, constants, openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { spawn } from '@lydell/node-pty';
import { docsFile, docsFirst, docsWords } from '../started.js';
import { isHere } from './program.js';
import type { Screen } from './screen.js';
import { Shown, terminalOf } from './shown.js';
import { onTerminalHere } from './terminal-here.js';

/** docs on a terminal, and what its screen shows: the built program on a real one; the sources, in the world layer. */

export interface OnTerminal {
  /** Every byte so far. */
  readonly bytes: string;
  readonly screen: Screen;
  /** What the screen shows, however its lines are broken. */
  readonly words: string;
  /** Types keys: `\r` is Enter, `\x03` Ctrl-C, `\x1b[B` the arrow down. */
  type(keys: string): void;
  /** Waits until the screen shows a text; fails where the program ends before it does. */
  shows(text: string): Promise<void>;
  /** Waits until the screen shows a text no more. */
  hides(text: string): Promise<void>;
  resize(columns: number): void;
  readonly ended: Promise<Ended>;
  /** Waits until the screen shows a text, then types an answer and Enter. */
  answer(text: string, typed?: string): Promise<void>;
  /** Waits until the screen shows a text, presses Ctrl-C, and waits for the end. */
  leave(text: string): Promise<Ended>;
}

/** How it ended. */
export interface Ended {
  code: number;
  /** 0: none. */
  signal: number;
  screen: string;
  bytes: string;
}

export interface TerminalOptions {
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** 0: not known; default: 80. */
  columns?: number;
  /** Lines of the screen; default: 40. */
  rows?: number;
  /** Whether a spinner comes at once; for the world layer, where none comes otherwise. */
  spins?: boolean;
  /** Run in a shell before docs on the same terminal, such as `trap : INT`; for programs alone, as is `after`. */
  before?: string;
  /** Run after it, with its exit code in `$?`. */
  after?: string;
}

export const keys = { enter: '\r', interrupt: '\x03', down: '\x1b[B', tab: '\t' } as const;

/** Runs `docs` with these words on a terminal. */
export function onTerminal(args: readonly string[], options: TerminalOptions): OnTerminal {
  if (isHere) return onTerminalHere(args, options);
  const { env, cwd, columns = 80, rows = 40, after } = options;
  // A terminal is made with some width.
  const before = columns === 0 ? 'stty cols 0 rows 0' : options.before;
  const shelled = before !== undefined || after !== undefined;
  const line = [before, '"$@"', after].filter((part) => part !== undefined).join('\n');
  const [file, words] = shelled
    ? ['bash', ['-c', line, 'bash', ...docsWords, ...args]]
    : [docsFile, [...docsFirst, ...args]];
  const terminal = spawn(file, words, {
    name: env.TERM ?? 'xterm-256color',
    cols: columns || 80,
    rows: rows || 24,
    cwd,
    env,
  });
  readToTheEnd(terminal);
  const shown = new Shown(columns);
  terminal.onData((text) => shown.take(text));
  const ended = new Promise<{ code: number; signal: number }>((done) => {
    terminal.onExit(({ exitCode, signal = 0 }) => done({ code: exitCode, signal }));
  });
  return terminalOf(shown, {
    ended,
    type: (typed) => terminal.write(typed),
    resize: (width) => terminal.resize(width, rows),
  });
}

/**
 * Once no program holds a terminal any more, what was not read of it by then is lost but for 4 KB. So it is held until
 * all is read; node-pty closes its end some 200 ms after the program ended.
 */
export function readToTheEnd(terminal: object): void {
  const [socket, path]: unknown[] = [Reflect.get(terminal, '_socket'), Reflect.get(terminal, '_pty')];
  if (!(socket instanceof ReadStream) || typeof path !== 'string')
    throw new Error('node-pty keeps its terminal elsewhere now.');
  const held = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  const destroy = socket.destroy.bind(socket);
  let before = -1;
  const end = () => {
    if (socket.bytesRead === before) {
      closeSync(held);
      destroy();
      return;
    }
    before = socket.bytesRead;
    setTimeout(end, 20);
  };
  socket.destroy = () => {
    if (before === -1) end();
    return socket;
  };
}
