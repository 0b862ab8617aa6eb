import { afterAll, describe, expect, it, vi } from 'vitest';
import type { HeatPart } from '../../src/document/document.js';
import { characterWidth, type DrawnText, FakeBox } from './fake-canvas.js';
import { FakeElement, pageGlobals } from './fake-document.js';

/** What the script of a report draws of a heat map; browser.long.test.ts looks at it in a browser. */

const darkness = new FakeElement('darkness');
const dark = { matches: false };
const inWindow = new FakeElement('window');
const globals = {
  ...pageGlobals,
  document: {
    ...pageGlobals.document,
    createElement: (name: string) => new FakeBox(name),
    activeElement: null,
  },
  window: {
    innerWidth: 1280,
    innerHeight: 720,
    devicePixelRatio: 1,
    addEventListener: inWindow.addEventListener.bind(inWindow),
    matchMedia: () => ({
      get matches() {
        return dark.matches;
      },
      addEventListener: darkness.addEventListener.bind(darkness),
    }),
  },
  ResizeObserver: class {
    observe(): void {}
  },
};
for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
afterAll(() => vi.unstubAllGlobals());

/** Not a literal: the script is checked with the types of a page (src/reports/client/tsconfig.json). */
const load = (path: string) => import(path);
const { heatView, cell } = (await load('../../src/reports/client/heat.js')) as {
  heatView(part: HeatPart, heading: string, madeAt: number): FakeBox[];
  cell: number;
};

/** The labels of columns need the space of the longest, 'Handbook', and 16 pixels. */
const head = 8 * characterWidth + 16;
/** As wide as a label may be beside its margin of 10 pixels, and one character more. */
const most = 220 - 10;
const longest = 'm'.repeat(most / characterWidth);

/** A map of levels 0 to 2, whose cell in row r and column c has the level (r + c) % 3. */
function mapOf(rows: readonly string[], columns: readonly string[]): HeatPart {
  const cells = Uint8Array.from(
    rows.flatMap((_row, row) => columns.map((_column, column) => (row + column) % 3)),
  );
  return {
    kind: 'heat',
    title: 'Access',
    axes: ['Person', 'Space'],
    rows: rows.map((label) => ({ label })),
    columns: columns.map((label) => ({ label })),
    levels: ['none', 'read', 'admin'],
    reasons: ['', 'by a team', 'as an admin'],
    cells,
    why: Uint16Array.from(cells),
  };
}

function shown(part: HeatPart) {
  const page = new FakeElement('main');
  page.replaceChildren(...heatView(part, 'h1', 0));
  const [map, canvas] = [page.all('div', 'class', 'map')[0], page.all('canvas')[0]];
  if (!(map instanceof FakeBox && canvas instanceof FakeBox)) throw new Error('no map');
  /** What is drawn after something was done. */
  const after = (run: () => void) => {
    canvas.context.clear();
    run();
    return canvas.context;
  };
  const key = (name: string, more = {}) => after(() => map.does('keydown', { key: name, ...more }));
  return { page, map, context: canvas.context, after, key };
}

const people = ['Ada', 'Grace', 'Edsger'];
const spaces = ['Handbook', 'API', 'Plans', 'דוח'];
const upright = ({ turn }: DrawnText) => turn === 0;

describe('a heat map', () => {
  it('draws each cell at its place, in the colour of its level', () => {
    const { context } = shown(mapOf(people, spaces));
    const cells = context.boxes.filter(({ width }) => width === cell - 1);
    const left = Math.min(...cells.map(({ x }) => x));
    expect(cells.map(({ x, y }) => [(x - left) / cell, (y - head) / cell])).toEqual(
      people.flatMap((_row, row) => spaces.map((_column, column) => [column, row])),
    );
    const colours = cells.map(({ colour }) => colour);
    expect(new Set(colours).size).toBe(3);
    for (const [at, colour] of colours.entries()) {
      const [row, column] = [Math.floor(at / spaces.length), at % spaces.length];
      expect(colour).toBe(colours[(row + column) % 3]);
    }
  });

  it('writes the labels of rows upright beside them, and those of columns upwards above them', () => {
    const { context } = shown(mapOf(people, spaces));
    const rows = context.texts.filter(upright);
    expect(rows.map(({ text, y }) => [text, y])).toEqual(
      people.map((text, at) => [text, head + at * cell + cell / 2]),
    );
    const columns = context.texts.filter((text) => !upright(text));
    expect(columns.map(({ text }) => text)).toEqual(spaces);
    expect(columns.map(({ turn }) => turn)).toEqual(spaces.map(() => -Math.PI / 2));
    expect(columns.map(({ direction }) => direction)).toEqual(['ltr', 'ltr', 'ltr', 'rtl']);
  });

  it('cuts a label that has not the space, and no other', () => {
    const { context } = shown(mapOf([longest, `${longest}m`, 'Ada'], spaces));
    const texts = context.texts.filter(upright).map(({ text }) => text);
    expect(texts).toEqual([longest, `${longest.slice(1)}…`, 'Ada']);
  });

  it('frames the cell of the cursor, which the keys move by one, by a page and to the ends', () => {
    const { context, map, after, key } = shown(mapOf(people, spaces));
    const first = after(() => map.does('focus')).frames[0];
    if (first === undefined) throw new Error('no frame');
    expect(context.texts.filter(({ font }) => font.startsWith('600')).map(({ text }) => text)).toEqual([
      'Ada',
      'Handbook',
    ]);
    const moves: [string, object, number, number][] = [
      ['ArrowDown', {}, 1, 0],
      ['ArrowRight', {}, 1, 1],
      ['ArrowUp', {}, 0, 1],
      ['ArrowLeft', {}, 0, 0],
      ['ArrowLeft', {}, 0, 0],
      ['PageDown', {}, 2, 0],
      ['End', {}, 2, 3],
      ['PageUp', {}, 0, 3],
      ['Home', {}, 0, 0],
      ['End', { ctrlKey: true }, 2, 3],
      ['Home', { ctrlKey: true }, 0, 0],
    ];
    for (const [name, more, row, column] of moves) {
      const [frame] = key(name, more).frames;
      expect([name, frame?.x, frame?.y]).toEqual([name, first.x + column * cell, first.y + row * cell]);
    }
  });

  it('says what the cell of the cursor means, and why', () => {
    const { page, map, key } = shown(mapOf(people, spaces));
    map.does('focus');
    key('ArrowRight');
    expect(page.all('p', 'class', 'reading')[0]?.textContent).toBe('Ada · API: read, by a team');
  });

  it('is drawn anew, in colours for a dark screen, as soon as the screen turns dark', () => {
    const { context, after } = shown(mapOf(people, spaces));
    const ground = context.boxes[0]?.colour;
    dark.matches = true;
    const drawn = after(() => darkness.does('change'));
    dark.matches = false;
    expect(drawn.boxes).not.toEqual([]);
    expect(drawn.boxes[0]?.colour).not.toBe(ground);
    const onPaper = after(() => inWindow.does('beforeprint'));
    expect(onPaper.boxes[0]?.colour).toBe(ground);
  });
});
