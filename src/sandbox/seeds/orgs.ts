import { iso } from '../store/clock.js';
import { insert } from '../store/sql.js';
import type { ResourceSeed, Seeding } from './seed.js';

/** Acme Docs; Globex, paid for since its trial, whose admin is not a member of Acme; Acme Labs, which shares Acme's, for transfers. */
export const orgs: ResourceSeed = {
  name: 'orgs',
  tiny: addOrgs,
  acme(seeding) {
    addOrgs(seeding);
    addBlocked(seeding);
  },
};

function addOrgs({ db, id, daysAgo }: Seeding): void {
  insert(db, 'organizations', {
    id: id('org acme'),
    title: 'Acme Docs',
    created_at: daysAgo(900),
    hostname: 'acme-docs',
    email_domains: '["acme.example"]',
    use_case: 'internalDocs',
    default_role: 'read',
    plan: 'pro_2024',
    billing_interval: 'yearly',
    billing_end_date: daysAgo(-200),
  });
  insert(db, 'organizations', {
    id: id('org globex'),
    title: 'Globex',
    created_at: daysAgo(400),
    hostname: 'globex',
    email_domains: '["globex.example"]',
    use_case: 'productDocs',
    default_role: 'edit',
    plan: 'plus_2024',
    billing_interval: 'monthly',
    billing_end_date: daysAgo(-20),
    logo: 'https://www.globex.example/logo.png',
    custom_hostname: 'docs.globex.example',
    trial: JSON.stringify({ status: 'notapplicable', endDate: iso(daysAgo(386)), decision: 'downgrade' }),
    billing_migration: JSON.stringify({
      ...{ deadline: iso(daysAgo(-60)), discountPercent: 20, discountEndDate: iso(daysAgo(-425)) },
    }),
  });
  insert(db, 'organizations', {
    id: id('org labs'),
    title: 'Acme Labs',
    created_at: daysAgo(120),
    hostname: 'acme-labs',
    email_domains: '["acme.example"]',
    use_case: 'openSourceDocs',
    type: 'community',
    community_type: 'openSource',
    plan: 'community_2024',
  });
  insert(db, 'invites', { id: id('invite readers'), org_id: id('org acme'), role: 'read' });
  insert(db, 'invites', { id: id('invite editors'), org_id: id('org acme'), role: 'edit' });
}

/** An organization that the platform has blocked. */
function addBlocked({ db, id, daysAgo }: Seeding): void {
  insert(db, 'organizations', {
    id: id('org initech'),
    title: 'Initech',
    created_at: daysAgo(60),
    email_domains: '["initech.example"]',
    plan: 'free_2024',
    blocked: JSON.stringify({ reason: 'security' }),
  });
}
