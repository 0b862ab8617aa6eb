import { insert } from '../store/sql.js';
import type { ResourceSeed, Seeding } from './seed.js';

/** One set of translation settings in `tiny`, four in `acme`. */
export const translations: ResourceSeed = {
  name: 'translations',
  tiny: addFirst,
  acme(seeding) {
    addFirst(seeding);
    add(seeding, 'Help Center, Asia', ['ja', 'ko', 'zh-Hans'], 190);
    add(seeding, 'Policies', ['de', 'es', 'fr', 'pl', 'pt-BR'], 120);
    add(seeding, 'Release notes', [], 12);
  },
};

function addFirst(seeding: Seeding): void {
  add(seeding, 'Product docs', ['de', 'fr', 'ja'], 300);
}

function add({ db, id, daysAgo }: Seeding, title: string, languages: readonly string[], age: number): void {
  insert(db, 'translations', {
    id: id(`translation ${title.toLowerCase()}`),
    org_id: id('org acme'),
    title,
    languages: JSON.stringify(languages),
    created_at: daysAgo(age),
    updated_at: daysAgo(age / 4, 5),
  });
}
