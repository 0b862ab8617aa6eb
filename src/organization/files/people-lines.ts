import { checkInput } from '../../api/validate.js';
import { type Entry, lineStarts, type MapNode, positionIn } from '../../files/yaml/node.js';
import { plainTree } from '../../files/yaml/parse.js';
import { kindOf } from '../kinds/index.js';
import type { FileLocation } from '../model.js';
import { addMembership, plainRole, roleField } from './items.js';
import { memberships, teamsKey } from './layout.js';
import { type PeopleFile, PersonInFile } from './person.js';
import type { Reading } from './reading.js';
import { operationOf } from './values.js';

/**
 * Reads the people of people.yaml in the form in which pull writes them, without a tree: each is an email with its role, SSO
 * and teams. Of hundreds of people, trees, and checks of the same few values, are most of what reading the files costs.
 */

export const peopleFile = 'people.yaml';

const listKey = 'people';

/** A person in lines. Texts are of characters that mean nothing else in YAML. */
const person =
  / {2}- email: ([A-Za-z][\w.+-]*@[\w.-]*\w)\n(?: {4}role: ([a-z]+)\n)?(?: {4}sso: (true|false)\n)?(?: {4}teams: (\[[\w., -]+\]|\{[\w:, -]+\})\n)?/y;
const inList = /^[A-Za-z][\w.-]*$/;
const inMap = /^([A-Za-z][\w-]*): ([a-z]+)$/;
const otherValue = /^(?:true|false|null)$/i;

interface Team {
  team: string;
  role: string;
  column: number;
  /** Within those of the person. */
  path: string;
}

interface PersonLines {
  email: string;
  line: number;
  fields: Readonly<Record<string, string | boolean>>;
  teams: readonly Team[];
}

export class PeopleLines {
  readonly #reading: Reading;
  readonly #kind = kindOf('people');
  readonly #fields = new Map<string, PersonLines['fields']>();
  readonly #roles = new Set<string>();
  #people: readonly PersonLines[] = [];

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** The tree of a text, with a list that is empty in place of the people. @returns undefined where it has another form */
  readonly tree = (text: string): MapNode | undefined => {
    const start = text.indexOf(`\n${listKey}:\n`) + 1;
    const root = start === 0 ? undefined : plainTree(text.slice(0, start));
    if (root === undefined || root.entries.has(listKey)) return undefined;
    const afterColon = start + listKey.length + 1;
    const people = this.#peopleIn(text, afterColon + 1);
    if (people === undefined) return undefined;
    this.#people = people;
    const value: Entry['value'] = {
      ...{ type: 'list', flow: false, items: [], dashes: [] },
      ...{ start: afterColon + 1, end: text.length },
    };
    root.entries.set(listKey, { key: listKey, keyStart: start, afterColon, value });
    return root;
  };

  /** Adds the people of the text that was read. */
  add(): void {
    const reading = this.#reading;
    const file: PeopleFile = { kind: this.#kind, placeOf, placesOf };
    this.#people.forEach(({ email, fields, line, teams }, index) => {
      const item = new PersonInFile(`${this.#kind.name}/${email}`, index, fields, file, line);
      reading.add(item);
      const teamsLine = line + 1 + Object.keys(fields).length;
      for (const { team, role, column, path } of teams) {
        const at = placeIn(teamsLine, column, `${listKey}[${index}].${teamsKey}${path}`);
        addMembership(reading, item, { team, role, at });
      }
    });
  }

  #peopleIn(text: string, start: number): PersonLines[] | undefined {
    const people: PersonLines[] = [];
    let { line } = positionIn(lineStarts(text.slice(0, start)), start);
    let at = start;
    while (at < text.length) {
      person.lastIndex = at;
      // By index: to take a list apart makes an object for each part, of each person.
      const found = person.exec(text);
      if (found === null) return undefined;
      const all = found[0];
      const own = found[4];
      const fields = this.#fieldsOf(found[2], found[3]);
      const teams = own === undefined ? [] : this.#teamsIn(own);
      if (fields === undefined || teams === undefined) return undefined;
      people.push({ email: found[1] ?? '', line, fields, teams });
      at += all.length;
      line += 1 + Object.keys(fields).length + (own === undefined ? 0 : 1);
    }
    return people.length === 0 ? undefined : people;
  }

  /** The same object for the same values. @returns undefined where they are wrong */
  #fieldsOf(role: string | undefined, sso: string | undefined): PersonLines['fields'] | undefined {
    const id = `${role} ${sso}`;
    const known = this.#fields.get(id);
    if (known !== undefined) return known;
    const fields = { ...(role !== undefined && { role }), ...(sso !== undefined && { sso: sso === 'true' }) };
    if (checkInput(operationOf(this.#kind), { body: fields }).length > 0) return undefined;
    this.#fields.set(id, fields);
    return fields;
  }

  /** @returns undefined where one is wrong, or may be */
  #teamsIn(text: string): Team[] | undefined {
    const teams: Team[] = [];
    let column = `    ${teamsKey}: `.length + 2;
    for (const [index, part] of text.slice(1, -1).split(', ').entries()) {
      const [, key, role = ''] = text.startsWith('{') ? (inMap.exec(part) ?? []) : [];
      const team = key ?? part;
      if (key === undefined ? text.startsWith('{') || !inList.test(part) : !this.#isRole(role))
        return undefined;
      if (otherValue.test(team) || (key !== undefined && teams.some((one) => one.team === key)))
        return undefined;
      const path = key === undefined ? `[${index}]` : `.${key}`;
      teams.push({ team, role: key === undefined ? plainRole : role, column, path });
      column += part.length + 2;
    }
    return teams;
  }

  #isRole(role: string): boolean {
    if (this.#roles.has(role)) return true;
    const isRight = checkInput(operationOf(memberships), { body: { [roleField]: role } }).length === 0;
    if (isRight) this.#roles.add(role);
    return isRight;
  }
}

function placeIn(line: number, column: number, path: string): FileLocation {
  return { file: peopleFile, line, column, path };
}

function placeOf(line: number, index: number): FileLocation {
  return placeIn(line, 5, `${listKey}[${index}]`);
}

/** Each field has a line below that of the email. */
function placesOf(line: number, index: number, fields: object): Record<string, FileLocation> {
  const places = Object.keys(fields).map((key, at) => {
    const place = placeIn(line + 1 + at, `    ${key}: `.length + 1, `${listKey}[${index}].${key}`);
    return [key, place] as const;
  });
  return Object.fromEntries(places);
}
