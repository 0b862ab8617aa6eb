import { positionAt } from '../sites/order.js';
import { fold } from '../text/fold.js';
import { slugOf } from '../text/slug.js';
import type { ResourceSeed, Seeding } from './seed.js';

/** A section with the permanent names of its spaces, the default one first. */
interface NewSection {
  title: string;
  spaces: readonly string[];
  description?: string;
  icon?: string;
  condition?: string;
}

interface NewGroup {
  group: string;
  icon?: string;
  sections: readonly NewSection[];
}

interface NewSite {
  key: string;
  title: string;
  org?: 'acme' | 'globex';
  type?: string;
  visibility: 'public' | 'unlisted' | 'share-link' | 'visitor-auth';
  published: boolean;
  basename?: string;
  hostname?: string;
  proxy?: string;
  /** Claims of its visitors, for an adaptive schema. */
  claims?: readonly string[];
  age: number;
  /** Sections and groups in order, or the spaces at the root. */
  structure: readonly (NewSection | NewGroup)[] | { spaces: readonly string[] };
}

const docs: NewSite = {
  ...{ key: 'docs', title: 'Acme Docs', type: 'premium', visibility: 'public', published: true, age: 640 },
  ...{ basename: 'docs', hostname: 'docs.acme.example', claims: ['beta', 'partner'] },
  structure: [
    { title: 'Home', spaces: ['welcome'], icon: 'house' },
    {
      group: 'Developers',
      icon: 'code',
      sections: [
        { title: 'Guides', spaces: ['guide'], description: 'How to build with Acme' },
        { title: 'API', spaces: ['api'], icon: 'plug', condition: 'visitor.claims.beta' },
      ],
    },
  ],
};

const further: readonly NewSite[] = [
  {
    ...{ key: 'help', title: 'Acme Help Center', visibility: 'public', published: true, age: 520 },
    ...{ basename: 'help', proxy: 'www.acme.example/help' },
    structure: {
      spaces: ['customers handbook', 'getting started handbook', 'integrations handbook', 'customers faq'],
    },
  },
  {
    ...{ key: 'partners', title: 'Partner Portal', visibility: 'share-link', published: true, age: 410 },
    ...{ type: 'premium', basename: 'partners' },
    structure: [
      { title: 'Integrate', spaces: ['integrations guide', 'integrations reference'], icon: 'plug' },
      { title: 'Sell', spaces: ['marketing guide', 'campaigns guide'] },
    ],
  },
  {
    ...{ key: 'hub', title: 'Engineering Hub', visibility: 'visitor-auth', published: true, age: 380 },
    ...{ type: 'ultimate', basename: 'hub', claims: ['oncall', 'contractor'] },
    structure: [
      { title: 'Handbook', spaces: ['handbook', 'engineering handbook', 'engineering guide'] },
      {
        group: 'Teams',
        icon: 'users',
        sections: [
          { title: 'Platform', spaces: ['platform handbook', 'platform runbook'] },
          { title: 'Mobile', spaces: ['mobile handbook', 'mobile runbook'] },
          { title: 'Infrastructure', spaces: ['infrastructure runbook', 'infrastructure handbook'] },
        ],
      },
      {
        group: 'Reference',
        sections: [{ title: 'API', spaces: ['api', 'engineering reference'], icon: 'plug' }],
      },
      { title: 'Incidents', spaces: ['engineering runbook'], condition: 'visitor.claims.oncall' },
    ],
  },
  {
    ...{ key: 'people', title: 'Working at Acme', visibility: 'unlisted', published: true, age: 250 },
    structure: [
      { title: 'First Days', spaces: ['onboarding handbook', 'onboarding guide'] },
      { title: 'Policies', spaces: ['policies handbook', 'people faq'] },
    ],
  },
  {
    ...{ key: 'next', title: 'Acme Docs Next', visibility: 'public', published: false, age: 40 },
    structure: { spaces: ['guide', 'api'] },
  },
  {
    ...{ key: 'globex', title: 'Globex Manual', visibility: 'public', published: true, age: 300 },
    ...{ org: 'globex', basename: 'manual' },
    structure: { spaces: ['globex'] },
  },
];

