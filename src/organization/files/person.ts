import type { Address, DesiredItem, FileLocation, Kind, Value } from '../model.js';

/** Where the people of a file are. */
export interface PeopleFile {
  kind: Kind;
  placeOf(line: number, index: number): FileLocation;
  placesOf(line: number, index: number, fields: DesiredItem['fields']): DesiredItem['places'];
}

/** A person in lines of a file. There may be 100,000, so each holds what differs, and gives the rest when it is asked for. */
export class PersonInFile implements DesiredItem {
  readonly #file: PeopleFile;
  readonly #line: number;

  constructor(
    readonly address: Address,
    readonly index: number,
    readonly fields: Readonly<Record<string, Value>>,
    file: PeopleFile,
    line: number,
  ) {
    this.#file = file;
    this.#line = line;
  }

  get kind() {
    return this.#file.kind.name;
  }

  get key() {
    return this.address.slice(this.kind.length + 1);
  }

  get at() {
    return this.#file.placeOf(this.#line, this.index);
  }

  get protected() {
    return false;
  }

  get external() {
    return false;
  }

  get places() {
    return this.#file.placesOf(this.#line, this.index, this.fields);
  }
}
