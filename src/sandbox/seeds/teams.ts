import { fold } from '../text/fold.js';
import type { ResourceSeed, Seeding } from './seed.js';

const areas = 'Platform Mobile Web Search Billing Security Data Support Design Research'.split(' ');
const kinds = ['Engineers', 'Writers'];

/** Two teams in `tiny`, twenty in `acme`. */
export const teams: ResourceSeed = {
  name: 'teams',
  tiny: addFirstTeams,
  acme(seeding) {
    addFirstTeams(seeding);
    const people = memberIds(seeding);
    const titles = kinds.flatMap((kind) => areas.map((area) => `${area} ${kind}`)).slice(0, 18);
    for (const [index, title] of titles.entries())
      addTeam(seeding, title.toLowerCase(), title, 380 - index * 20, draw(seeding, people));
  },
};

function addFirstTeams(seeding: Seeding): void {
  const { id } = seeding;
  addTeam(seeding, 'writers', 'Writers', 700, { [id('user chiara')]: 'owner', [id('user deniz')]: 'member' });
  addTeam(seeding, 'support', 'Support', 600, {
    [id('user bruno')]: 'owner',
    [id('user emil')]: 'member',
    [id('user farah')]: 'member',
  });
}

function addTeam(
  { db, id, daysAgo }: Seeding,
  key: string,
  title: string,
  age: number,
  roles: Record<string, 'owner' | 'member'>,
): void {
  const team = 'INSERT INTO teams (id, org_id, title, folded, created_at) VALUES (?, ?, ?, ?, ?)';
  db.run(team, id(`team ${key}`), id('org acme'), title, fold(title), daysAgo(age));
  const member = 'INSERT INTO team_members (team_id, org_id, user_id, role) VALUES (?, ?, ?, ?)';
  for (const [userId, role] of Object.entries(roles))
    db.run(member, id(`team ${key}`), id('org acme'), userId, role);
}

/** Five to thirty members; the first two are owners. */
function draw({ random }: Seeding, people: readonly string[]): Record<string, 'owner' | 'member'> {
  const size = 5 + random.below(26);
  const drawn = Array.from({ length: size }, () => random.of(people));
  return Object.fromEntries(
    [...new Set(drawn)].map((userId, index) => [userId, index < 2 ? 'owner' : 'member']),
  );
}

function memberIds({ db, id }: Seeding): string[] {
  const sql = 'SELECT user_id FROM members WHERE org_id = ? AND role IS NOT NULL ORDER BY user_id';
  return db.all<{ user_id: string }>(sql, id('org acme')).map(({ user_id }) => user_id);
}
