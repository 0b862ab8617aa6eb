import { getAdaptiveSchema, setAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import { listSections } from '../../api/resources/sections.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { createSite, deleteSite, listSites, updateSite } from '../../api/resources/sites.js';
import { Type } from '../../api/type.js';
import { defined } from '../../defined.js';
import { proxy } from '../../jobs/rules/sites.js';
import type { Cannot, Field, Kind } from '../kind.js';
import { propertiesOf } from './bodies.js';
import { fieldsFrom } from './declare.js';
import { sitesWithInside } from './read-structure.js';

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
      apart: true,
      show: ({ shownFirst }) => shownFirst,
      send: (id, kind) => (kind === 'site-spaces' ? { defaultSiteSpace: id } : { defaultSiteSection: id }),
    },
  }),
  ...fieldsFrom(setAdaptiveSchema, {
    jsonSchema: {
      key: 'schema',
      setBy: { op: setAdaptiveSchema, body: (jsonSchema) => ({ jsonSchema }) },
      apart: true,
      show: ({ adaptiveSchema }) =>
        adaptiveSchema && ((adaptiveSchema as { jsonSchema?: unknown }).jsonSchema ?? null),
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
  leftOut: {
    spaces: 'the structure of the site lists its spaces',
    published: 'no operation of the files publishes a site; docs drift does not show whether it is published',
  },
  reads: [listSites, listSections, listSiteSpaces, getAdaptiveSchema],
  list: (reading) => sitesWithInside(reading, { name, fields }),
  create: { op: createSite },
  update: updateSite,
  remove: deleteSite,
  cannot: {
    'change type': noOtherType,
    'clear schema': { message: 'No operation removes the adaptive schema of a site.' },
    publish: { message: 'No operation publishes a site, so a new one is not published.' },
  },
};
