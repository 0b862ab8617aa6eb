import { areas } from './collections.js';
import type { ResourceSeed, Seeding } from './seed.js';

const kinds = ['Handbook', 'Guide', 'Runbook', 'Reference', 'FAQ', 'Release Notes', 'How-tos', 'Decisions'];
const emoji = ['📘', '📗', '📙', '🚀', '🔧', '🧭', '🗂️', '💡', '🔎', '📦', '🧪', '👩‍💻', '🏳️‍🌈', '🇪🇺'] as const;

interface NewSpace {
  key: string;
  title: string;
  emoji: string;
  org?: 'acme' | 'globex';
  parent?: string;
  visibility: string;
  level?: string | null;
  position: number;
  age: number;
}

const first: readonly NewSpace[] = [
  { key: 'welcome', title: 'Welcome', emoji: '👋', visibility: 'public', position: 1, age: 880 },
  {
    key: 'guide',
    title: 'Product Guide',
    emoji: '📘',
    parent: 'product',
    visibility: 'public',
    position: 1,
    age: 700,
  },
  {
    ...{ key: 'api', title: 'API Reference', emoji: '🔌', parent: 'product', visibility: 'in-collection' },
    ...{ level: 'read', position: 2, age: 650 },
  },
  {
    ...{ key: 'handbook', title: 'Engineering Handbook', emoji: '🛠️', parent: 'internal' },
    ...{ visibility: 'in-collection', position: 1, age: 600 },
  },
  { key: 'board', title: 'Board Notes', emoji: '🔒', visibility: 'private', position: 4, age: 300 },
  {
    key: 'globex',
    title: 'Globex Manual',
    emoji: '🌐',
    org: 'globex',
    visibility: 'public',
    position: 1,
    age: 390,
  },
];

/** Five spaces of Acme in `tiny`, sixty in `acme`, and one of Globex. */
export const spaces: ResourceSeed = {
  name: 'spaces',
  tiny: addFirstSpaces,
  acme(seeding) {
    addFirstSpaces(seeding);
    for (const space of furtherSpaces(seeding, 55)) addSpace(seeding, space);
  },
};

/** The spaces of Acme in a seed, by permanent name; `space <key>` is the name of the id. */
function addFirstSpaces(seeding: Seeding): void {
  const { db, id } = seeding;
  for (const space of first) addSpace(seeding, space);
  const user = 'INSERT INTO space_users (space_id, user_id, level) VALUES (?, ?, ?)';
  db.run(user, id('space board'), id('user chiara'), 'edit');
  db.run(user, id('space guide'), id('user goran'), 'read');
  const team = 'INSERT INTO space_teams (space_id, team_id, level) VALUES (?, ?, ?)';
  db.run(team, id('space api'), id('team writers'), 'edit');
}

function* furtherSpaces({ random }: Seeding, count: number): Generator<NewSpace> {
  const parents = [...Object.keys(areas), ...Object.values(areas).flat()];
  const published = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const;
  for (let index = 0; index < count; index += 1) {
    const parent = parents[index % parents.length] ?? '';
    const title = `${parent} ${kinds[Math.floor(index / parents.length)] ?? index}`;
    const visibility = random.below(10) === 0 ? random.pick(published) : 'in-collection';
    const level = random.below(12) === 0 ? random.pick(['edit', 'comment', 'read', null]) : 'inherit';
    const key = title.toLowerCase();
    yield {
      key,
      title,
      emoji: random.pick(emoji),
      parent: parent.toLowerCase(),
      visibility,
      level,
      position: 100 + index,
      age: 560 - index * 10,
    };
  }
}

function addSpace({ db, id, daysAgo }: Seeding, space: NewSpace): void {
  const { key, title, org = 'acme', parent, visibility, level = 'inherit', position, age } = space;
  db.run(
    `INSERT INTO spaces (id, org_id, parent_id, title, emoji, visibility, default_level, revision_id, position,
       created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[
      id(`space ${key}`),
      id(`org ${org}`),
      parent === undefined ? null : id(`collection ${parent}`),
      title,
    ],
    ...[space.emoji, visibility, level, id(`revision ${key}`), position, daysAgo(age), daysAgo(age / 100, 3)],
  );
}
