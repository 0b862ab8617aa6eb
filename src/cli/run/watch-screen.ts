import type { Io } from '../../base/io.js';
import { loadChalk, type Painter, plain } from '../../output/colors.js';
import { safeLine } from '../../output/safe-text.js';
import { colorLevel, terminalWidth } from '../../output/terminal.js';
import { cut, widthOf } from '../../output/text-width.js';
import type { Session } from '../declare/session.js';
import { Captured, type Look, withOutputs } from './watch-look.js';

/** Where the height of a terminal is not known. */
const usualRows = 24;

/**
 * Shows each reading in the place of the one before, with a line that says how it stands. The cursor stays visible
 * and below, so that whatever ends the process leaves a usable terminal.
 */
export class WatchScreen {
  readonly #session: Session;
  readonly #dim: Painter;
  #look: Look | undefined;
  #status = '';
  /** The lines that are on the screen, the status last. */
  #drawn: readonly string[] = [];
  #drawing: Promise<void> = Promise.resolve();
  readonly #onResize = () => this.#redraw();

  private constructor(session: Session, dim: Painter) {
    this.#session = session;
    this.#dim = dim;
    this.#io.stdout.on('resize', this.#onResize);
  }

  static async open(session: Session): Promise<WatchScreen> {
    const chalk = await loadChalk(colorLevel(session.io, session.globals, 'stdout'));
    return new WatchScreen(session, chalk?.dim ?? plain);
  }

  /** Draws a reading. */
  async show(look: Look, status: string): Promise<void> {
    this.#look = look;
    this.#status = status;
    this.#redraw();
    await this.#drawing;
  }

  /** Draws another status below the last reading. */
  say(status: string): void {
    this.#status = status;
    this.#redraw();
  }

  /** Takes all of it off the screen, for what is printed in its place. */
  async clear(): Promise<void> {
    await this.#end();
    this.#write(back(this.#height() - 1));
    this.#drawn = [];
  }

  /** Leaves the last reading on the screen, without the status. */
  async leave(): Promise<void> {
    await this.#end();
    if (this.#drawn.length > 0) this.#write(back(rowsOf(this.#drawn.slice(-1), this.#columns) - 1));
    this.#drawn = [];
  }

  async #end(): Promise<void> {
    this.#io.stdout.off('resize', this.#onResize);
    await this.#drawing;
  }

  get #io(): Io {
    return this.#session.io;
  }

  get #columns(): number {
    return terminalWidth(this.#io);
  }

  /** One at a time, each with the newest reading and status. */
  #redraw(): void {
    this.#drawing = this.#drawing.then(() => this.#draw());
    this.#drawing.catch(() => {}); // Awaited by `show`.
  }

  async #draw(): Promise<void> {
    const look = this.#look;
    if (look === undefined) return;
    const columns = this.#columns;
    const lines = fitting(await this.#frame(look), this.#io.stdout.rows || usualRows, columns);
    const drawn = [...lines, this.#dim(cut(safeLine(this.#status), columns - 1))];
    // Each line is erased as it is replaced: the screen is never empty in between.
    const text = drawn.map((line) => `\x1b[2K${line}`).join('\r\n');
    this.#write(`\x1b[?2026h${up(this.#height() - 1)}\r${text}\x1b[J\x1b[?2026l`);
    this.#drawn = drawn;
  }

  /** What the command prints on this terminal, its remarks below. */
  async #frame(look: Look): Promise<string[]> {
    const { io, printer } = this.#session;
    const [out, talk] = [new Captured(io.stdout), new Captured(undefined)];
    await look.replay(printer.onto(withOutputs(io, out, talk)));
    const whole = out.text + talk.text;
    return whole === '' ? [] : whole.replace(/\n$/, '').split('\n');
  }

  /** Lines of the terminal that the last frame takes; a window made narrower breaks its lines. */
  #height(): number {
    return rowsOf(this.#drawn, this.#columns);
  }

  #write(text: string): void {
    const { stdout } = this.#io;
    if (!stdout.destroyed && !stdout.writableEnded) stdout.write(text);
  }
}

/** As many lines as fit above the status; what is cut is counted. */
function fitting(lines: readonly string[], rows: number, columns: number): readonly string[] {
  if (rowsOf(lines, columns) <= rows - 1) return lines;
  let [count, used] = [0, 0];
  for (const line of lines) {
    used += rowsOf([line], columns);
    if (used > rows - 2) break;
    count += 1;
  }
  return [...lines.slice(0, count), `… ${lines.length - count} more rows`];
}

function rowsOf(lines: readonly string[], columns: number): number {
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
}

const up = (rows: number): string => (rows > 0 ? `\x1b[${rows}A` : '');

/** To the beginning of the line that many rows above, with everything from there on erased. */
const back = (rows: number): string => `${up(rows)}\r\x1b[J`;
