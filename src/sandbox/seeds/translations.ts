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
  db.run(
    `INSERT INTO translations (id, org_id, title, languages, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)`,
    ...[id(`translation ${title.toLowerCase()}`), id('org acme'), title, JSON.stringify(languages)],
    ...[daysAgo(age), daysAgo(age / 4, 5)],
  );
}