/** One published site in `tiny`, six of Acme and one of Globex in `acme`. */
export const sites: ResourceSeed = {
  name: 'sites',
  tiny: (seeding) => addSite(seeding, docs),
  acme(seeding) {
    for (const site of [docs, ...further]) addSite(seeding, site);
  },
};

function addSite(seeding: Seeding, site: NewSite): void {
  const { db, id, daysAgo } = seeding;
  const { key, title, org = 'acme', type = 'basic', visibility, published, age, claims, structure } = site;
  db.run(
    `INSERT INTO sites (id, org_id, type, title, folded, hostname, basename, proxy, visibility, share_key,
       published, adaptive_content, adaptive_schema, adaptive_schema_updated_at, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[id(`site ${key}`), id(`org ${org}`), type, title, fold(title)],
    ...[site.hostname ?? null, site.basename ?? null, site.proxy ?? null, visibility],
    ...[id(`share key ${key}`), Number(published), Number(claims !== undefined)],
    ...[claims === undefined ? null : schemaOf(claims), claims === undefined ? null : daysAgo(age / 4)],
    daysAgo(age),
  );
  if ('spaces' in structure) {
    addSiteSpaces(seeding, key, null, structure.spaces);
    return;
  }
  for (const [index, part] of structure.entries()) {
    if ('group' in part) addGroup(seeding, key, part, positionAt(index));
    else addSection(seeding, key, part, { groupId: null, position: positionAt(index), first: index === 0 });
  }
}

function addGroup(
  seeding: Seeding,
  key: string,
  { group, icon, sections }: NewGroup,
  position: number,
): void {
  const { db, id } = seeding;
  const groupId = id(`section group ${key} ${group}`);
  db.run(
    'INSERT INTO section_groups (id, site_id, title, icon, position) VALUES (?, ?, ?, ?, ?)',
    ...[groupId, id(`site ${key}`), group, icon ?? null, position],
  );
  for (const [index, section] of sections.entries()) {
    addSection(seeding, key, section, { groupId, position: positionAt(index), first: false });
  }
}

function addSection(
  seeding: Seeding,
  key: string,
  { title, spaces, description, icon, condition }: NewSection,
  place: { groupId: string | null; position: number; first: boolean },
): void {
  const { db, id } = seeding;
  const sectionId = id(`section ${key} ${title}`);
  db.run(
    `INSERT INTO sections (id, site_id, group_id, title, description, path, condition, icon, is_default, position)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[sectionId, id(`site ${key}`), place.groupId, title, description ?? null, slugOf(title, 'section')],
    ...[condition ?? null, icon ?? null, Number(place.first), place.position],
  );
  addSiteSpaces(seeding, key, sectionId, spaces);
}

function addSiteSpaces(
  { db, id }: Seeding,
  key: string,
  sectionId: string | null,
  spaces: readonly string[],
): void {
  for (const [index, space] of spaces.entries()) {
    db.run(
      `INSERT INTO site_spaces (id, site_id, section_id, space_id, path, is_default, position)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...[id(`site space ${key} ${space}`), id(`site ${key}`), sectionId, id(`space ${space}`)],
      ...[slugOf(space, 'space'), Number(index === 0), positionAt(index)],
    );
  }
}

function schemaOf(claims: readonly string[]): string {
  const properties = Object.fromEntries(claims.map((claim) => [claim, { type: 'boolean' }]));
  const unsigned = {
    type: 'object',
    properties: { returning: { type: 'boolean' } },
    additionalProperties: false,
  };
  return JSON.stringify({
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { unsigned, ...properties },
    additionalProperties: false,
  });
}
