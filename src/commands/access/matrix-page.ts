import type { Levelled } from '../../access/levels.js';
import type { MatrixRow } from '../../access/matrix/matrix.js';
import type { KnownRole } from '../../access/pair.js';
import type { SpacePlace } from '../../access/read/structure.js';
import { type Role, roles } from '../../api/shapes.js';
import type { Cell, Document, HeatPart, ReportColumn, TablePart } from '../../document/document.js';
import { counted } from '../../output/counted.js';
import { Reasons } from './matrix-reasons.js';

/** The page of `docs access matrix --html`: people by spaces, and how many roles each has. */

/** What the page says beside what the matrix holds. */
export interface MatrixHead extends Required<Pick<Document, 'title' | 'facts' | 'about' | 'missing'>> {
  /** By id: those around the spaces, as far as they were read. */
  collections: ReadonlyMap<string, Levelled>;
}

interface Person {
  label: string;
  email: string | null;
  id: string;
  role: Role | null;
  /** A level for each space that was known when the row came. */
  levels: Uint8Array;
  /** That of spaces which turned up later. */
  later: number;
}

/** Of a pair that `--role` leaves out. */
const leftOut = 'not shown';

/**
 * What a matrix holds, row by row as it is read: a byte for each pair, since there may be millions.
 */
export class MatrixCells {
  readonly people: Person[] = [];
  /** The weakest first. */
  readonly levels: readonly string[];
  /** Those with which pairs are counted, the strongest first. */
  readonly asked: readonly string[];
  /** In the order of their columns; those that turn up in lists of people come behind. */
  readonly places: SpacePlace[];
  readonly #columns: Map<string, number>;
  readonly #usual: number;

  /** @param wanted only these roles, `none` among them; all where there are none */
  constructor(places: readonly SpacePlace[], wanted: readonly string[]) {
    const isAsked = (level: string) => wanted.length === 0 || wanted.includes(level);
    const known = ['none', 'unknown', ...[...roles].reverse()];
    this.levels = wanted.length === 0 ? known : ['none', leftOut, ...known.slice(1)];
    this.asked = [...roles, 'none'].filter(isAsked);
    this.places = [...places];
    this.#columns = new Map(places.map(({ id }, index) => [id, index]));
    this.#usual = this.levels.indexOf(isAsked('none') ? 'none' : leftOut);
  }

  /** @param late spaces beyond those known at first that turned up so far, by id */
  add({ person, organizationRole: role, cells }: MatrixRow, late: ReadonlyMap<string, SpacePlace>): void {
    for (const place of late.values()) this.#column(place);
    const levels = new Uint8Array(this.places.length);
    if (cells.length < levels.length) levels.fill(this.levels.indexOf(leftOut));
    for (const cell of cells) levels[this.#columns.get(cell.space.id) ?? 0] = this.#level(cell.role);
    const isUnread = cells.some((cell) => cell.role === 'unknown');
    const later = isUnread ? this.#level('unknown') : this.#usual;
    const label = person.displayName || (person.email ?? person.id);
    this.people.push({ label, email: person.email, id: person.id, role, levels, later });
  }

  #column(place: SpacePlace): void {
    if (this.#columns.has(place.id)) return;
    this.#columns.set(place.id, this.places.length);
    this.places.push(place);
  }

  #level(role: KnownRole): number {
    return this.levels.indexOf(role ?? 'none');
  }
}

/** The page of a matrix that was read. */
export function matrixReport(cells: MatrixCells, head: MatrixHead): Document {
  const { collections, about, ...rest } = head;
  const { heat, ofPeople, ofSpaces } = drawn(cells, collections);
  const filtered = cells.levels.includes(leftOut)
    ? [`Only these roles were asked for: ${cells.asked.join(', ')}. Other pairs are not shown.`]
    : [];
  return {
    ...rest,
    about: [...about, ...filtered],
    parts: [heat, peopleTable(cells, ofPeople), spacesTable(cells, ofSpaces, collections)],
  };
}

interface Drawn {
  heat: HeatPart;
  /** How many pairs each has, level by level. */
  ofPeople: Uint32Array;
  ofSpaces: Uint32Array;
}

