import { seedId } from '../client.js';
import { type ContentPlatform, openContentPlatform } from '../content/content-folder.js';
import * as ops from '../operations.js';

export type Source = { url: string } | { text: string };

export const organizationId: string = seedId('org acme');
/** The path of a spec. */
export const spec = (specSlug: string) => ({ organizationId, specSlug });
/** What ends as soon as a specification, and costs no check against a schema. */
export const broken = { text: 'no spec' };

/** A sandbox with a content folder, seen from its OpenAPI specs. */
export async function openSpecWorld() {
  const sandbox: ContentPlatform = await openContentPlatform();
  const { admin, outside } = sandbox;
  return {
    ...sandbox,
    get: (slug: string) => admin.ok(ops.getOpenApiSpec, { path: spec(slug) }),
    create: (slug: string, source: Source) =>
      admin.ok(ops.createOpenApiSpec, { path: { organizationId }, body: { slug, source } }),
    set: (slug: string, source: Source) =>
      admin.ok(ops.setOpenApiSpec, { path: spec(slug), body: { source } }),
    versions: async (slug: string) => (await admin.ok(ops.listOpenApiVersions, { path: spec(slug) })).items,
    pass(ms: number) {
      outside.ms += ms;
    },
  };
}
