import { type Weighed, weigh, whyWords } from '../../access/layers.js';
import type { Levelled } from '../../access/levels.js';
import type { KnownRole, MatrixRow } from '../../access/person.js';
import type { LevelledSpace } from '../../access/structure.js';
import { type Role, roles } from '../../api/shapes.js';
import {
  type Cell,
  type Columns,
  type Document,
  type HeatPart,
  type Need,
  type TablePart,
  tablePart,
} from '../../document/document.js';
import { counted } from '../../output/text.js';

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
  readonly places: LevelledSpace[];
  readonly #columns: Map<string, number>;
  readonly #usual: number;

  /** @param wanted only these roles, `none` among them; all where there are none */
  constructor(places: readonly LevelledSpace[], wanted: readonly string[]) {
    const isAsked = (level: string) => wanted.length === 0 || wanted.includes(level);
    const known = ['none', 'unknown', ...[...roles].reverse()];
    this.levels = wanted.length === 0 ? known : ['none', leftOut, ...known.slice(1)];
    this.asked = [...roles, 'none'].filter(isAsked);
    this.places = [...places];
    this.#columns = new Map(places.map(({ id }, index) => [id, index]));
    this.#usual = this.levels.indexOf(isAsked('none') ? 'none' : leftOut);
  }

  /** @param late spaces beyond those known at first that turned up so far, by id */
  add({ person, organizationRole: role, cells }: MatrixRow, late: ReadonlyMap<string, LevelledSpace>): void {
    for (const place of late.values()) this.#column(place);
    const levels = new Uint8Array(this.places.length);
    if (cells.length < levels.length) levels.fill(this.levels.indexOf(leftOut));
    for (const cell of cells) levels[this.#columns.get(cell.space.id) ?? 0] = this.#level(cell.role);
    const isUnread = cells.some((cell) => cell.role === 'unknown');
    const later = isUnread ? this.#level('unknown') : this.#usual;
    const label = person.displayName || (person.email ?? person.id);
    this.people.push({ label, email: person.email, id: person.id, role, levels, later });
  }

  #column(place: LevelledSpace): void {
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
  const apart = apartIn(cells, heat);
  return {
    ...rest,
    headline: headlineOf(cells, apart.length),
    about: [...about, ...filtered],
    needs: apart.map((one) => needOf(one, cells.places)),
    parts: [heat, peopleTable(cells, ofPeople), spacesTable(cells, ofSpaces, collections)],
  };
}

/** Somebody who has what their role does not explain. */
interface Apart {
  person: Person;
  /** By index, with the level in each. */
  places: { column: number; level: string }[];
}

function apartIn({ people }: MatrixCells, { why, cells, columns, levels, apart = [] }: HeatPart): Apart[] {
  const granted = new Set(apart);
  return people.flatMap((person, row) => {
    const places = columns.flatMap((_, column) => {
      const at = row * columns.length + column;
      return granted.has(why[at] ?? 0) ? [{ column, level: levels[cells[at] ?? 0] ?? '' }] : [];
    });
    return places.length === 0 ? [] : [{ person, places }];
  });
}

/** `8 admins. 2 people have access that their role does not explain.` */
function headlineOf({ people }: MatrixCells, apart: number): string {
  const admins = people.filter(({ role }) => role === 'admin').length;
  const rest =
    apart === 0
      ? 'Roles and default levels explain all access'
      : `${counted(apart, 'person has', 'people have')} access that their role does not explain`;
  return `${counted(admins, 'admin')}. ${rest}`;
}

/** How many spaces a line names. */
const mostNamed = 3;

function needOf(
  { person: { label, email, id, role }, places }: Apart,
  spaces: readonly LevelledSpace[],
): Need {
  const named = places
    .slice(0, mostNamed)
    .map(({ column, level }) => `${level} in ${spaces[column]?.title ?? ''}`);
  const more = places.length - named.length;
  const first = spaces[places[0]?.column ?? 0]?.id ?? '';
  return {
    severity: 'widening',
    text: `${label} (${role ?? 'guest'}) has ${named.join(', ')}${more > 0 ? ` and ${counted(more, 'other space')}` : ''} by a grant`,
    command: `docs access explain ${email ?? id} ${first}`,
    part: heatTitle,
  };
}

const heatTitle = 'Roles';

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
    title: heatTitle,
    note:
      'The platform returns the resulting role, not the grants. A grant shows only if it gives more than ' +
      'organization role and default levels.',
    axes: ['Person', 'Space'],
    rows: people.map(({ label, email, role }) => ({
      label,
      detail: [...(email === null ? [] : [email]), role ?? 'guest'].join(', '),
      group: role === null ? 'guest' : `role ${role}`,
    })),
    columns: places.map((place) => ({
      label: place.title,
      detail: levelWords(place, collections),
      group: placeGroup(place, collections),
    })),
    levels: shown,
    aside: shown.filter((level) => level === 'unknown' || level === leftOut).length,
    reasons: reasons.sentences,
    cells,
    why,
    apart: reasons.granted,
  };
  return { heat, ofPeople, ofSpaces };
}

/** Its collection, or that it is private, by which spaces are shown as one. */
function placeGroup(place: LevelledSpace, collections: MatrixHead['collections']): string {
  return collectionOf(place, collections) ?? place.visibility ?? 'top level';
}

function isAnyUnread(people: readonly Person[], unknown: number): boolean {
  return people.some(({ levels, later }) => later === unknown || levels.includes(unknown));
}