function drawn({ people, places, levels }: MatrixCells, collections: MatrixHead['collections']): Drawn {
  const [width, many] = [places.length, levels.length];
  const reasons = new Reasons({ places, levels, collections });
  const cells = new Uint8Array(people.length * width);
  const why = new Uint16Array(cells.length);
  const ofPeople = new Uint32Array(people.length * many);
  const ofSpaces = new Uint32Array(width * many);
  // Shades are few: none is spent on what there is nothing of.
  const hidden = isAnyUnread(people, levels.indexOf('unknown')) ? -1 : levels.indexOf('unknown');
  people.forEach(({ levels: own, later, role }, row) => {
    for (let column = 0; column < width; column += 1) {
      const level = own[column] ?? later;
      const at = row * width + column;
      cells[at] = level - (hidden !== -1 && level > hidden ? 1 : 0);
      why[at] = reasons.of(column, role, level);
      ofPeople[row * many + level] = (ofPeople[row * many + level] ?? 0) + 1;
      ofSpaces[column * many + level] = (ofSpaces[column * many + level] ?? 0) + 1;
    }
  });
  const shown = levels.filter((_, level) => level !== hidden);
  const heat: HeatPart = {
    kind: 'heat',
    title: 'Roles',
    note:
      'The platform tells the role that results, not the grants: a grant shows only where it gives more than ' +
      'organization role and default levels do.',
    axes: ['Person', 'Space'],
    rows: people.map(({ label, email, role }) => ({
      label,
      detail: [...(email === null ? [] : [email]), role ?? 'guest'].join(', '),
    })),
    columns: places.map((place) => ({ label: place.title, detail: levelWords(place, collections) })),
    levels: shown,
    aside: shown.filter((level) => level === 'unknown' || level === leftOut).length,
    reasons: reasons.sentences,
    cells,
    why,
  };
  return { heat, ofPeople, ofSpaces };
}

function isAnyUnread(people: readonly Person[], unknown: number): boolean {
  return people.some(({ levels, later }) => later === unknown || levels.includes(unknown));
}

/** `default level read, in Product`. */
function levelWords(place: SpacePlace, collections: MatrixHead['collections']): string {
  const around = collectionOf(place, collections);
  return `default level ${place.defaultLevel ?? 'none'}${around === null ? '' : `, in ${around}`}`;
}

/** The title of the collection around a space, its id where it was not read; null at the top. */
function collectionOf({ parent }: SpacePlace, collections: MatrixHead['collections']): string | null {
  return parent === undefined ? null : (collections.get(parent)?.title ?? parent);
}

function peopleTable(cells: MatrixCells, counts: Uint32Array): TablePart {
  const counting = countsIn(cells, counts);
  return {
    kind: 'table',
    title: 'People',
    note: 'In how many spaces each has a role.',
    columns: [
      text('Person'),
      text('Email'),
      { label: 'Organization role', as: 'role' },
      ...counting.columns,
      id,
    ],
    rows: cells.people.map(({ label, email, role, id: own }, index): Cell[] => [
      label,
      email,
      role ?? 'guest',
      ...counting.of(index),
      own,
    ]),
    empty: 'No members.',
  };
}

function spacesTable(
  cells: MatrixCells,
  counts: Uint32Array,
  collections: MatrixHead['collections'],
): TablePart {
  const counting = countsIn(cells, counts);
  const columns = [text('Space'), text('Collection'), text('Default level'), text('Visibility')];
  return {
    kind: 'table',
    title: 'Spaces',
    note: 'How many people have a role in each.',
    columns: [...columns, ...counting.columns, id],
    rows: cells.places.map((place, index): Cell[] => [
      place.title,
      collectionOf(place, collections),
      place.defaultLevel ?? 'none',
      place.visibility,
      ...counting.of(index),
      place.id,
    ]),
    empty: 'No spaces.',
  };
}

const id: ReportColumn = { label: 'ID', as: 'id' };

function text(label: string): ReportColumn {
  return { label, as: 'text' };
}

/** The columns that count roles: those asked for, and what is unknown where anything is. */
function countsIn({ levels, asked }: MatrixCells, counts: Uint32Array) {
  const unknown = levels.indexOf('unknown');
  const isUnknown = counts.some((count, at) => count > 0 && at % levels.length === unknown);
  const shown = [...asked, ...(isUnknown ? ['unknown'] : [])];
  const columns = shown.map((level): ReportColumn => ({ label: capital(level), as: 'count' }));
  const at = shown.map((level) => levels.indexOf(level));
  return {
    columns,
    of: (index: number): number[] => at.map((level) => counts[index * levels.length + level] ?? 0),
  };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** `7 people by 5 spaces`: what the page begins with. */
export function matrixWords({ people, places }: MatrixCells): string {
  const size = `${counted(people.length, 'person', 'people')} by ${counted(places.length, 'space')}`;
  return `${size}: the role that each person has in each space, and what gives it.`;
}
