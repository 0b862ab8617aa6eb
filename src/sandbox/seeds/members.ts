import { fold } from '../fold.js';
import { firstPeople, furtherPeople, type Person } from './people.js';
import type { ResourceSeed, Seeding } from './seed.js';

/** Acme has 7 members in `tiny`, 400 in `acme`, 100,000 in `huge`. */
export const members: ResourceSeed = {
  name: 'members',
  tiny: (seeding) => addPeople(seeding, 0),
  acme: (seeding) => addPeople(seeding, 393),
  huge: (seeding) => addPeople(seeding, 99_993),
};

function addPeople(seeding: Seeding, further: number): void {
  for (const person of firstPeople(seeding)) addPerson(seeding, person);
  for (const person of furtherPeople(seeding, further)) addPerson(seeding, person);
  const { db, id, daysAgo } = seeding;
  const sql =
    "INSERT INTO members (org_id, user_id, role, joined_at, last_seen_at) VALUES (?, ?, 'admin', ?, ?)";
  db.run(sql, id('org labs'), id('user ada'), daysAgo(120), daysAgo(9));
}

function addPerson({ db, id }: Seeding, { key, name, org, role, joined, seen }: Person): void {
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
