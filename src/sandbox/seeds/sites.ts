import { positionAt } from '../positions.js';
import { insert, update } from '../store/sql.js';
import { fold, slugOf } from '../text.js';
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
  icon?: { light: string; dark: string };
  /** Claims of its visitors, for an adaptive schema. */
  claims?: readonly string[];
  age: number;
  /** Sections and groups in order, or the spaces at the root. */
  structure: readonly (NewSection | NewGroup)[] | { spaces: readonly string[] };
}

const docs: NewSite = {
  key: 'docs',
  title: 'Acme Docs',
  type: 'premium',
  visibility: 'public',
  published: true,
  age: 640,
  basename: 'docs',
  hostname: 'docs.acme.example',
  claims: ['beta', 'partner'],
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
    key: 'help',
    title: 'Acme Help Center',
    visibility: 'public',
    published: true,
    age: 520,
    basename: 'help',
    proxy: 'www.acme.example/help',
    icon: {
      light: 'https://www.acme.example/icons/help.png',
      dark: 'https://www.acme.example/icons/help-dark.png',
    },
    structure: {
      spaces: ['customers handbook', 'getting started handbook', 'integrations handbook', 'customers faq'],
    },
  },
  {
    key: 'partners',
    title: 'Partner Portal',
    visibility: 'share-link',
    published: true,
    age: 410,
    type: 'premium',
    basename: 'partners',
    structure: [
      { title: 'Integrate', spaces: ['integrations guide', 'integrations reference'], icon: 'plug' },
      { title: 'Sell', spaces: ['marketing guide', 'campaigns guide'] },
    ],
  },
  {
    key: 'hub',
    title: 'Engineering Hub',
    visibility: 'visitor-auth',
    published: true,
    age: 380,
    type: 'ultimate',
    basename: 'hub',
    claims: ['oncall', 'contractor'],
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
    key: 'people',
    title: 'Working at Acme',
    visibility: 'unlisted',
    published: true,
    age: 250,
    structure: [
      { title: 'First Days', spaces: ['onboarding handbook', 'onboarding guide'] },
      { title: 'Policies', spaces: ['policies handbook', 'people faq'] },
    ],
  },
  {
    key: 'next',
    title: 'Acme Docs Next',
    visibility: 'public',
    published: false,
    age: 40,
    structure: { spaces: ['guide', 'api'] },
  },
  {
    key: 'globex',
    title: 'Globex Manual',
    type: 'sponsored',
    visibility: 'public',
    published: true,
    age: 300,
    org: 'globex',
    basename: 'manual',
    structure: { spaces: ['globex'] },
  },
];

/** One published site in `tiny`, six of Acme and one of Globex in `acme`. */
export const sites: ResourceSeed = {
  name: 'sites',
  tiny: (seeding) => addSite(seeding, docs),
  acme(seeding) {
    for (const site of [docs, ...further]) addSite(seeding, site);
    const { db, id } = seeding;
    update(db, 'organizations', id('org globex'), { default_site: id('site globex') });
  },
};

function addSite(seeding: Seeding, site: NewSite): void {
  const { db, id, daysAgo } = seeding;
  const { key, org = 'acme', published, age, claims, icon, structure, ...rest } = site;
  insert(db, 'sites', {
    id: id(`site ${key}`),
    org_id: id(`org ${org}`),
    ...rest,
    folded: fold(site.title),
    share_key: id(`share key ${key}`),
    published: Number(published),
    icon: icon && JSON.stringify({ icon }),
    created_at: daysAgo(age),
    ...(claims && { adaptive_content: 1, adaptive_schema: schemaOf(key, claims) }),
    ...(claims && { adaptive_schema_updated_at: daysAgo(age / 4) }),
  });
  if ('spaces' in structure) {
    addSiteSpaces(seeding, key, null, structure.spaces);
    return;
  }
  for (const [index, part] of structure.entries()) {
    if ('group' in part) addGroup(seeding, key, part, positionAt(index));
    else addSection(seeding, key, part, { groupId: null, position: positionAt(index), first: index === 0 });
  }
}

function addGroup(seeding: Seeding, key: string, part: NewGroup, position: string): void {
  const { db, id } = seeding;
  const { group: title, icon, sections } = part;
  const groupId = id(`section group ${key} ${title}`);
  insert(db, 'section_groups', { id: groupId, site_id: id(`site ${key}`), title, icon, position });
  for (const [index, section] of sections.entries()) {
    addSection(seeding, key, section, { groupId, position: positionAt(index), first: false });
  }
}

function addSection(
  seeding: Seeding,
  key: string,
  { spaces, ...rest }: NewSection,
  { groupId, position, first }: { groupId: string | null; position: string; first: boolean },
): void {
  const { db, id } = seeding;
  const sectionId = id(`section ${key} ${rest.title}`);
  insert(db, 'sections', {
    id: sectionId,
    site_id: id(`site ${key}`),
    group_id: groupId,
    ...rest,
    path: slugOf(rest.title, 'section'),
    is_default: Number(first),
    position,
  });
  addSiteSpaces(seeding, key, sectionId, spaces);
}

function addSiteSpaces(
  { db, id }: Seeding,
  key: string,
  sectionId: string | null,
  spaces: readonly string[],
): void {
  for (const [index, space] of spaces.entries()) {
    insert(db, 'site_spaces', {
      id: id(`site space ${key} ${space}`),
      site_id: id(`site ${key}`),
      section_id: sectionId,
      space_id: id(`space ${space}`),
      path: slugOf(space, 'space'),
      is_default: Number(index === 0),
      position: positionAt(index),
    });
  }
}

function schemaOf(key: string, claims: readonly string[]): string {
  const object = (properties: object) => ({ type: 'object', properties, additionalProperties: false });
  const unsigned = object({ returning: { type: 'boolean' } });
  const signed = Object.fromEntries(claims.map((claim) => [claim, { type: 'boolean' }]));
  const schema = object({ unsigned, ...signed });
  return JSON.stringify({
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: `https://www.acme.example/visitors/${key}.json`,
    ...schema,
  });
}
