import type { Role } from '../../api/shapes.js';
import { fold } from '../store/rows.js';
import type { Seeding } from './seeding.js';
import words from './words.json' with { type: 'json' };

/** How many of a hundred people have each role. */
const shares: readonly [Role | null, number][] = [
  ['admin', 1],
  ['create', 5],
  ['review', 8],
  ['edit', 30],
  ['comment', 10],
  ['read', 42],
  [null, 4],
];

/**
 * Adds people to Acme as users and members, in one statement each: 100,000 calls would cost more than the work
 * itself. Sorted by id, so that the indexes grow at their end.
 */
export function addPeople({ db, id, random, daysAgo }: Seeding, count: number): void {
  const org = id('org acme');
  const [users, members]: [unknown[][], unknown[][]] = [[], []];
  const taken = new Map<string, number>();
  const plainNames = new Map<string, string>(); // The same names come again and again.
  const before = (days: number) => daysAgo(0) - (1 + random.below(days * 86_400)) * 1000;
  for (let index = 0; index < count; index += 1) {
    const name = `${random.of(words.givenNames)} ${random.of(words.familyNames)}`;
    const plain = plainNames.get(name) ?? ascii(name).replace(' ', '.');
    plainNames.set(name, plain);
    const same = (taken.get(plain) ?? 0) + 1;
    taken.set(plain, same);
    const key = same === 1 ? plain : `${plain}${same}`;
    const email = `${key}@acme.example`;
    const userId = id(`user ${key}`);
    users.push([userId, name, email, fold(`${name}\n${email}`), `https://photos.sandbox.example/${key}.png`]);
    const [role, joined] = [roleBy(random.below(100)), before(840)];
    members.push([org, userId, role, joined, random.below(100) < 85 ? before(60) : null]);
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

function roleBy(percent: number): Role | null {
  let below = 0;
  for (const [role, share] of shares) {
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

/** Gives each team without members five to thirty; the first two are owners. */
export function drawTeams({ db, id, random }: Seeding): void {
  const sql = 'SELECT user_id AS id FROM members WHERE org_id = ? AND role IS NOT NULL ORDER BY user_id';
  const org = id('org acme');
  const people = db.all<{ id: string }>(sql, org).map((member) => member.id);
  const empty = 'SELECT id FROM teams WHERE id NOT IN (SELECT team_id FROM team_members) ORDER BY created_at';
  for (const team of db.all<{ id: string }>(empty)) {
    const drawn = new Set(Array.from({ length: 5 + random.below(26) }, () => random.of(people)));
    for (const [index, userId] of [...drawn].entries()) {
      db.run(
        'INSERT INTO team_members (team_id, org_id, user_id, role) VALUES (?, ?, ?, ?)',
        ...[team.id, org, userId, index < 2 ? 'owner' : 'member'],
      );
    }
  }
}
