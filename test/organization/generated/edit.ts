import fc from 'fast-check';
import { isMap, type YAMLMap } from 'yaml';
import { type Files, text } from './files.js';
import { hostileTitles } from './texts.js';

/** Random edits of the files: what is common to them. */

/** An edit; its numbers choose the item, the value and whatever else there is to choose. */
export interface Edit {
  name: string;
  choices: readonly number[];
}

/** What the plan of the edits is expected to hold beside operations. */
export interface Expected {
  /** Addresses of findings: `people/eve@acme.example`. */
  findings: Set<string>;
  /** Whether items were removed from lists that are exact, so that only `--prune` brings the platform there. */
  removes: boolean;
  /** Addresses, as in findings, of items that the platform cannot move, so that they are removed and added again. */
  anew: Set<string>;
}

export class Editing {
  readonly files: Files;
  readonly expected: Expected = { findings: new Set(), removes: false, anew: new Set() };
  /** Items that were added, renamed, moved or removed: no other edit of that kind is made to them. */
  readonly touched = new Set<string>();
  #choices: readonly number[] = [];
  #next = 0;
  #new = 0;

  constructor(files: Files) {
    this.files = files;
  }

  begin(choices: readonly number[]): void {
    this.#choices = choices;
    this.#next = 0;
  }

  /** The next choice. */
  number(): number {
    return this.#choices[this.#next++ % this.#choices.length] ?? 0;
  }

  /** One of a list; undefined where it is empty. */
  pick<T>(list: readonly T[]): T | undefined {
    return list.length === 0 ? undefined : list[this.number() % list.length];
  }

  /** A title of so many characters, often a hostile one. */
  title(least: number, most: number): string {
    const fitting = hostileTitles(least, most);
    return fitting[this.number() % fitting.length] ?? 'Title';
  }

  /** A key that no item has. */
  newKey(): string {
    this.#new += 1;
    return `new-${this.#new}`;
  }

  /** Makes a list exact, since something is removed from it. */
  exact(file: string, key = 'manage'): void {
    this.files.top(file).set(key, 'exact');
    this.expected.removes = true;
  }

  /** Claims an item for a change of its place or name; false where it has had one. */
  claim(address: string): boolean {
    if (this.touched.has(address)) return false;
    this.touched.add(address);
    return true;
  }

  /** Replaces the key of an item wherever it is a value: references of it. */
  refer(from: string, to: string, places: readonly { map: YAMLMap; key: string }[]): void {
    for (const { map, key } of places) if (text(map, key) === from) map.set(key, to);
  }

  /** Keys in `teams` of a person, with their roles. */
  teamsOf(person: YAMLMap): Map<string, string> {
    const value: unknown = person.toJSON().teams ?? [];
    if (Array.isArray(value)) return new Map(value.map((key) => [String(key), 'member']));
    return new Map(Object.entries(value as Record<string, string>));
  }

  setTeams(person: YAMLMap, teams: ReadonlyMap<string, string>): void {
    const plain = [...teams.values()].every((role) => role === 'member');
    const value = plain ? [...teams.keys()] : Object.fromEntries(teams);
    const node = this.files.document('people.yaml').createNode(value, { flow: true });
    person.set('teams', node);
  }

  /** The values of custom fields of a space, as a map that can be changed. */
  valuesOf(space: YAMLMap): YAMLMap {
    const known = space.get('fields');
    if (isMap(known)) return known;
    space.set('fields', this.files.document('library.yaml').createNode({}));
    const made = space.get('fields');
    if (isMap(made)) return made;
    throw new Error('fields is not a map');
  }
}

export type Act = (editing: Editing) => void;

/** Edits by these names. */
export const anyEdit = (names: readonly string[]): fc.Arbitrary<Edit> =>
  fc.record({
    name: fc.constantFrom(...names),
    choices: fc.array(fc.nat(99), { minLength: 5, maxLength: 5 }),
  });