/** `default level read, in Product`. */
function levelWords(place: LevelledSpace, collections: MatrixHead['collections']): string {
  const around = collectionOf(place, collections);
  return `default level ${place.defaultLevel ?? 'none'}${around === null ? '' : `, in ${around}`}`;
}

/** The title of the collection around a space, its id where it was not read; null at the top. */
function collectionOf({ parent }: LevelledSpace, collections: MatrixHead['collections']): string | null {
  return parent === undefined ? null : (collections.get(parent)?.title ?? parent);
}

function peopleTable(cells: MatrixCells, counts: Uint32Array): TablePart {
  const counting = countsIn(cells, counts);
  const person: Columns = { Person: 'text', Email: 'text', 'Organization role': 'role' };
  const rows = cells.people.map(({ label, email, role, id }, index): Cell[] => [
    ...[label, email, role ?? 'guest'],
    ...counting.of(index),
    id,
  ]);
  const note = 'In how many spaces each has a role.';
  const columns: Columns = { ...person, ...counting.columns, ID: 'id' };
  return tablePart('People', columns, { rows, empty: 'No members.', note });
}

function spacesTable(
  cells: MatrixCells,
  counts: Uint32Array,
  collections: MatrixHead['collections'],
): TablePart {
  const counting = countsIn(cells, counts);
  const space: Columns = { Space: 'text', Collection: 'text', 'Default level': 'text', Visibility: 'text' };
  const rows = cells.places.map((place, index): Cell[] => [
    ...[place.title, collectionOf(place, collections), place.defaultLevel ?? 'none', place.visibility],
    ...counting.of(index),
    place.id,
  ]);
  const note = 'How many people have a role in each.';
  const columns: Columns = { ...space, ...counting.columns, ID: 'id' };
  return tablePart('Spaces', columns, { rows, empty: 'No spaces.', note });
}

/** The columns that count roles: those asked for, and what is unknown where anything is. */
function countsIn({ levels, asked }: MatrixCells, counts: Uint32Array) {
  const unknown = levels.indexOf('unknown');
  const isUnknown = counts.some((count, at) => count > 0 && at % levels.length === unknown);
  const shown = [...asked, ...(isUnknown ? ['unknown'] : [])];
  const columns: Columns = Object.fromEntries(shown.map((level) => [capital(level), 'count']));
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
  return `${size}: the role of each person in each space, and its source.`;
}

/** Why people have their roles, from what a matrix reads: organization roles and default levels, not teams. */
interface ReasonsFrom {
  places: readonly LevelledSpace[];
  /** Names of the levels; a role of this name, or `none`, `unknown`, or one that `--role` leaves out. */
  levels: readonly string[];
  collections: ReadonlyMap<string, Levelled>;
}

/** As many sentences as an index of 16 bits can name. */
const mostSentences = 65_536;

/** The sentences of a page; each pair has the index of one. What many pairs share is worked out once. */
class Reasons {
  /** Each once; the first is empty. */
  readonly sentences: string[] = [''];
  /** Indexes of those that name a grant. */
  readonly granted: number[] = [];
  readonly #from: ReasonsFrom;
  readonly #index = new Map<string, number>([['', 0]]);
  /** By space, organization role and level: the index of the sentence, from 1; 0 where it is not known yet. */
  readonly #known: Uint32Array;

  constructor(from: ReasonsFrom) {
    this.#from = from;
    this.#known = new Uint32Array(from.places.length * (roles.length + 1) * from.levels.length);
  }

  /** @param organizationRole null for a guest @param level the index of a level @returns the index of a sentence */
  of(column: number, organizationRole: Role | null, level: number): number {
    const { levels } = this.#from;
    const rank = organizationRole === null ? 0 : roles.indexOf(organizationRole) + 1;
    const at = (column * (roles.length + 1) + rank) * levels.length + level;
    const known = this.#known[at] ?? 0;
    if (known > 0) return known - 1;
    const index = this.#indexOf(this.#sentence(column, organizationRole, level));
    this.#known[at] = index + 1;
    return index;
  }

  #sentence(column: number, organizationRole: Role | null, level: number): string {
    const { places, levels, collections } = this.#from;
    const [place, name] = [places[column], levels[level]];
    if (place === undefined || name === undefined) return '';
    if (name === 'unknown') return 'The spaces of this person could not be read.';
    const role = name === 'none' ? null : roles.find((one) => one === name);
    if (role === undefined) return 'Left out by --role.';
    const at = { ...place, object: 'space' as const };
    const weighed = weigh({ organizationRole, place: at, collections, role });
    const words = wordsOf(weighed);
    if (weighed.reason === 'granted' && !this.#index.has(words)) this.granted.push(this.sentences.length);
    return words;
  }

  /** In an organization of tens of thousands of spaces the last ones get no sentence. */
  #indexOf(sentence: string): number {
    const known = this.#index.get(sentence);
    if (known !== undefined) return known;
    if (this.sentences.length === mostSentences) return 0;
    this.#index.set(sentence, this.sentences.length);
    return this.sentences.push(sentence) - 1;
  }
}

/** As `docs access explain` says it, but for what a matrix does not read. */
function wordsOf(weighed: Weighed): string {
  const { reason, byLevels, level, place } = weighed;
  if (reason === 'granted')
    return `Granted to them or to a team of theirs. Organization role and default levels alone give ${byLevels ?? 'nothing'}.`;
  if (reason === 'unknown' && !level.known && level.missing !== place.id)
    return `The source of the role is unknown: the level of collection ${level.missing} was not read.`;
  return whyWords(weighed);
}
