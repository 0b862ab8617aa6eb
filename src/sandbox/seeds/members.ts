import { fold } from '../text/fold.js';
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
  addAll(seeding, firstPeople(seeding));
  addAll(seeding, [...furtherPeople(seeding, further)]);
  const { db, id, daysAgo } = seeding;
  const sql =
    "INSERT INTO members (org_id, user_id, role, joined_at, last_seen_at) VALUES (?, ?, 'admin', ?, ?)";
  db.run(sql, id('org labs'), id('user ada'), daysAgo(120), daysAgo(9));
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
    const photo = `https://photos.sandbox.example/${key}.png`;
    users.push([userId, name, email, fold(`${name}\n${email}`), photo]);
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
