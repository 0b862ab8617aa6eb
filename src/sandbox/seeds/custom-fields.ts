import type { ResourceSeed, Seeding } from './seed.js';

/** Four fields, with values for the first spaces. */
export const customFields: ResourceSeed = { name: 'custom-fields', tiny: addFields, acme: addFields };

function addFields(seeding: Seeding): void {
  addField(seeding, 'audience', 'select', 'Audience', ['customers', 'partners', 'staff']);
  addField(seeding, 'owner-team', 'text', 'Owning team');
  addField(seeding, 'review-by', 'date', 'Review by');
  addField(seeding, 'topics', 'multiselect', 'Topics', ['billing', 'security', 'api']);
  setValue(seeding, 'guide', 'audience', 'customers');
  setValue(seeding, 'guide', 'topics', ['api', 'billing']);
  setValue(seeding, 'handbook', 'owner-team', 'Platform');
}

function addField(
  { db, id, daysAgo }: Seeding,
  name: string,
  type: string,
  title: string,
  options?: string[],
): void {
  db.run(
    `INSERT INTO custom_fields (id, org_id, name, type, title, options, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[id(`field ${name}`), id('org acme'), name, type, title, options ? JSON.stringify(options) : null],
    ...[daysAgo(500), daysAgo(500)],
  );
}

function setValue({ db, id }: Seeding, space: string, field: string, value: unknown): void {
  const sql = 'INSERT INTO space_field_values (space_id, field_id, value) VALUES (?, ?, ?)';
  db.run(sql, id(`space ${space}`), id(`field ${field}`), JSON.stringify(value));
}
