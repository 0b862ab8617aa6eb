import {
  createOpenApiSpec,
  deleteOpenApiSpec,
  listOpenApiSpecs,
  setOpenApiSpec,
} from '../../api/resources/openapi.js';
import type { Kind } from '../kind.js';
import { fieldsFrom, listed, liveItem } from './declare.js';

/** The source of a spec is a URL or a text; the first of the two. */
const [byUrl] = setOpenApiSpec.body.properties.source.anyOf;

const fields = fieldsFrom(setOpenApiSpec, {
  source: {
    key: 'url',
    schema: byUrl.properties.url,
    required: true,
    show: ({ sourceURL }) => sourceURL,
    send: (url) => ({ source: { url } }),
  },
});
const name = 'openapi';

export const openapi: Kind = {
  name,
  one: 'OpenAPI spec',
  spot: { file: 'openapi.yaml', list: 'specs' },
  parents: ['root'],
  key: { field: 'slug' },
  parameter: 'specSlug',
  fields,
  leftOut: { text: 'the platform does not return the text of a spec; "docs openapi publish" sets it' },
  reads: [listOpenApiSpecs],
  list: (reading) =>
    listed(reading, listOpenApiSpecs, (spec) =>
      liveItem({ name, fields }, spec, { id: spec.slug, natural: spec.slug, title: spec.slug }),
    ),
  create: { op: createOpenApiSpec, id: 'slug', sends: ['slug'], more: ({ key }) => ({ slug: key }) },
  update: setOpenApiSpec,
  remove: deleteOpenApiSpec,
};
