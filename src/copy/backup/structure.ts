import type { AdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import type { Collection } from '../../api/resources/collections.js';
import type { CustomField } from '../../api/resources/custom-fields.js';
import type { OpenApiSpec } from '../../api/resources/openapi.js';
import type { OpenApiVersion, OpenApiVersionContent } from '../../api/resources/openapi-versions.js';
import type { Site } from '../../api/resources/sites.js';
import type { TranslationSettings } from '../../api/resources/translations.js';
import {
  putCustomField,
  putSpec,
  putSpecContent,
  putSpecVersions,
  putTranslation,
} from '../../sandbox/copy/organization.js';
import {
  putAdaptiveSchema,
  putCollection,
  putOrder,
  putSite,
  putSiteTree,
  type SiteTree,
} from '../../sandbox/copy/spaces.js';
import { allItems } from '../../snapshot/lists.js';
import type { FileEntry } from '../../workflows/backup/folder/manifest.js';
import type { Filling } from './parts.js';

/** Collections, in their order: the list has each before its children. */
export async function fillCollections({ db, orgId, top, gaps }: Filling): Promise<void> {
  let lost = 0;
  const ids = new Set<string>();
  for await (const collection of top.items<Collection>(top.find('collections'))) {
    const { id, parent } = collection;
    if (parent !== undefined && !ids.has(parent)) lost += 1;
    ids.add(id);
    putCollection(db, { ...collection, organization: orgId });
  }
  if (lost > 0) gaps.push(`At the top level, since their parent is not in the backup: ${lost} collections.`);
}

/** What needs nothing else: fields, translations, specs. */
export async function fillSettings({ db, orgId, top }: Filling): Promise<void> {
  for await (const field of top.items<CustomField>(top.find('custom-fields')))
    putCustomField(db, orgId, field);
  for await (const settings of top.items<TranslationSettings>(top.find('translations')))
    putTranslation(db, orgId, settings);
  for (const entry of top.all('openapi-spec')) {
    const spec = await top.json<OpenApiSpec>(entry);
    if (spec === undefined) continue;
    putSpec(db, orgId, spec);
    const versions = await allItems(top.items<OpenApiVersion>(top.find('openapi-versions', spec.id)));
    putSpecVersions(db, spec.id, versions);
    const content = await top.json<OpenApiVersionContent>(top.find('openapi-content', spec.id));
    if (content !== undefined) putSpecContent(db, spec.id, content);
    putSpec(db, orgId, spec);
  }
}

/** The order of the spaces of each collection. Put the spaces first. */
export async function fillOrders({ db, top, gaps }: Filling): Promise<void> {
  const entry = top.find('orders');
  if (entry === undefined && db.get('SELECT 1 FROM collections') !== undefined)
    gaps.push('The backup has no order of spaces in collections; the copy has them by their ids.');
  for await (const { collection, items } of top.items<{ collection: string; items: string[] }>(entry))
    putOrder(db, collection, items);
}

/** Sites with all they are made of. Put the spaces first. */
export async function fillSites(filling: Filling): Promise<void> {
  for (const entry of filling.top.all('site')) {
    await fillSite(filling, entry);
    filling.signal.throwIfAborted();
  }
}

async function fillSite({ db, orgId, top, gaps }: Filling, entry: FileEntry): Promise<void> {
  const site = await top.json<Site>(entry);
  if (site === undefined) return;
  const { id, title } = site;
  putSite(db, orgId, site);
  const listOf = <T>(kind: string) => allItems(top.items<T>(top.find(kind, id)));
  const left = putSiteTree(db, id, {
    groups: await listOf<SiteTree['groups'][number]>('section-groups'),
    sections: await listOf<SiteTree['sections'][number]>('sections'),
    siteSpaces: await listOf<SiteTree['siteSpaces'][number]>('site-spaces'),
  });
  if (left.length > 0) {
    const titles = left.map((item) => item.title).join(', ');
    gaps.push(`Left out of site ${title}, since their space is not in the backup: ${titles}.`);
  }
  const schema = await top.json<AdaptiveSchema>(top.find('adaptive-schema', id));
  if (schema !== undefined) putAdaptiveSchema(db, id, schema);
  putSite(db, orgId, site);
}
