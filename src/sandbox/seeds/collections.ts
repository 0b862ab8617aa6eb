import { positionAt } from '../positions.js';
import { insert } from '../store/sql.js';
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
      add(seeding, { title, level: title === 'Legal' ? 'read' : 'inherit', position: position++ });
      for (const [index, child] of inner.entries()) {
        add(seeding, { title: child, parent: title, position: index + 1 });
      }
    }
    add(seeding, { title: 'Incidents', parent: 'Infrastructure', level: 'edit', position: 1 });
  },
};

function addFirstCollections(seeding: Seeding): void {
  add(seeding, { title: 'Product', position: 2, description: 'What customers read' });
  add(seeding, { title: 'Internal', level: 'comment', position: 3, description: 'For us alone' });
}

interface NewCollection {
  title: string;
  parent?: string;
  level?: string;
  position: number;
  description?: string;
}

function add({ db, id, daysAgo }: Seeding, { parent, level, ...rest }: NewCollection): void {
  const idOf = (title: string) => id(`collection ${title.toLowerCase()}`);
  insert(db, 'collections', {
    id: idOf(rest.title),
    org_id: id('org acme'),
    parent_id: parent && idOf(parent),
    ...rest,
    position: positionAt(rest.position),
    default_level: level,
    created_at: daysAgo(800 - rest.position),
  });
}
