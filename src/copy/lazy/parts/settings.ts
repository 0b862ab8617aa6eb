import { getAdaptiveSchema } from '../../../api/resources/adaptive-schemas.js';
import { listCustomFields } from '../../../api/resources/custom-fields.js';
import { getOpenApiSpec } from '../../../api/resources/openapi.js';
import { listOpenApiVersions, type OpenApiVersion } from '../../../api/resources/openapi-versions.js';
import { listSamlProviders } from '../../../api/resources/saml.js';
import { listSectionGroups } from '../../../api/resources/section-groups.js';
import { listSections } from '../../../api/resources/sections.js';
import { listSiteSpaces } from '../../../api/resources/site-spaces.js';
import { getSite, listSites } from '../../../api/resources/sites.js';
import { listSpaceFields } from '../../../api/resources/space-fields.js';
import { listTranslations } from '../../../api/resources/translations.js';
import { putSpec, putSpecVersions } from '../../../sandbox/copy/openapi.js';
import {
  putCustomField,
  putFieldValues,
  putSamlProvider,
  putTranslation,
} from '../../../sandbox/copy/organization.js';
import { putAdaptiveSchema, putSite, putSiteTree } from '../../../sandbox/copy/sites.js';
import { orHidden } from '../platform-refusal.js';
import type { Loaders } from './part.js';
import { keep } from './structure.js';

/** Fields, sign-in, translations, specs and sites. */
export const settings: Loaders = {
  async fields(loading, organizationId) {
    await loading.need(['org', organizationId]);
    for await (const field of loading.client.call(listCustomFields, { path: { organizationId } }))
      loading.put((db) => putCustomField(db, organizationId, field));
  },

  async 'field-values'(loading, spaceId) {
    await loading.need(['space', spaceId]);
    const sql = 'SELECT org_id FROM spaces WHERE id = ?';
    const org = loading.row<{ org_id: string }>(sql, spaceId)?.org_id ?? '';
    await loading.want(['fields', org]);
    const values = await loading.client.call(listSpaceFields, { path: { spaceId } });
    loading.put((db) => putFieldValues(db, spaceId, values));
  },

  async saml(loading, organizationId) {
    await loading.need(['org', organizationId]);
    for await (const provider of loading.client.call(listSamlProviders, { path: { organizationId } }))
      loading.put((db) => putSamlProvider(db, organizationId, provider));
  },

  async translations(loading, organizationId) {
    await loading.need(['org', organizationId]);
    for await (const one of loading.client.call(listTranslations, { path: { organizationId } }))
      loading.put((db) => putTranslation(db, organizationId, one));
  },

  /** A spec with the names of its versions; their content stays at the platform. */
  async spec(loading, organizationId, specSlug) {
    await loading.need(['org', organizationId]);
    const path = { organizationId, specSlug };
    const spec = await loading.client.call(getOpenApiSpec, { path });
    const versions: OpenApiVersion[] = [];
    for await (const version of loading.client.call(listOpenApiVersions, { path })) versions.push(version);
    loading.put((db) => {
      putSpec(db, organizationId, spec);
      putSpecVersions(db, spec.id, versions);
      putSpec(db, organizationId, spec);
    });
  },

  /** All sites, without what they are made of. */
  async sites(loading, organizationId) {
    await loading.need(['org', organizationId]);
    for await (const site of loading.client.call(listSites, { path: { organizationId } }))
      loading.put((db) => putSite(db, organizationId, site));
  },

  /** A site with all that it is made of. */
  async site(loading, organizationId, siteId) {
    await loading.need(['org', organizationId]);
    const input = { path: { organizationId, siteId } };
    const { client } = loading;
    const site = await client.call(getSite, input);
    const siteSpaces = await allOf(client.call(listSiteSpaces, input));
    const groups = await allOf(client.call(listSectionGroups, input));
    const sections = await allOf(client.call(listSections, input));
    const schema = await orHidden(async () => client.call(getAdaptiveSchema, input));
    for (const { space } of siteSpaces) if (space !== undefined) await keep(loading, space);
    loading.put((db) => {
      putSite(db, organizationId, site);
      const left = putSiteTree(db, siteId, { groups, sections, siteSpaces });
      if (left.length > 0)
        loading.gap(
          `On site ${site.title}, the copy lacks spaces that the token cannot see: ${left.length}.`,
        );
      if (schema !== undefined) putAdaptiveSchema(db, siteId, schema);
      putSite(db, organizationId, site);
    });
    // Once more: their addresses are now those of this site.
    for (const { space } of siteSpaces) if (space !== undefined) await keep(loading, space);
  },
};

async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
