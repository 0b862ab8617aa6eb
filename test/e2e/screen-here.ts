import { FakeOutput } from '../fake-io.js';
import { runHere } from './here.js';
import type { Home } from './program.js';
import { Screen } from './screen.js';

export interface ScreenHere {
  code: number | null;
  /** What the terminal shows at the end. */
  screen: string;
}

export interface ScreenOptions {
  columns?: number;
  rows?: number;
  env?: Readonly<Record<string, string>>;
}

/**
 * What a terminal shows of a command that the sources run in this process: for layout. Whatever asks, or a pager
 * shows, takes a terminal of its own (terminal.ts).
 */
export async function screenHere(
  home: Home,
  args: readonly string[],
  { columns = 80, rows = 40, env = {} }: ScreenOptions = {},
): Promise<ScreenHere> {
  const screen = new Screen(columns);
  const output = () => {
    const one = new FakeOutput({ terminal: true, columns });
    one.rows = rows;
    return one;
  };
  const [stdout, stderr] = [output(), output()];
  const all = { ...home.env, DOCS_PAGER: 'cat', ...env };
  const { code } = await runHere(args, all, home.path, undefined, { stdout, stderr });
  screen.write([...stdout.writes, ...stderr.writes].join('').replaceAll(/\r?\n/g, '\r\n'));
  return { code, screen: screen.text() };
}
