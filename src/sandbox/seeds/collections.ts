import type { ResourceSeed, Seeding } from './seed.js';

/** Collections of `acme`, each with those inside it. */
export const areas: Readonly<Record<string, readonly string[]>> = {
  Engineering: ['Platform', 'Mobile', 'Infrastructure'],
  Customers: ['Getting Started', 'Integrations'],
  People: ['Onboarding', 'Policies'],
  Marketing: ['Campaigns'],
  Legal: [],
};

/** Two collections in `tiny`; those and thirteen more, three levels deep, in `acme`. */
export const collections: ResourceSeed = {
  name: 'collections',
  tiny: addFirstCollections,
  acme(seeding) {
    addFirstCollections(seeding);
    let position = 10;
    for (const [title, inner] of Object.entries(areas)) {
      add(seeding, {
        title,
        parent: null,
        level: title === 'Legal' ? 'read' : 'inherit',
        position: position++,
      });
      for (const [index, child] of inner.entries()) {
        add(seeding, { title: child, parent: title, level: 'inherit', position: index + 1 });
      }
    }
    add(seeding, { title: 'Incidents', parent: 'Infrastructure', level: 'edit', position: 1 });
  },
};

function addFirstCollections(seeding: Seeding): void {
  add(seeding, {
    title: 'Product',
    parent: null,
    level: 'inherit',
    position: 2,
    description: 'What customers read',
  });
  add(seeding, {
    title: 'Internal',
    parent: null,
    level: 'comment',
    position: 3,
    description: 'For us alone',
  });
}

interface NewCollection {
  title: string;
  parent: string | null;
  level: string;
  position: number;
  description?: string;
}

function add(
  { db, id, daysAgo }: Seeding,
  { title, parent, level, position, description }: NewCollection,
): void {
  const parentId = parent === null ? null : id(`collection ${parent.toLowerCase()}`);
  db.run(
    `INSERT INTO collections (id, org_id, parent_id, title, description, default_level, position, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[id(`collection ${title.toLowerCase()}`), id('org acme'), parentId, title, description ?? null],
    ...[level, position, daysAgo(800 - position)],
  );
}
