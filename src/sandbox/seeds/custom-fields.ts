import { insert, update } from '../store/sql.js';
import type { ResourceSeed, Seeding } from './seed.js';

export const customFields: ResourceSeed = { name: 'custom-fields', tiny: addFields, acme: addFields };

function addFields(seeding: Seeding): void {
  addField(seeding, 'audience', 'select', 'Audience', ['customers', 'partners', 'staff']);
  addField(seeding, 'owner-team', 'text', 'Owning team');
  describe(seeding, 'owner-team', 'The team that keeps the space up to date', 'Platform');
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
  insert(db, 'custom_fields', {
    id: id(`field ${name}`),
    org_id: id('org acme'),
    name,
    type,
    title,
    options: options && JSON.stringify(options),
    created_at: daysAgo(500),
    updated_at: daysAgo(500),
  });
}

function describe({ db, id }: Seeding, name: string, description: string, placeholder: string): void {
  update(db, 'custom_fields', id(`field ${name}`), { description, placeholder });
}

function setValue({ db, id }: Seeding, space: string, field: string, value: unknown): void {
  const ids = { space_id: id(`space ${space}`), field_id: id(`field ${field}`) };
  insert(db, 'space_field_values', { ...ids, value: JSON.stringify(value) });
}
