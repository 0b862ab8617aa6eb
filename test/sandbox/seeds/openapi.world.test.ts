import { afterEach, beforeEach, expect, test } from 'vitest';
import { listOpenApiSpecs } from '../../../src/api/resources/openapi.js';
import { getOpenApiContent, listOpenApiVersions } from '../../../src/api/resources/openapi-versions.js';
import { listSamlProviders } from '../../../src/api/resources/saml.js';
import { listTranslations } from '../../../src/api/resources/translations.js';
import { type Client, openSandbox, type TestSandbox } from '../client.js';

let sandbox: TestSandbox;
let admin: Client;
let organizationId: string;

beforeEach(async () => {
  sandbox = await openSandbox({ seed: 'acme' });
  admin = sandbox.as('admin');
  organizationId = sandbox.defaults.org;
});
afterEach(() => sandbox.close());

test('acme has eight specs with their versions; the last run of three failed', async () => {
  const specs = await admin.all(listOpenApiSpecs, { path: { organizationId } });
  const counts = specs.map(async ({ slug, lastVersion, lastProcessErrorCode = null }) => {
    const path = { organizationId, specSlug: slug };
    const { items, count } = await admin.ok(listOpenApiVersions, { path });
    expect(items[0]?.id).toBe(lastVersion);
    const times = items.map(({ createdAt }) => createdAt ?? '');
    expect(times).toEqual([...times].sort().reverse());
    for (const { id } of items) {
      const { filesystem } = await admin.ok(getOpenApiContent, { path: { ...path, versionId: id } });
      expect(filesystem['openapi.json']).toHaveProperty('openapi', '3.1.0');
    }
    return [slug, count, lastProcessErrorCode];
  });
  expect(await Promise.all(counts)).toEqual([
    ['public-api', 2, null],
    ['billing', 5, null],
    ['search', 2, null],
    ['identity', 2, null],
    ['webhooks', 1, null],
    ['shipping', 2, 'FETCH_TIMEOUT'],
    ['reports', 1, 'PARSE_ERROR'],
    ['legacy-crm', 0, 'FETCH_ERROR'],
  ]);
});

test('acme has three SAML providers and four translation settings', async () => {
  const providers = await admin.all(listSamlProviders, { path: { organizationId } });
  expect(providers.map(({ label, defaultTeam }) => [label, defaultTeam?.title])).toEqual([
    ['Acme Staff', 'Writers'],
    ['Partners', 'Support'],
    ['Contractors', undefined],
  ]);
  const settings = await admin.all(listTranslations, { path: { organizationId } });
  expect(settings.map(({ title, languages }) => [title, languages.length])).toEqual([
    ['Product docs', 3],
    ['Help Center, Asia', 3],
    ['Policies', 5],
    ['Release notes', 0],
  ]);
});
