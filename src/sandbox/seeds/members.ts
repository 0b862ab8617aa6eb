import type { Role } from '../../api/shapes.js';
import { insert } from '../store/sql.js';
import { fold } from '../text.js';
import type { ResourceSeed, Seeding } from './seed.js';

/** A person of a seed, with a permanent name that other resources refer to. */
interface Person {
  key: string;
  name: string;
  org: 'acme' | 'globex';
  role: Role | null;
  joined: number;
  seen: number | null;
}

const first: readonly Omit<Person, 'joined' | 'seen'>[] = [
  { key: 'ada', name: 'Ada Okafor', org: 'acme', role: 'admin' },
  { key: 'bruno', name: 'Bruno Keller', org: 'acme', role: 'create' },
  { key: 'chiara', name: 'Chiara Rossi', org: 'acme', role: 'review' },
  { key: 'deniz', name: 'Deniz Yıldız', org: 'acme', role: 'edit' },
  { key: 'emil', name: 'Émil Laurent', org: 'acme', role: 'comment' },
  { key: 'farah', name: 'Farah Haddad', org: 'acme', role: 'read' },
  { key: 'goran', name: 'Goran Novak', org: 'acme', role: null },
  { key: 'hanna', name: 'Hanna Lindqvist', org: 'globex', role: 'admin' },
];

const givenNames =
  'Aisha Akira Alejandro Amara Anders Anika Antoine Beatriz Bilal Carmen Chen Clara Daniel Divya Dmitri Elena Emre Esther Fatima Felix Freya Gabriel Grace Hiroshi Ibrahim Ines Ivan Jamal Jana João Julia Kofi Lars Leila Liam Linh Lucía Magnus Maya Mei Milan Nadia Nia Noah Olga Omar Priya Rafael Rosa Sana Santiago Sofia Søren Tariq Thandi Tomás Uma Valentina Viktor Wei Yara Yusuf Zoë'.split(
    ' ',
  );
const familyNames =
  'Abebe Adeyemi Ahmed Almeida Andersson Baker Banerjee Becker Bianchi Bondarenko Carvalho Chowdhury Costa Dąbrowski Diallo Dubois Eriksen Fernández Fischer Fontaine García Ghosh Haas Hansen Hernández Horvat Huang Ivanova Jansen Johansson Kaya Khan Kimura Kowalski Kumar Larsson Lefèvre López Mahlangu Martin Mendes Meyer Moreau Müller Nakamura Nguyen Nielsen Nwosu Oliveira Osei Park Patel Pereira Petrov Popescu Ramírez Reddy Ricci Roberts Sánchez Sato Schneider Silva Singh Smith Stein Suzuki Tan Tanaka Torres Tran Virtanen Vogel Wagner Walker Weber Wójcik Yamamoto Zhang Ziegler'.split(
    ' ',
  );
const rest: readonly [Role | null, number][] = [
  ['admin', 1],
  ['create', 5],
  ['review', 8],
  ['edit', 30],
  ['comment', 10],
  ['read', 42],
  [null, 4],
];

/** Acme has 7 members in `tiny`, 400 in `acme`, 100,000 in `huge`. */
export const members: ResourceSeed = {
  name: 'members',
  tiny: (seeding) => addPeople(seeding, 0),
  acme(seeding) {
    addPeople(seeding, 393);
    const { db, id, daysAgo } = seeding;
    const [org_id, user_id] = [id('org initech'), id('user hanna')];
    insert(db, 'members', { org_id, user_id, role: 'admin', joined_at: daysAgo(60) });
  },
  huge: (seeding) => addPeople(seeding, 99_993),
};

function addPeople(seeding: Seeding, further: number): void {
  addAll(seeding, firstPeople(seeding));
  addAll(seeding, [...furtherPeople(seeding, further)]);
  const { db, id, daysAgo } = seeding;
  const times = { joined_at: daysAgo(120), last_seen_at: daysAgo(9) };
  insert(db, 'members', { org_id: id('org labs'), user_id: id('user ada'), role: 'admin', ...times });
}

/**
 * Adds people as users and members, in one statement each: 100,000 calls would cost more than the work
 * itself. Sorted by id, so that the indexes grow at their end.
 */
function addAll({ db, id }: Seeding, people: readonly Person[]): void {
  const orgs = { acme: id('org acme'), globex: id('org globex') };
  const users: unknown[][] = [];
  const members: unknown[][] = [];
  for (const { key, name, org, role, joined, seen } of people) {
    const userId = id(`user ${key}`);
    const email = `${key}@${org}.example`;
    users.push([userId, name, email, fold(`${name}\n${email}`), `https://photos.sandbox.example/${key}.png`]);
    members.push([orgs[org], userId, role, joined, seen]);
  }
  const columns = 'value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4';
  db.run(
    `INSERT INTO users (id, display_name, email, folded, photo_url)
     SELECT ${columns} FROM json_each(?) ORDER BY 1`,
    JSON.stringify(users),
  );
  db.run(
    `INSERT INTO members (org_id, user_id, role, joined_at, last_seen_at)
     SELECT ${columns} FROM json_each(?) ORDER BY 1, 2`,
    JSON.stringify(members),
  );
}

/** One person per role, in the order they joined; the tokens act as them. */
function firstPeople({ daysAgo }: Seeding): Person[] {
  return first.map((person, index) => ({
    ...person,
    joined: daysAgo(890 - index * 5),
    seen: person.role === null ? null : daysAgo(index, 2),
  }));
}

function* furtherPeople({ random, daysAgo }: Seeding, count: number): Generator<Person> {
  const taken = new Map<string, number>();
  const plainNames = new Map<string, string>(); // The same names come again and again.
  for (let index = 0; index < count; index += 1) {
    const name = `${random.of(givenNames)} ${random.of(familyNames)}`;
    const plain = plainNames.get(name) ?? ascii(name).replace(' ', '.');
    plainNames.set(name, plain);
    const same = (taken.get(plain) ?? 0) + 1;
    taken.set(plain, same);
    yield {
      key: same === 1 ? plain : `${plain}${same}`,
      name,
      org: 'acme',
      role: roleBy(random.below(100)),
      joined: daysAgo(0) - (1 + random.below(840 * 86_400)) * 1000,
      seen: random.below(100) < 85 ? daysAgo(0) - (1 + random.below(60 * 86_400)) * 1000 : null,
    };
  }
}

function roleBy(percent: number): Role | null {
  let below = 0;
  for (const [role, share] of rest) {
    below += share;
    if (percent < below) return role;
  }
  return 'read';
}

/** Lowercase ASCII letters for an address: drops marks, spells out letters without a base form. */
function ascii(name: string): string {
  const spelt: Record<string, string> = { ø: 'o', ł: 'l', ß: 'ss', ı: 'i', æ: 'ae' };
  const plain = name.toLowerCase().replaceAll(/[øłßıæ]/g, (letter) => spelt[letter] ?? letter);
  return plain.normalize('NFD').replaceAll(/\p{M}/gu, '');
}
