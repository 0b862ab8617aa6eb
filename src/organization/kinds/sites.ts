import { getAdaptiveSchema, setAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import { listSections } from '../../api/resources/sections.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { createSite, deleteSite, listSites, updateSite } from '../../api/resources/sites.js';
import { Type } from '../../api/type.js';
import { defined } from '../../defined.js';
import type { Resource } from '../../jobs/request.js';
import { proxy } from '../../jobs/rules/sites.js';
import type { Cannot, Field, Kind, LiveReading } from '../kind.js';
import type { LiveReference } from '../model.js';
import { propertiesOf } from './bodies.js';
import { collected, fieldsFrom, liveItem, readFor, referenceTo } from './declare.js';

const noOtherType: Cannot = {
  message: 'No operation changes the type of a site.',
  hint: ({ key }) => `Change the type of ${key} in the app, then run "docs pull".`,
};

const fields: readonly Field[] = [
  ...fieldsFrom(createSite, { type: { fixed: noOtherType.message } }),
  ...fieldsFrom(updateSite, {
    title: {},
    visibility: {},
    basename: { unique: 'organization' },
    adaptiveContent: {
      schema: Type.Boolean(defined({ description: propertiesOf(updateSite).adaptiveContent?.description })),
      show: ({ adaptiveContent }) => (adaptiveContent as { enabled?: boolean } | undefined)?.enabled ?? false,
      send: (enabled) => ({ adaptiveContent: { enabled } }),
    },
    proxy: { unique: 'organization', show: proxy },
    defaultSiteSection: {
      key: 'default',
      refers: 'sections',
      orElse: 'site-spaces',
      sends: ['defaultSiteSpace'],
      last: true,
      show: ({ shownFirst }) => shownFirst,
      send: (id, kind) => (kind === 'site-spaces' ? { defaultSiteSpace: id } : { defaultSiteSection: id }),
    },
  }),
  ...fieldsFrom(setAdaptiveSchema, {
    jsonSchema: {
      key: 'schema',
      setBy: { op: setAdaptiveSchema, body: (jsonSchema) => ({ jsonSchema }) },
      show: ({ adaptiveSchema }) =>
        (adaptiveSchema as { jsonSchema?: unknown } | null | undefined)?.jsonSchema,
      file: ({ key }) => `${key}.schema.json`,
    },
  }),
];
const name = 'sites';

export const sites: Kind = {
  name,
  one: 'site',
  spot: { file: 'sites/*.yaml', under: 'site', children: 'structure' },
  parents: ['root'],
  key: 'own',
  parameter: 'siteId',
  fields,
  leftOut: { spaces: 'spaces stand in the structure of the site' },
  reads: [listSites, listSections, listSiteSpaces, getAdaptiveSchema],
  async *list(reading) {
    const { client, organizationId } = reading;
    const found = await collected(client.call(listSites, { path: { organizationId } }));
    yield* readFor(found, async (site) => [
      liveItem({ name, fields }, { ...site, ...(await inside(reading, site.id)) }),
    ]);
  },
  create: { op: createSite },
  update: updateSite,
  remove: deleteSite,
  cannot: {
    'change type': noOtherType,
    publish: { message: 'No operation publishes a site, so a new one is not published.' },
  },
};

/** What other reads show of a site: its schema, and what it shows first. */
async function inside({ wants, reads, organizationId }: LiveReading, siteId: string): Promise<Resource> {
  const path = { organizationId, siteId };
  const [adaptiveSchema, shownFirst] = await Promise.all([
    wants(name, 'schema') ? reads.one(getAdaptiveSchema, { path }) : undefined,
    wants(name, 'default') ? readShownFirst(reads, path) : undefined,
  ]);
  return defined({ adaptiveSchema, shownFirst });
}

async function readShownFirst(
  reads: LiveReading['reads'],
  path: Record<string, string>,
): Promise<LiveReference | null> {
  const isShown = (one: Resource) => one.default === true;
  const sections = (await reads.all(listSections, { path })) ?? [];
  if (sections.length > 0) return referenceTo('sections', sections.find(isShown)?.id);
  const spaces = (await reads.all(listSiteSpaces, { path })) ?? [];
  return referenceTo('site-spaces', spaces.find(isShown)?.id);
}
