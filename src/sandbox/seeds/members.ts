import type { Role } from '../../api/shapes.js';
import { fold } from '../fold.js';
import type { ResourceSeed, Seeding } from './seed.js';

/** A person of a seed, with a lasting name that others refer to. */
export interface Person {
  key: string;
  name: string;
  org: 'acme' | 'globex';
  role: Role | null;
  joined: number;
  seen: number | null;
}

const people: readonly Omit<Person, 'joined' | 'seen'>[] = [
  { key: 'ada', name: 'Ada Okafor', org: 'acme', role: 'admin' },
  { key: 'bruno', name: 'Bruno Keller', org: 'acme', role: 'create' },
  { key: 'chiara', name: 'Chiara Rossi', org: 'acme', role: 'review' },
  { key: 'deniz', name: 'Deniz Yıldız', org: 'acme', role: 'edit' },
  { key: 'emil', name: 'Émil Laurent', org: 'acme', role: 'comment' },
  { key: 'farah', name: 'Farah Haddad', org: 'acme', role: 'read' },
  { key: 'goran', name: 'Goran Novak', org: 'acme', role: null },
  { key: 'hank', name: 'Hank Scorpio', org: 'globex', role: 'admin' },
];

export const members: ResourceSeed = {
  name: 'members',
  tiny: (seeding) => addPeople(seeding, firstPeople(seeding)),
  acme: (seeding) => addPeople(seeding, firstPeople(seeding)),
};

/** One person a role, in the order they joined. */
export function firstPeople({ daysAgo }: Seeding): Person[] {
  return people.map((person, index) => ({
    ...person,
    joined: daysAgo(800 - index * 90),
    seen: person.role === null ? null : daysAgo(index, 2),
  }));
}

function addPeople({ db, id }: Seeding, added: Iterable<Person>): void {
  for (const { key, name, org, role, joined, seen } of added) {
    const email = `${key}@${org}.example`;
    const userId = id(`user ${key}`);
    db.run(
      'INSERT INTO users (id, display_name, email, folded, photo_url) VALUES (?, ?, ?, ?, ?)',
      ...[userId, name, email, fold(`${name}\n${email}`), `https://photos.sandbox.example/${key}.png`],
    );
    db.run(
      'INSERT INTO members (org_id, user_id, role, joined_at, last_seen_at) VALUES (?, ?, ?, ?, ?)',
      ...[id(`org ${org}`), userId, role, joined, seen],
    );
  }
}
