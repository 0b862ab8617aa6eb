import type { Role } from '../../api/shapes.js';
import { insert } from '../store/sql.js';
import { certificates } from './certificates.js';
import type { ResourceSeed, Seeding } from './seed.js';

interface NewProvider {
  key: keyof typeof certificates;
  label: string;
  /** Key of the team that new members join. */
  team?: string;
  role: Role | null;
  age: number;
}

const staff: NewProvider = { key: 'staff', label: 'Acme Staff', team: 'writers', role: 'edit', age: 420 };

/** One provider in `tiny`, three in `acme`; the certificate of the contractors expired. */
export const saml: ResourceSeed = {
  name: 'saml',
  tiny: (seeding) => addProvider(seeding, staff),
  acme(seeding) {
    addProvider(seeding, staff);
    addProvider(seeding, { key: 'partners', label: 'Partners', team: 'support', role: 'comment', age: 210 });
    addProvider(seeding, { key: 'contractors', label: 'Contractors', role: null, age: 60 });
  },
};

function addProvider({ db, id, daysAgo }: Seeding, { key, label, team, role, age }: NewProvider): void {
  const home = `https://id.acme.example/${key}`;
  insert(db, 'saml_providers', {
    id: id(`saml ${key}`),
    org_id: id('org acme'),
    label,
    certificate: certificates[key],
    entity_id: `${home}/metadata`,
    sso_url: `${home}/sso`,
    default_team: team && id(`team ${team}`),
    default_role: role,
    created_at: daysAgo(age),
  });
}
