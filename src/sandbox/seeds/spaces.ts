import { positionAt } from '../positions.js';
import { iso } from '../store/clock.js';
import { insert, update } from '../store/sql.js';
import { areas } from './collections.js';
import type { ResourceSeed, Seeding } from './seed.js';

const kinds = ['Handbook', 'Guide', 'Runbook', 'Reference', 'FAQ', 'Release Notes', 'How-tos', 'Decisions'];
const emoji = ['📘', '📗', '📙', '🚀', '🔧', '🧭', '🗂️', '💡', '🔎', '📦', '🧪', '👩‍💻', '🏳️‍🌈', '🇪🇺'] as const;

interface NewSpace {
  /** Its id is that of `space <key>`. */
  key: string;
  title: string;
  emoji: string;
  org?: 'acme' | 'globex';
  /** Key of the collection. */
  parent?: string;
  visibility: string;
  level?: string | null;
  position: number;
  /** Days before now. */
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
    key: 'api',
    title: 'API Reference',
    emoji: '🔌',
    parent: 'product',
    visibility: 'in-collection',
    level: 'read',
    position: 2,
    age: 650,
  },
  {
    key: 'handbook',
    title: 'Engineering Handbook',
    emoji: '🛠️',
    parent: 'internal',
    visibility: 'in-collection',
    position: 1,
    age: 600,
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
    addRareFields(seeding);
  },
};

function addFirstSpaces(seeding: Seeding): void {
  const { db, id } = seeding;
  for (const space of first) addSpace(seeding, space);
  insert(db, 'space_users', { space_id: id('space board'), user_id: id('user chiara'), level: 'edit' });
  insert(db, 'space_users', { space_id: id('space guide'), user_id: id('user goran'), level: 'read' });
  insert(db, 'space_teams', { space_id: id('space api'), team_id: id('team writers'), level: 'edit' });
}

/** A space that is synchronized with a Git repository, one with an icon, one for authenticated visitors. */
function addRareFields({ db, id, daysAgo }: Seeding): void {
  const gitSync = {
    repoName: 'acme/handbook',
    installationProvider: 'github',
    integration: 'github',
    url: 'https://github.example/acme/handbook',
    updatedAt: iso(daysAgo(1, 4)),
  };
  update(db, 'spaces', id('space handbook'), { git_sync: JSON.stringify(gitSync) });
  const icon = 'https://www.acme.example/icons/campaigns.png';
  update(db, 'spaces', id('space campaigns guide'), { emoji: '', icon });
  update(db, 'spaces', id('space integrations guide'), { visibility: 'visitor-auth' });
}

function* furtherSpaces({ random }: Seeding, count: number): Generator<NewSpace> {
  const parents = [...Object.keys(areas), ...Object.values(areas).flat()];
  const published = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const;
  for (let index = 0; index < count; index += 1) {
    const parent = parents[index % parents.length] ?? '';
    const title = `${parent} ${kinds[Math.floor(index / parents.length)] ?? index}`;
    const visibility = random.below(10) === 0 ? random.pick(published) : 'in-collection';
    const level = random.below(12) === 0 ? random.pick(['edit', 'comment', 'read', null]) : 'inherit';
    yield {
      key: title.toLowerCase(),
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
  const { key, org = 'acme', parent, level, age, position, ...rest } = space;
  insert(db, 'spaces', {
    id: id(`space ${key}`),
    org_id: id(`org ${org}`),
    parent_id: parent && id(`collection ${parent}`),
    ...rest,
    position: positionAt(position),
    default_level: level,
    revision_id: id(`revision ${key}`),
    created_at: daysAgo(age),
    updated_at: daysAgo(age / 100, 3),
  });
}
