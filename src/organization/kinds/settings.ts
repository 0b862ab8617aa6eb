import {
  createCustomField,
  customFieldTypes,
  listCustomFields,
  updateCustomField,
} from '../../api/resources/custom-fields.js';
import { createOpenApiSpec, listOpenApiSpecs, setOpenApiSpec } from '../../api/resources/openapi.js';
import { getOrg, updateOrg } from '../../api/resources/orgs.js';
import { listTranslations, updateTranslation } from '../../api/resources/translations.js';
import type { Cannot, Kind } from '../kind.js';
import type { Live, LiveItem } from '../model.js';
import { fieldsFrom, listed, liveItem, referenceTo, registered } from './declare.js';

/** What an organization sets and defines: its settings, custom fields, OpenAPI specs, translations. */

const settings = {
  ...registered('organization'),
  fields: fieldsFrom(updateOrg, {
    title: {},
    emailDomains: { set: true },
    hostname: { unique: 'organization' },
    defaultRole: { nullAs: 'guest' },
    defaultContent: {
      key: 'default_site',
      refers: 'sites',
      show: ({ defaultContent }) =>
        referenceTo('sites', (defaultContent as { site?: string } | undefined)?.site),
      send: (site) => ({ defaultContent: site === null ? null : { type: 'site', site } }),
    },
    sso: {},
    ai: {},
    inviteLinks: {},
  }),
};

export const organization: Kind = {
  ...settings,
  spot: { file: 'org.yaml', under: 'organization' },
  parents: ['root'],
  key: 'own',
  leftOut: {
    logo: 'the platform does not return the URL that was set, so the files cannot be compared with it',
  },
  reads: [getOrg],
  async *list({ client, organizationId }) {
    const resource = await client.call(getOrg, { path: { organizationId } });
    yield liveItem(settings, resource, { natural: settings.name });
  },
};

const noOtherType: Cannot = {
  message: 'No operation changes the type of a custom field.',
  hint: ({ key }) => `Keep the type, or add a field under another name in place of ${key}.`,
  more: valuesLost,
};

const types: readonly unknown[] = customFieldTypes;

/** A field of another type that the platform has already is read and compared as it is. */
function noSuchType(type: unknown): Cannot {
  return {
    message: `The platform has no custom fields of the type ${String(type)}.`,
    hint: ({ at }) => `Choose from ${types.join(', ')} in ${at.file}.`,
  };
}

const customField = {
  ...registered('custom-field'),
  fields: [
    ...fieldsFrom(createCustomField, { type: { required: true, fixed: noOtherType.message } }),
    ...fieldsFrom(updateCustomField, { title: {}, description: {}, placeholder: {}, options: {} }),
  ],
};

export const customFields: Kind = {
  ...customField,
  spot: { file: 'fields.yaml', list: 'fields' },
  parents: ['root'],
  key: { field: 'name' },
  reads: [listCustomFields],
  list: (reading) =>
    listed(reading, listCustomFields, (one) =>
      liveItem(customField, one, { id: one.name, natural: one.name, title: one.title ?? '' }),
    ),
  create: {
    op: createCustomField,
    id: 'name',
    sends: ['name'],
    more: ({ key }) => ({ name: key }),
    unless: ({ fields: { type } }) =>
      type === undefined || types.includes(type) ? undefined : noSuchType(type),
  },
  cannot: { 'change type': noOtherType },
};

/** A field of another type would be a new one. Not every space's values may have been read. */
function valuesLost({ items }: Live, { id }: LiveItem): string | undefined {
  const has = ({ fields }: LiveItem) => {
    const value = (fields.fields as Record<string, unknown> | null | undefined)?.[id] ?? '';
    return Array.isArray(value) ? value.length > 0 : value !== '';
  };
  const spaces = items.get('spaces') ?? [];
  const count = spaces.filter(has).length;
  if (count === 0) return undefined;
  const least = spaces.every(({ fields }) => 'fields' in fields) ? '' : 'at least ';
  return `A new one would lose the ${count === 1 ? `value of ${least}1 space` : `values of ${least}${count} spaces`}.`;
}

/** The source of a spec is a URL or a text; the first of the two. */
const [byUrl] = setOpenApiSpec.body.properties.source.anyOf;

const spec = {
  ...registered('openapi-spec'),
  fields: fieldsFrom(setOpenApiSpec, {
    source: {
      key: 'url',
      schema: byUrl.properties.url,
      required: true,
      show: ({ sourceURL }) => sourceURL,
      send: (url) => ({ source: { url } }),
    },
  }),
};

export const openapi: Kind = {
  ...spec,
  spot: { file: 'openapi.yaml', list: 'specs' },
  parents: ['root'],
  key: { field: 'slug' },
  leftOut: { text: 'the platform does not return the text of a spec; "docs openapi publish" sets it' },
  reads: [listOpenApiSpecs],
  list: (reading) =>
    listed(reading, listOpenApiSpecs, (one) =>
      liveItem(spec, one, { id: one.slug, natural: one.slug, title: one.slug }),
    ),
  create: { op: createOpenApiSpec, id: 'slug', sends: ['slug'], more: ({ key }) => ({ slug: key }) },
};

const translation = {
  ...registered('translation'),
  one: 'translation settings',
  fields: fieldsFrom(updateTranslation, { title: { required: true } }),
};

export const translations: Kind = {
  ...translation,
  spot: { file: 'translations.yaml', list: 'translations' },
  parents: ['root'],
  key: 'own',
  leftOut: { languages: 'no operation changes the languages of translation settings' },
  reads: [listTranslations],
  list: (reading) => listed(reading, listTranslations, (one) => liveItem(translation, one)),
};
