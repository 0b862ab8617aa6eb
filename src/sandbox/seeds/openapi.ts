import { insert } from '../store/sql.js';
import type { ResourceSeed, Seeding } from './seed.js';

interface NewSpec {
  slug: string;
  title: string;
  /** Days before now of each version, the first one first. */
  versions: readonly number[];
  resources: readonly string[];
  /** Error of the last run, one day before now. */
  error?: 'FETCH_TIMEOUT' | 'FETCH_ERROR' | 'PARSE_ERROR';
  text?: boolean;
}

const publicApi: NewSpec = {
  slug: 'public-api',
  title: 'Acme Public API',
  versions: [200, 30],
  resources: ['orders', 'customers', 'invoices'],
};

const others: readonly NewSpec[] = [
  { slug: 'billing', title: 'Billing', versions: [180, 150, 90, 45, 4], resources: ['invoices', 'payments'] },
  { slug: 'search', title: 'Search', versions: [160, 80], resources: ['queries', 'indexes'] },
  { slug: 'identity', title: 'Identity', versions: [140, 20], resources: ['users', 'sessions', 'keys'] },
  { slug: 'webhooks', title: 'Webhooks', versions: [75], resources: ['hooks', 'deliveries'], text: true },
  { slug: 'shipping', title: 'Shipping', versions: [60, 40], resources: ['parcels'], error: 'FETCH_TIMEOUT' },
  { slug: 'legacy-crm', title: 'Legacy CRM', versions: [], resources: [], error: 'FETCH_ERROR' },
  { slug: 'reports', title: 'Reports', versions: [50], resources: ['reports'], error: 'PARSE_ERROR' },
];

/** One spec with two versions in `tiny`, eight in `acme`, three of which failed last. */
export const openapi: ResourceSeed = {
  name: 'openapi',
  tiny: (seeding) => addSpec(seeding, publicApi),
  acme: (seeding) => {
    for (const spec of [publicApi, ...others]) addSpec(seeding, spec);
  },
};

function addSpec(seeding: Seeding, spec: NewSpec): void {
  const { db, id, daysAgo } = seeding;
  const { slug, versions, error, text } = spec;
  const days = [...versions, ...(error === undefined ? [] : [1])];
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  insert(db, 'openapi_specs', {
    id: id(`spec ${slug}`),
    org_id: id('org acme'),
    slug,
    state: 'complete',
    error,
    source_url: text ? null : `https://api.acme.example/${slug}/openapi.json`,
    created_at: daysAgo(first) - 3000,
    updated_at: daysAgo(last) - 3000,
    processed_at: daysAgo(last),
  });
  for (const [index, day] of versions.entries()) {
    const number = index + 1;
    insert(db, 'openapi_versions', {
      id: id(`spec ${slug} version ${number}`),
      spec_id: id(`spec ${slug}`),
      number,
      ...{
        file: 'openapi.json',
        document: JSON.stringify(documentOf(spec, number)),
        created_at: daysAgo(day),
      },
    });
  }
}

/** All versions but the last lack the last resource. */
function documentOf({ title, versions, resources }: NewSpec, number: number): object {
  const shown =
    number === versions.length ? resources : resources.slice(0, Math.max(1, resources.length - 1));
  return {
    openapi: '3.1.0',
    info: { title, version: `1.${number - 1}.0` },
    servers: [{ url: 'https://api.acme.example' }],
    paths: Object.fromEntries(shown.map((name) => [`/${name}`, { get: listing(name) }])),
  };
}

function listing(name: string): object {
  const items = { type: 'array', items: { type: 'object' } };
  return {
    operationId: `list-${name}`,
    summary: `List ${name}`,
    responses: { 200: { description: 'OK', content: { 'application/json': { schema: items } } } },
  };
}
