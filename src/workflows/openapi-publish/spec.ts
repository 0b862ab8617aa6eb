import type { Client } from '../../api/client.js';
import { getOpenApiSpec, type OpenApiSpec } from '../../api/resources/openapi.js';

/** Where a specification comes from: a URL that the platform reads, or a text that is sent. */
export type SpecSource = { url: string } | { text: string };

/** Which OpenAPI spec, and how errors about it name commands. */
export interface SpecAt {
  client: Client;
  org: string;
  slug: string;
  /** Writes a command of `docs openapi`, for hints. */
  line(...words: string[]): string;
}

/** Reads a spec. @throws DocsError as `Client.call`; `not-found` if there is none */
export function readSpec({ client, org, slug }: SpecAt): Promise<OpenApiSpec> {
  const subject = { what: `OpenAPI spec ${slug}`, listCommand: 'docs openapi list' };
  return client.call(getOpenApiSpec, { path: { organizationId: org, specSlug: slug } }, { subject });
}
