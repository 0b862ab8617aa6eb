import { Screen } from './screen.js';
import type { Ended, OnTerminal } from './terminal.js';

/** What a terminal was sent, and waits for what it shows: for a real one and for one in this process. */
export class Shown {
  /** Every byte so far. */
  bytes = '';
  readonly screen: Screen;
  #isOver = false;
  readonly #waiting = new Set<() => void>();

  /** @param columns 0 for a terminal whose width is not known */
  constructor(columns: number) {
    this.screen = new Screen(columns);
  }

  take(text: string): void {
    this.bytes += text;
    this.screen.write(text);
    this.#look();
  }

  /** Nothing more comes. */
  end(): void {
    this.#isOver = true;
    this.#look();
  }

  /** Waits until the screen shows a text; fails where the program ends before it does. */
  shows(text: string): Promise<void> {
    return this.#until(() => this.screen.text().includes(text), text);
  }

  /** Waits until the screen shows a text no more. */
  hides(text: string): Promise<void> {
    return this.#until(() => !this.screen.text().includes(text), text);
  }

  #until(met: () => boolean, text: string): Promise<void> {
    return new Promise((done, fail) => {
      const again = () => {
        const isMet = met();
        if (!isMet && !this.#isOver) return;
        this.#waiting.delete(again);
        const why = `It ended, and this was waited for: ${JSON.stringify(text)}\n${this.screen.text()}`;
        if (isMet) done();
        else fail(new Error(why));
      };
      this.#waiting.add(again);
      again();
    });
  }

  #look(): void {
    for (const again of [...this.#waiting]) again();
  }
}

/** What moves a terminal, of whichever kind. */
type Moved = Pick<OnTerminal, 'type' | 'resize'> & { ended: Promise<Pick<Ended, 'code' | 'signal'>> };

/** A terminal as tests use it. */
export function terminalOf(shown: Shown, { type, resize, ended: over }: Moved): OnTerminal {
  const ended = over.then((end) => {
    shown.end();
    return { ...end, screen: shown.screen.text(), bytes: shown.bytes };
  });
  return {
    ...{ screen: shown.screen, type, resize, ended },
    get bytes() {
      return shown.bytes;
    },
    get words() {
      return shown.screen.text().replaceAll(/\s+/g, ' ');
    },
    shows: (text) => shown.shows(text),
    hides: (text) => shown.hides(text),
    async answer(text, typed = '') {
      await shown.shows(text);
      type(`${typed}\r`);
    },
    async leave(text) {
      await shown.shows(text);
      type('\x03');
      return ended;
    },
  };
}
