import { TextDecoder } from 'node:util';
import { roles } from '../api/shapes.js';
import { DocsError, usageError } from '../base/errors.js';
import { plainCell } from '../base/formula.js';
import { isObject } from '../base/values.js';
import type { KnownRole } from './person.js';

/** Reads a saved matrix: the JSON, NDJSON or CSV that `docs access matrix` prints. */

/** A person and a space in a saved matrix. */
export interface SavedPair {
  person: { id: string; email: string | null; displayName: string };
  /** In a grid, spaces have no id of their own: the head of their column names them. */
  space: { id: string | null; title: string };
  role: KnownRole;
}

export interface Saved {
  /** As it was typed, for errors. */
  name: string;
  bytes: AsyncIterable<Uint8Array>;
}

/**
 * The pairs of a saved matrix, some at a time, in the order of the file.
 * @throws DocsError usage `not_a_matrix` for anything else, and for a file that is cut off
 */
export async function* savedPairs(saved: Saved): AsyncGenerator<SavedPair[]> {
  const pieces = textOf(saved);
  try {
    const first = await firstPiece(pieces);
    const begin = first.trimStart().charAt(0);
    const all = startingWith(first, pieces);
    if (begin === '[' || begin === '{') yield* jsonPairs(saved.name, all);
    else yield* csvPairs(saved.name, all);
  } finally {
    // Closes the file, also where the first piece alone was taken.
    await pieces.return(undefined);
  }
}

async function* textOf({ name, bytes }: Saved): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  try {
    for await (const chunk of bytes) {
      decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder?.decode() ?? '';
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw notMatrix(name, 'it is not UTF-8', cause);
  }
}

/** PowerShell redirects output as UTF-16, with a byte order mark. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

async function firstPiece(pieces: AsyncGenerator<string>): Promise<string> {
  let text = '';
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
    text += next.value;
    if (text.trim() !== '') break;
  }
  return text;
}

async function* startingWith(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

async function* jsonPairs(name: string, pieces: AsyncIterable<string>): AsyncGenerator<SavedPair[]> {
  const cutter = new ObjectCutter();
  try {
    for await (const piece of pieces) {
      const from = cutter.count;
      const texts = cutter.push(piece);
      if (texts.length > 0) yield texts.map((text, index) => jsonPair(name, text, from + index + 1));
    }
    cutter.end();
  } catch (cause) {
    if (!(cause instanceof NotObjects)) throw cause;
    throw notMatrix(name, wrongJson(cause), cause);
  }
}

function wrongJson({ what, after }: NotObjects): string {
  const row = `row ${after + 1}`;
  if (what === 'cut') return `it ends within ${after === 0 ? 'its first row' : row}, so it is truncated`;
  if (what === 'more')
    return `more text follows its list of ${after} rows, so it contains more than one matrix`;
  if (what === 'other') return `${row} is not an object`;
  return 'it is empty';
}

const keys = ['person', 'space', 'role'];

function jsonPair(name: string, text: string, row: number): SavedPair {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw notMatrix(name, `row ${row} is not valid JSON`, cause);
  }
  const { person, space, role } = value as Record<string, unknown>;
  const other = Object.keys(value as object).find((key) => !keys.includes(key));
  if (other !== undefined)
    throw notMatrix(name, `row ${row} has ${JSON.stringify(other.slice(0, 50))}, which no matrix has`);
  if (!isObject(person) || typeof person.id !== 'string')
    throw notMatrix(name, `row ${row} has no person.id`);
  if (!isObject(space) || typeof space.id !== 'string') throw notMatrix(name, `row ${row} has no space.id`);
  const { email, displayName } = person;
  return {
    person: {
      id: person.id,
      email: typeof email === 'string' ? email : null,
      displayName: typeof displayName === 'string' ? displayName : '',
    },
    space: { id: space.id, title: typeof space.title === 'string' ? space.title : '' },
    role: roleOf(name, role, row),
  };
}

function roleOf(name: string, value: unknown, row: number): KnownRole {
  const role = value === null || value === 'unknown' ? value : roles.find((one) => one === value);
  if (role !== undefined) return role;
  throw notMatrix(name, `row ${row} has no role`);
}

/** The columns that a grid has before those of spaces. */
const ofPerson = ['person.id', 'person.email', 'person.displayName', 'organizationRole'];

async function* csvPairs(name: string, pieces: AsyncIterable<string>): AsyncGenerator<SavedPair[]> {
  const [{ parse }, { Readable }] = await Promise.all([import('csv-parse'), import('node:stream')]);
  const input = Readable.from(pieces);
  const parser = parse({ bom: true, skip_empty_lines: true, max_record_size: 1024 * 1024 });
  input.on('error', (error) => parser.destroy(error));
  let pairsIn: ((cells: string[], row: number) => SavedPair[]) | undefined;
  let row = 0;
  try {
    for await (const record of input.pipe(parser) as AsyncIterable<string[]>) {
      const cells = record.map(plainCell);
      if (pairsIn === undefined) {
        pairsIn = csvReader(name, cells);
        continue;
      }
      row += 1;
      yield pairsIn(cells, row);
    }
  } catch (cause) {
    if (cause instanceof DocsError) throw cause;
    throw notMatrix(name, `row ${row + 1} is not a whole row of CSV`, cause);
  }
  if (pairsIn === undefined) throw notMatrix(name, 'it is empty');
}

