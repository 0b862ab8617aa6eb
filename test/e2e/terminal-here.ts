import { PassThrough } from 'node:stream';
import { run } from '../../src/main.js';
import { FakeOutput } from '../fake-io.js';
import { ioHere } from './here.js';
import { Screen } from './screen.js';
import type { OnTerminal, TerminalOptions } from './terminal.js';

/** What questions ask and what they are answered, without a terminal of the system: the run is in this process. */
export type OnTerminalHere = Pick<OnTerminal, 'screen' | 'type' | 'shows' | 'ended'>;

/** Runs `docs` with these words and streams that say that they are terminals. */
export function onTerminalHere(
  args: readonly string[],
  { env, cwd, columns = 80 }: Pick<TerminalOptions, 'env' | 'cwd' | 'columns'>,
): OnTerminalHere {
  const screen = new Screen(columns);
  const waiting = new Set<() => void>();
  let isOver = false;
  const look = () => {
    for (const again of [...waiting]) again();
  };
  const output = () => {
    // Prompts leave it open, as they leave the streams of a process.
    const stream = Object.assign(new FakeOutput({ terminal: true, columns }), { _isStdio: true });
    stream._write = (chunk: string | Buffer, _, done) => {
      screen.write(chunk.toString().replaceAll(/\r?\n/g, '\r\n'));
      done();
      look();
    };
    return stream;
  };
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const io = ioHere({ TERM: 'xterm-256color', ...env }, cwd, { stdin, stdout: output(), stderr: output() });
  const ended = run(args, io).then((code) => {
    isOver = true;
    look();
    return { code, signal: 0, screen: screen.text() };
  });
  return {
    screen,
    type: (typed) => void stdin.write(typed),
    shows: (text) =>
      new Promise((done, fail) => {
        const again = () => {
          const isThere = screen.text().includes(text);
          if (!isThere && !isOver) return;
          waiting.delete(again);
          if (isThere) done();
          else
            fail(new Error(`It ended, and this was waited for: ${JSON.stringify(text)}\n${screen.text()}`));
        };
        waiting.add(again);
        again();
      }),
    ended,
  };
}
