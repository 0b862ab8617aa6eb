import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { AccessDifference, KnownRole } from '../../access/person.js';
import { type Saved, type SavedPair, savedPairs } from '../../access/saved-matrix.js';
import { roles } from '../../api/shapes.js';
import { DocsError, notSent, systemCode, usageError } from '../../base/errors.js';
import { failsOnChange, type Report, type Session } from '../../cli/run/run-report.js';
import { counted } from '../../output/text.js';
import { limitOf, pagesOf } from './lists.js';

/** What changed from one saved matrix to another. */

/** How many differences there are of each kind; `unknown` are none. */
interface DiffTally {
  gained: number;
  lost: number;
  changed: number;
  unknown: number;
  people: { appeared: number; disappeared: number };
  spaces: { appeared: number; disappeared: number };
}

/** A role in one byte; 0 where the matrix does not list the pair. */
const codes: readonly KnownRole[] = [null, ...roles, 'unknown'];
const missing = 0;

/** One matrix: a byte for each pair, since a hundred thousand people have many. */
class SavedMatrix {
  readonly name: string;
  readonly people = new Map<string, { person: SavedPair['person']; cells: Uint8Array }>();
  readonly spaces = new Map<string, { space: SavedPair['space']; index: number }>();
  /** Whether spaces are named by title alone. */
  isGrid = false;

  constructor(name: string) {
    this.name = name;
  }

  add({ person, space, role }: SavedPair): void {
    this.isGrid ||= space.id === null;
    const key = space.id ?? space.title;
    let place = this.spaces.get(key);
    if (place === undefined) {
      place = { space, index: this.spaces.size };
      this.spaces.set(key, place);
    }
    let row = this.people.get(person.id);
    if (row === undefined) {
      row = { person, cells: new Uint8Array(Math.max(8, this.spaces.size)) };
      this.people.set(person.id, row);
    }
    if (place.index >= row.cells.length) {
      const wider = new Uint8Array(row.cells.length * 2 + place.index);
      wider.set(row.cells);
      row.cells = wider;
    }
    if (row.cells[place.index] !== missing) throw this.#twice(person, space);
    row.cells[place.index] = codes.indexOf(role) + 1;
  }

  /** The role of a pair; undefined where the matrix does not have the person or the space. */
  roleOf(personId: string, spaceKey: string): KnownRole | undefined {
    const [row, place] = [this.people.get(personId), this.spaces.get(spaceKey)];
    if (row === undefined || place === undefined) return undefined;
    const code = row.cells[place.index] ?? missing;
    // Made with --role, or the space turned up while it was made: the role is not told.
    return code === missing ? 'unknown' : (codes[code - 1] ?? null);
  }

  /** Names spaces as a grid heads their columns: by title, and id where another has the title, too. */
  rekey(): void {
    const all = [...this.spaces.values()];
    const times = new Map<string, number>();
    for (const { space } of all) times.set(space.title, (times.get(space.title) ?? 0) + 1);
    this.spaces.clear();
    for (const one of all) {
      const { id, title } = one.space;
      this.spaces.set(times.get(title) === 1 ? title : `${title} (${id})`, one);
    }
  }

  #twice(person: SavedPair['person'], space: SavedPair['space']) {
    const message =
      `${this.name} lists ${person.email ?? person.id} in ${space.id ?? space.title} twice, so it holds more ` +
      'than one matrix';
    return usageError('not_a_matrix', message, { hint: 'docs access matrix --json' });
  }
}

/**
 * Reads a saved matrix. Held are a byte for each pair and the names of people and spaces.
 * @throws DocsError as `savedPairs`; usage `not_a_matrix` where it lists a pair twice
 */
async function readMatrix(saved: Saved): Promise<SavedMatrix> {
  const matrix = new SavedMatrix(saved.name === '-' ? 'Standard input' : saved.name);
  for await (const pairs of savedPairs(saved)) for (const one of pairs) matrix.add(one);
  return matrix;
}

/** What changed from one matrix to another. @throws DocsError usage `nothing_in_common` */
class MatrixDiff {
  readonly tally: DiffTally = {
    ...{ gained: 0, lost: 0, changed: 0, unknown: 0 },
    people: { appeared: 0, disappeared: 0 },
    spaces: { appeared: 0, disappeared: 0 },
  };
  readonly #a: SavedMatrix;
  readonly #b: SavedMatrix;

  constructor(a: SavedMatrix, b: SavedMatrix) {
    if (a.isGrid !== b.isGrid) (a.isGrid ? b : a).rekey();
    refuseStrangers(a, b);
    this.#a = a;
    this.#b = b;
  }

  /** How many changes there are, of roles, people and spaces. */
  get changes(): number {
    const { gained, lost, changed, people, spaces } = this.tally;
    const others = people.appeared + people.disappeared + spaces.appeared + spaces.disappeared;
    return gained + lost + changed + others;
  }