/** What reads a row of CSV: one pair where the header names `space.id`, else a person with a cell for each space. */
function csvReader(name: string, header: readonly string[]): (cells: string[], row: number) => SavedPair[] {
  const at = (column: string) => header.indexOf(column);
  if (at('person.id') < 0) throw notMatrix(name, 'its header has no person.id');
  const personIn = (cells: readonly string[], row: number): SavedPair['person'] => {
    const [id = '', email, displayName = ''] = ofPerson.slice(0, 3).map((column) => cells[at(column)]);
    if (id === '') throw notMatrix(name, `row ${row} has no person.id`);
    return { id, email: email === undefined || email === '' ? null : email, displayName };
  };
  if (at('space.id') >= 0 && at('role') >= 0)
    return (cells, row) => {
      const id = cells[at('space.id')] ?? '';
      if (id === '') throw notMatrix(name, `row ${row} has no space.id`);
      const space = { id, title: cells[at('space.title')] ?? '' };
      return [{ person: personIn(cells, row), space, role: csvRole(name, cells[at('role')], row) }];
    };
  const other = header.find(
    (column) => /^(space|person)\.|^(role|via|change)$/.test(column) && !ofPerson.includes(column),
  );
  if (other !== undefined)
    throw notMatrix(name, `its header has ${other}, but not all of person.id, space.id and role`);
  const spaces = header.flatMap((title, index) => (ofPerson.includes(title) ? [] : [{ title, index }]));
  return (cells, row) => {
    const person = personIn(cells, row);
    return spaces.map(({ title, index }) => {
      const space = { id: null, title };
      return { person, space, role: csvRole(name, cells[index], row) };
    });
  };
}

function csvRole(name: string, cell: string | undefined, row: number): KnownRole {
  return roleOf(name, cell === '' || cell === 'none' ? null : cell, row);
}

function notMatrix(name: string, why: string, cause?: unknown): DocsError {
  const file = name === '-' ? 'standard input' : name;
  const message = `${file} is not a saved matrix: ${why}`;
  return usageError('not_a_matrix', message, { hint: 'docs access matrix --json', cause });
}

/**
 * Cuts JSON into the objects of its list, or of its lines, while it comes: what is held is one object, so the text
 * may be longer than a string can be.
 */
class ObjectCutter {
  #mode: 'start' | 'list' | 'lines' | 'ended' = 'start';
  /** The beginning of an object whose end has not come. */
  #held = '';
  #depth = 0;
  #inText = false;
  #isEscaped = false;
  /** Objects that were given out. */
  count = 0;

  /** @returns the objects that end in this piece, as text @throws NotObjects */
  push(piece: string): string[] {
    const found: string[] = [];
    let start = 0;
    for (let at = 0; at < piece.length; at += 1) {
      const letter = piece.charCodeAt(at);
      if (this.#depth === 0) {
        if (this.#between(letter)) start = at;
        continue;
      }
      if (!this.#ends(letter)) continue;
      found.push(this.#held + piece.slice(start, at + 1));
      this.#held = '';
      this.count += 1;
    }
    if (this.#depth > 0) this.#held += piece.slice(start);
    return found;
  }

  /** @throws NotObjects where the text ends too early, or had nothing in it */
  end(): void {
    if (this.#depth > 0 || this.#mode === 'list') throw new NotObjects('cut', this.count);
    if (this.#mode === 'start') throw new NotObjects('empty', 0);
  }

  /** Takes what stands between objects. @returns whether an object begins */
  #between(letter: number): boolean {
    if (letter === space || letter === tab || letter === newline || letter === carriageReturn) return false;
    if (this.#mode === 'ended') throw new NotObjects('more', this.count);
    if (letter === openBrace) {
      if (this.#mode === 'start') this.#mode = 'lines';
      this.#depth = 1;
      return true;
    }
    if (this.#mode === 'start' && letter === openBracket) this.#mode = 'list';
    else if (this.#mode === 'list' && letter === closeBracket) this.#mode = 'ended';
    else if (this.#mode !== 'list' || letter !== comma) throw new NotObjects('other', this.count);
    return false;
  }

  /** Takes a letter of an object. @returns whether it is its last */
  #ends(letter: number): boolean {
    if (this.#inText) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (letter === backslash) this.#isEscaped = true;
      else if (letter === quote) this.#inText = false;
    } else if (letter === quote) this.#inText = true;
    else if (letter === openBrace || letter === openBracket) this.#depth += 1;
    else if (letter === closeBrace || letter === closeBracket) this.#depth -= 1;
    return this.#depth === 0;
  }
}

/** What is wrong with a text that is to be JSON objects, after how many of them. */
class NotObjects extends Error {
  constructor(
    readonly what: 'cut' | 'empty' | 'more' | 'other',
    readonly after: number,
  ) {
    super(what);
  }
}

const [tab, newline, carriageReturn, space] = [9, 10, 13, 32];
const [quote, comma, backslash] = [34, 44, 92];
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125];
