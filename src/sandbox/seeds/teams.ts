import { insert } from '../store/sql.js';
import { fold } from '../text.js';
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
    for (const [index, title] of titles.entries()) {
      addTeam(seeding, title, 380 - index * 20, draw(seeding, people));
    }
  },
};

function addFirstTeams(seeding: Seeding): void {
  const { id } = seeding;
  const [bruno, chiara, deniz] = [id('user bruno'), id('user chiara'), id('user deniz')];
  const [emil, farah] = [id('user emil'), id('user farah')];
  addTeam(seeding, 'Writers', 700, { [chiara]: 'owner', [deniz]: 'member' });
  addTeam(seeding, 'Support', 600, { [bruno]: 'owner', [emil]: 'member', [farah]: 'member' });
}

function addTeam(
  { db, id, daysAgo }: Seeding,
  title: string,
  age: number,
  roles: Record<string, string>,
): void {
  const key = title.toLowerCase();
  const [teamId, org] = [id(`team ${key}`), id('org acme')];
  insert(db, 'teams', { id: teamId, org_id: org, title, folded: fold(title), created_at: daysAgo(age) });
  for (const [user, role] of Object.entries(roles)) {
    insert(db, 'team_members', { team_id: teamId, org_id: org, user_id: user, role });
  }
}

/** Five to thirty members; the first two are owners. */
function draw({ random }: Seeding, people: readonly string[]): Record<string, string> {
  const size = 5 + random.below(26);
  const drawn = new Set(Array.from({ length: size }, () => random.of(people)));
  return Object.fromEntries([...drawn].map((userId, index) => [userId, index < 2 ? 'owner' : 'member']));
}

function memberIds({ db, id }: Seeding): string[] {
  const sql = 'SELECT user_id FROM members WHERE org_id = ? AND role IS NOT NULL ORDER BY user_id';
  return db.all<{ user_id: string }>(sql, id('org acme')).map(({ user_id }) => user_id);
}
