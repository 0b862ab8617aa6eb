/** A column to fit. Widths are in terminal columns. */
export interface Wish {
  /** The width of the widest of header and cells. */
  natural: number;
  /** Identifies the item: never given up. */
  keep: boolean;
  /** All its cells are empty so far: given up first. */
  empty?: boolean;
  /** May be cut, as only text may; roles, ages, numbers and ids are whole or not there. */
  flexible: boolean;
}

/** Columns between two columns. */
export const gap = 2;

/** Below this, cut text says too little: the column is given up, too. Of what identifies, more is kept. */
const leastText = 16;
const leastKeptText = 24;
/** Where not even that fits: the least that is worth a column. */
const leastCut = 4;

/** What is given up for what. */
export interface FitRule {
  /** A text is not cut below this while a column right of it can be given up. */
  readable: number;
  /** Empty columns are given up before anything is cut, rather than before other columns. */
  emptyFirst: boolean;
}

/** On a terminal: whoever reads wants emails whole rather than one more column. */
export const forReading: FitRule = { readable: 40, emptyFirst: true };

/** A table in a file or a pipe, whose bytes were promised before there was the rule for reading. */
export const asPromised: FitRule = { readable: 0, emptyFirst: false };

/**
 * Fits columns into a window, so that a row is always one line. Texts are cut to what can be read of them, then
 * columns are given up from the right, empty ones first. What then finds room comes back.
 * @param available width of the window, at least 1
 * @param rule default: what is best to read
 * @returns the width of each column; 0 for one that is given up
 */
export function fitColumns(wishes: readonly Wish[], available: number, rule = forReading): number[] {
  const shown = wishes.map((_, index) => index);
  const squeeze: Share = (columns, room) => squeezed(columns, room, rule);
  const fitting = (indexes: readonly number[]) => widthsOf(wishes, indexes, available, squeeze);
  for (;;) {
    const isVictim = (index: number) => wishes[index]?.keep === false;
    const empty = shown.findLastIndex((index) => isVictim(index) && wishes[index]?.empty === true);
    const share = empty !== -1 && rule.emptyFirst ? uncut : squeeze;
    const widths = widthsOf(wishes, shown, available, share);
    if (widths !== undefined) return withMore(wishes, widths, fitting);
    const victim = empty === -1 ? shown.findLastIndex(isVictim) : empty;
    if (victim === -1) return widthsOf(wishes, shown, available, identifying) ?? [];
    shown.splice(victim, 1);
  }
}

/** Shares the room among the columns; undefined where it is not enough. */
type Share = (columns: readonly Wish[], room: number) => number[] | undefined;

/** The widths of all columns, where only those of the indexes are shown. */
function widthsOf(
  wishes: readonly Wish[],
  indexes: readonly number[],
  available: number,
  share: Share,
): number[] | undefined {
  const columns = wishes.filter((_, index) => indexes.includes(index));
  const widths = share(columns, available - gap * (columns.length - 1));
  return widths && wishes.map((_, index) => widths[indexes.indexOf(index)] ?? 0);
}

/** Wide columns were given up after narrow ones, which may fit in their place. */
function withMore(
  wishes: readonly Wish[],
  fitted: number[],
  fitting: (indexes: readonly number[]) => number[] | undefined,
): number[] {
  let best = fitted;
  wishes.forEach(({ empty }, index) => {
    if (best[index] !== 0 || empty) return;
    best = fitting(wishes.flatMap((_, at) => (at === index || best[at] !== 0 ? [at] : []))) ?? best;
  });
  return best;
}

/** The natural widths, where they fit. */
function uncut(columns: readonly Wish[], room: number): number[] | undefined {
  const widths = columns.map(({ natural }) => natural);
  return sum(widths) > room ? undefined : widths;
}

/** Widths that fit without cutting anything too short; undefined where there are none. */
function squeezed(columns: readonly Wish[], room: number, { readable }: FitRule): number[] | undefined {
  const lastVictim = columns.findLastIndex(({ keep }) => !keep);
  const floors = columns.map(({ natural, flexible, keep }, index) => {
    const least = Math.max(keep ? leastKeptText : leastText, index < lastVictim ? readable : 0);
    return flexible ? Math.min(natural, least) : natural;
  });
  return sum(floors) > room ? undefined : level(columns, floors, room);
}

/** What identifies stays: ids whole if they can be, else all of it shares the room, down to the first column. */
function identifying(columns: readonly Wish[], room: number): number[] {
  const floors = columns.map(({ natural, flexible }) => (flexible ? Math.min(natural, leastCut) : natural));
  if (sum(floors) <= room) return level(columns, floors, room);
  if (room >= columns.length * leastCut || columns.length === 1)
    return level(
      columns,
      columns.map(() => 1),
      Math.max(room, 1),
    );
  return identifying(columns.slice(0, -1), room + gap);
}

/** Cuts the widest columns to a common level, none below its floor, so that all fit. */
function level(columns: readonly Wish[], floors: readonly number[], room: number): number[] {
  const widthsAt = (height: number) =>
    columns.map(({ natural }, index) => Math.min(natural, Math.max(floors[index] ?? 0, height)));
  let height = room;
  while (height > 0 && sum(widthsAt(height)) > room) height -= 1;
  let left = room - sum(widthsAt(height));
  return widthsAt(height).map((width, index) => {
    const cut = width < (columns[index]?.natural ?? 0);
    if (!cut || left <= 0) return width;
    left -= 1;
    return width + 1;
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
