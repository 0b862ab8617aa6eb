import { closeSync, constants, openSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { spawn } from '@lydell/node-pty';
import { docsFile, docsFirst, docsWords } from '../started.js';
import { Screen } from './screen.js';

/** The built program on a real pseudo-terminal, and what its screen shows. */

export interface OnTerminal {
  /** Every byte so far. */
  readonly bytes: string;
  readonly screen: Screen;
  /** Types keys: `\r` is Enter, `\x03` Ctrl-C, `\x1b[B` the arrow down. */
  type(keys: string): void;
  /** Waits until the screen shows a text; fails where the program ends before it does. */
  shows(text: string): Promise<void>;
  /** Waits until the screen shows a text no more. */
  hides(text: string): Promise<void>;
  resize(columns: number): void;
  /** Once it ended: its exit code, the signal it died by (0: none), the screen at the end. */
  readonly ended: Promise<{ code: number; signal: number; screen: string }>;
}

export interface TerminalOptions {
  env: Readonly<Record<string, string>>;
  cwd: string;
  columns?: number;
  /** Lines of the screen; default: 40. */
  rows?: number;
  /** Run in a shell before docs on the same terminal, such as `stty cols 0`. */
  before?: string;
  /** Run after it, with its exit code in `$?`. */
  after?: string;
}

export const keys = { enter: '\r', interrupt: '\x03', down: '\x1b[B', tab: '\t' } as const;

/** Runs `docs` with these words on a terminal. */
export function onTerminal(args: readonly string[], options: TerminalOptions): OnTerminal {
  const { env, cwd, columns = 80, rows = 40, before, after } = options;
  const shelled = before !== undefined || after !== undefined;
  const line = [before, '"$@"', after].filter((part) => part !== undefined).join('\n');
  const [file, words] = shelled
    ? ['bash', ['-c', line, 'bash', ...docsWords, ...args]]
    : [docsFile, [...docsFirst, ...args]];
  const terminal = spawn(file, words, {
    name: env.TERM ?? 'xterm-256color',
    cols: columns,
    rows,
    cwd,
    env,
  });
  readToTheEnd(terminal);
  const screen = new Screen(before?.includes('cols 0') ? 0 : columns);
  let bytes = '';
  let over = false;
  const waiting = new Set<() => void>();
  const look = () => {
    for (const again of [...waiting]) again();
  };
  terminal.onData((text) => {
    bytes += text;
    screen.write(text);
    look();
  });
  const ended = new Promise<{ code: number; signal: number; screen: string }>((done) => {
    terminal.onExit(({ exitCode, signal = 0 }) => {
      over = true;
      look();
      done({ code: exitCode, signal, screen: screen.text() });
    });
  });
  const until = (met: () => boolean, text: string) =>
    new Promise<void>((done, fail) => {
      const again = () => {
        const isMet = met();
        if (!isMet && !over) return;
        waiting.delete(again);
        if (isMet) done();
        else fail(new Error(`It ended, and this was waited for: ${JSON.stringify(text)}\n${screen.text()}`));
      };
      waiting.add(again);
      again();
    });
  return {
    get bytes() {
      return bytes;
    },
    screen,
    type: (typed) => terminal.write(typed),
    resize: (width) => terminal.resize(width, rows),
    shows: (text) => until(() => screen.text().includes(text), text),
    hides: (text) => until(() => !screen.text().includes(text), text),
    ended,
  };
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