  /** The differences, person by person, after those of spaces. */
  *differences(): Generator<AccessDifference[]> {
    yield [...this.#spaces()];
    for (const id of this.#b.people.keys()) yield [...this.#person(id)];
    for (const id of this.#a.people.keys()) if (!this.#b.people.has(id)) yield [...this.#person(id)];
  }

  *#spaces(): Generator<AccessDifference> {
    const none = { person: null, from: null, to: null };
    for (const [key, { space }] of this.#b.spaces) {
      if (this.#a.spaces.has(key)) continue;
      this.tally.spaces.appeared += 1;
      yield { change: 'appeared', space, ...none };
    }
    for (const [key, { space }] of this.#a.spaces) {
      if (this.#b.spaces.has(key)) continue;
      this.tally.spaces.disappeared += 1;
      yield { change: 'disappeared', space, ...none };
    }
  }

  *#person(id: string): Generator<AccessDifference> {
    const [before, after] = [this.#a.people.get(id), this.#b.people.get(id)];
    const person = (after ?? before)?.person;
    if (person === undefined) return;
    if (before === undefined || after === undefined) {
      const change = before === undefined ? 'appeared' : 'disappeared';
      this.tally.people[change] += 1;
      yield { change, person, space: null, from: null, to: null };
    }
    for (const [key, { space }] of this.#b.spaces) yield* this.#pair(person, key, space);
    for (const [key, { space }] of this.#a.spaces)
      if (!this.#b.spaces.has(key)) yield* this.#pair(person, key, space);
  }

  *#pair(person: SavedPair['person'], key: string, space: SavedPair['space']): Generator<AccessDifference> {
    // Who or what a matrix does not have, has no role in it.
    const from = this.#a.roleOf(person.id, key) ?? null;
    const to = this.#b.roleOf(person.id, key) ?? null;
    const isUnknown = from === 'unknown' || to === 'unknown';
    if (from === to && !isUnknown) return;
    const known = from === null ? 'gained' : to === null ? 'lost' : 'changed';
    const change = isUnknown ? 'unknown' : known;
    this.tally[change] += 1;
    const id = space.id ?? this.#a.spaces.get(key)?.space.id ?? null;
    yield { change, person, space: { id, title: space.title }, from, to };
  }
}

/** Two matrices that share nobody and nothing are of two organizations. */
function refuseStrangers(a: SavedMatrix, b: SavedMatrix): void {
  if (a.people.size === 0 || b.people.size === 0) return;
  for (const id of a.people.keys()) if (b.people.has(id)) return;
  for (const key of a.spaces.keys()) if (b.spaces.has(key)) return;
  const message = `${a.name} and ${b.name} have no person and no space in common; they are of different organizations`;
  throw usageError('nothing_in_common', message, { hint: 'docs access matrix --json' });
}

/**
 * `docs access diff`: lists what changed between two saved matrices. Findings (exit 17) with `--exit-code` where
 * something did; usage `not_a_matrix`, `nothing_in_common`.
 */
export const diffReport: Report<MatrixDiff> = {
  async read({ session, input }) {
    const [a, b] = [String(input.args.a), String(input.args.b)];
    if (a === '-' && b === '-')
      throw usageError('contradiction', 'only one of <a> and <b> can be standard input');
    return new MatrixDiff(await readMatrix(savedAt(session, a)), await readMatrix(savedAt(session, b)));
  },
  rows(diff, { input }) {
    const limit = limitOf(input);
    return { items: pagesOf(filled(diff), limit), ...limit };
  },
  end({ changes, tally }, { input, listed: { cut } }) {
    const words = wordsOf(tally);
    if (changes > 0 && failsOnChange(input.options))
      return { failure: new DocsError('findings', 'matrices_differ', words, { details: { ...tally } }) };
    return cut ? {} : { note: changes + tally.unknown === 0 ? 'No differences.' : `${words}.` };
  },
};

async function* filled(diff: MatrixDiff): AsyncGenerator<AccessDifference[]> {
  for (const some of diff.differences()) if (some.length > 0) yield some;
}

function savedAt(session: Session, name: string): Saved {
  const { io } = session;
  if (name !== '-') return { name, bytes: bytesOf(resolve(io.cwd, name), name) };
  if (!io.stdin.isTTY) return { name, bytes: inputOf(session) };
  const message = '- reads standard input, which is the terminal; use a pipe or name a file';
  throw usageError('stdin_is_terminal', message);
}

async function* inputOf({ io }: Session): AsyncGenerator<Uint8Array> {
  for await (const chunk of io.stdin) yield Buffer.from(chunk);
}

async function* bytesOf(path: string, name: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path) as AsyncIterable<Uint8Array>;
  } catch (cause) {
    const code = systemCode(cause);
    if (code === undefined) throw cause;
    const reasons: Record<string, string> = { ENOENT: 'no such file', EISDIR: 'it is a directory' };
    const message = `cannot read ${name}: ${reasons[code] ?? code}`;
    throw notSent('local-io', 'unreadable_file', message, { cause });
  }
}

function wordsOf({ gained, lost, changed, unknown, people, spaces }: DiffTally): string {
  const roles = `${counted(gained, 'role')} gained, ${lost} lost, ${changed} changed`;
  const others = (
    [
      ['person', 'people', people],
      ['space', 'spaces', spaces],
    ] as const
  ).flatMap(([one, many, { appeared, disappeared }]) => [
    ...(appeared > 0 ? [`${counted(appeared, one, many)} appeared`] : []),
    ...(disappeared > 0 ? [`${counted(disappeared, one, many)} disappeared`] : []),
  ]);
  const open = unknown > 0 ? [`${unknown} unknown`] : [];
  return [roles, ...others, ...open].join(', ');
}
