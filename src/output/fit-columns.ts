/** What the fitting needs to know of a column. Widths are in terminal columns. */
export interface Wish {
  /** As wide as the widest of header and cells. */
  natural: number;
  /** Identifies the item: given up last. */
  keep: boolean;
  /** Nothing is in it, as far as is known: given up first. */
  empty?: boolean;
  /** Only text may be cut; roles, ages, numbers and ids are whole or not there. */
  flexible: boolean;
}

/** Columns between two columns. */
export const gap = 2;

/** Below this, cut text says too little: another column is given up first. Of what identifies, more is kept. */
const leastText = 16;
const leastKeptText = 24;
/** Where not even that fits: the least that is worth a column. */
const leastCut = 4;

/**
 * Fits columns into a window, so that a row is always one line. Text gives way first, shared evenly
 * among the widest; then columns are given up from the right, empty ones first, those that identify never.
 * @param available width of the window in terminal columns, at least 1
 * @returns the width of each column; 0 for one that is given up
 */
export function fitColumns(wishes: readonly Wish[], available: number): number[] {
  const shown = wishes.map((_, index) => index);
  for (;;) {
    const columns = shown.map((index) => wishes[index]).filter((wish) => wish !== undefined);
    const room = available - gap * (columns.length - 1);
    const widths = squeeze(columns, room);
    if (widths !== undefined) return wishes.map((_, index) => widths[shown.indexOf(index)] ?? 0);
    const isVictim = (index: number) => wishes[index]?.keep === false;
    const empty = shown.findLastIndex((index) => isVictim(index) && wishes[index]?.empty === true);
    const victim = empty === -1 ? shown.findLastIndex(isVictim) : empty;
    if (victim === -1) return wishes.map((_, index) => identifying(columns, room)[shown.indexOf(index)] ?? 0);
    shown.splice(victim, 1);
  }
}

/** Widths that fit without cutting anything too short; undefined where there are none. */
function squeeze(columns: readonly Wish[], room: number): number[] | undefined {
  const least = (keep: boolean) => (keep ? leastKeptText : leastText);
  const floors = columns.map(({ natural, flexible, keep }) =>
    flexible ? Math.min(natural, least(keep)) : natural,
  );
  if (sum(floors) > room) return undefined;
  return level(columns, floors, room);
}

/**
 * What identifies must stay: an id whole where it can be, beside a few letters of the rest; else all
 * of it shares the room, down to the first column alone.
 */
function identifying(columns: readonly Wish[], room: number): number[] {
  const floors = columns.map(({ natural, flexible }) => (flexible ? Math.min(natural, leastCut) : natural));
  if (sum(floors) <= room) return level(columns, floors, room);
  if (room >= columns.length * leastCut || columns.length === 1) {
    const none = columns.map(() => 1);
    return level(columns, none, Math.max(room, 1));
  }
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
