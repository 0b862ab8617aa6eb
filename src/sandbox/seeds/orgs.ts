import type { ResourceSeed, Seeding } from './seed.js';

/** Acme Docs, and a second organization whose admin is nobody in the first. */
export const orgs: ResourceSeed = {
  name: 'orgs',
  tiny: addOrgs,
  acme: addOrgs,
};

function addOrgs({ db, id, daysAgo }: Seeding): void {
  const insert = `INSERT INTO organizations
    (id, title, created_at, email_domains, hostname, type, use_case, default_role, plan, billing_interval, billing_end_date)
    VALUES (?, ?, ?, ?, ?, 'business', ?, ?, ?, ?, ?)`;
  db.run(
    insert,
    ...[id('org acme'), 'Acme Docs', daysAgo(900), '["acme.example"]', 'acme-docs', 'internalDocs'],
    ...['read', 'pro_2024', 'yearly', daysAgo(-200)],
  );
  db.run(
    insert,
    ...[id('org globex'), 'Globex', daysAgo(400), '["globex.example"]', 'globex', 'productDocs'],
    ...[null, 'free_2024', null, null],
  );
  const invite = 'INSERT INTO invites (id, org_id, role, redundant) VALUES (?, ?, ?, ?)';
  db.run(invite, id('invite readers'), id('org acme'), 'read', 0);
  db.run(invite, id('invite editors'), id('org acme'), 'edit', 0);
}
