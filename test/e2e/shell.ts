import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { spawn as spawnOnTerminal } from '@lydell/node-pty';
import { docsLine } from '../started.js';

/** Real shells on a real terminal, with `docs` on their path. */

/** A shell that a test types into. */
export interface Shell {
  /** Everything on the screen since `clear`, without colours and movements of the cursor. */
  readonly screen: string;
  /** Types text, as keys. */
  type(keys: string): void;
  /** Waits until the screen since `clear` fits; the test's own time limit ends it. */
  until(pattern: RegExp): Promise<string>;
  /** Types a line and waits until it has run. */
  run(line: string): Promise<string>;
  /** The words of the line that is typed, as the shell would pass them on; the line itself is not run. */
  words(): Promise<string>;
  /** Forgets what is on the screen. */
  clear(): void;
  end(): void;
}

/** How long a screen may take, in milliseconds. */
const patienceMs = 150_000;

/** Whether a program is installed here. */
export function isInstalled(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Puts `docs` into a folder of its own inside the home. @returns a PATH that begins with it */
export function docsOnPath(home: string): string {
  const folder = join(home, 'on-path');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'docs');
  writeFileSync(file, `#!/bin/sh\nexec ${docsLine} "$@"\n`);
  chmodSync(file, 0o755);
  return `${folder}${delimiter}${process.env.PATH ?? ''}`;
}

/** Defines what `words` runs; to be typed once, in any shell but fish. */
export const defineShow = `show() { printf '<%s>' "$@"; printf '\\n'; }`;

/** Starts a shell on a terminal of 100 columns. */
export function startShell(file: string, args: string[], env: Record<string, string>, cwd: string): Shell {
  const terminal = spawnOnTerminal(file, args, { name: 'xterm', cols: 100, rows: 40, cwd, env });
  let seen = '';
  let waiting: { pattern: RegExp; found: (screen: string) => void }[] = [];
  let lines = 0;
  const look = (): void => {
    const screen = plain(seen);
    const done = waiting.filter(({ pattern }) => pattern.test(screen));
    waiting = waiting.filter((waiter) => !done.includes(waiter));
    for (const { found } of done) found(screen);
  };
  terminal.onData((text) => {
    seen += text;
    look();
  });
  const shell: Shell = {
    get screen() {
      return plain(seen);
    },
    type: (keys) => terminal.write(keys),
    until: (pattern) =>
      new Promise((found, failed) => {
        // Says what is on the screen before the test's own time is up.
        const limit = setTimeout(
          () => failed(new Error(`never on the screen: ${pattern}\n${plain(seen)}`)),
          patienceMs,
        );
        const done = (screen: string): void => {
          clearTimeout(limit);
          found(screen);
        };
        waiting.push({ pattern, found: done });
        look();
      }),
    async run(line) {
      lines += 1;
      // Written so that the line as typed does not look like its output.
      terminal.write(`${line}; echo "ran"-${lines}\r`);
      return shell.until(new RegExp(`ran-${lines}\\n`));
    },
    async words() {
      seen = '';
      terminal.write('\x01show \x05\r');
      const screen = await shell.until(/^<.*>$/m);
      return /^<.*>$/m.exec(screen)?.[0] ?? '';
    },
    clear() {
      seen = '';
    },
    end: () => terminal.kill('SIGKILL'),
  };
  return shell;
}

/** The text of a terminal without its commands; a backspace takes back the letter before it. */
function plain(text: string): string {
  let shown = withoutCommands(text);
  for (let before = ''; before !== shown; ) {
    before = shown;
    shown = shown.replaceAll(/[^\x08\n]\x08/g, '');
  }
  return shown.replaceAll('\x08', '');
}

function withoutCommands(text: string): string {
  return text
    .replaceAll(/\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g, '')
    .replaceAll(/\x1b[[(][0-9;?<>=]*[A-Za-z]?/g, '')
    .replaceAll(/\x1b[=>78]/g, '')
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\r\x07\x0f]/g, '');
}
