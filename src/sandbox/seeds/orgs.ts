import type { ResourceSeed, Seeding } from './seed.js';

/**
 * Acme Docs; Globex, whose admin is not a member of Acme; and Acme Labs, which shares its admin with
 * Acme to allow transfers.
 */
export const orgs: ResourceSeed = { name: 'orgs', tiny: addOrgs, acme: addOrgs };

function addOrgs({ db, id, daysAgo }: Seeding): void {
  const insert = `INSERT INTO organizations
    (id, title, created_at, email_domains, hostname, type, use_case, default_role, plan, billing_interval, billing_end_date)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
  db.run(
    insert,
    ...[
      id('org acme'),
      'Acme Docs',
      daysAgo(900),
      '["acme.example"]',
      'acme-docs',
      'business',
      'internalDocs',
    ],
    ...['read', 'pro_2024', 'yearly', daysAgo(-200)],
  );
  db.run(
    insert,
    ...[id('org globex'), 'Globex', daysAgo(400), '["globex.example"]', 'globex', 'business', 'productDocs'],
    ...['edit', 'plus_2024', 'monthly', daysAgo(-20)],
  );
  db.run(
    insert,
    ...[
      id('org labs'),
      'Acme Labs',
      daysAgo(120),
      '["acme.example"]',
      'acme-labs',
      'community',
      'openSourceDocs',
    ],
    ...[null, 'community_2024', null, null],
  );
  const invite = 'INSERT INTO invites (id, org_id, role, redundant) VALUES (?, ?, ?, ?)';
  db.run(invite, id('invite readers'), id('org acme'), 'read', 0);
  db.run(invite, id('invite editors'), id('org acme'), 'edit', 0);
}
