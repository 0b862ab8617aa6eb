import { expect, test } from 'vitest';
import type { AnyOperation } from '../../../src/api/operation.js';
import { eachTest } from '../each-test.js';
import { openPlatform } from '../in-process.js';
import * as ops from '../operations.js';
import { broken } from './openapi-world.js';

/** In which order lists are; walks have that nothing is lost or repeated. */

const sandbox = eachTest(openPlatform);

test.each<[list: AnyOperation, create: AnyOperation, key: string, more: object, order: string[]]>([
  [ops.listSamlProviders, ops.createSamlProvider, 'label', {}, ['Acme Staff', 'zeta', 'beta']],
  [ops.listTranslations, ops.createTranslation, 'title', {}, ['Product docs', 'zeta', 'beta']],
  [ops.listOpenApiSpecs, ops.createOpenApiSpec, 'slug', { source: broken }, ['public-api', 'zeta', 'beta']],
  [
    ...[ops.listCustomFields, ops.createCustomField],
    ...['name', { type: 'text' }, ['audience', 'beta', 'owner-team', 'review-by', 'topics', 'zeta']],
  ] as [AnyOperation, AnyOperation, string, object, string[]],
])('%#: the oldest first, custom fields by name', async (list, create, key, more, order) => {
  const path = { organizationId: sandbox.organizationId };
  for (const name of ['zeta', 'beta']) {
    sandbox.outside.ms += 1000;
    await sandbox.admin.ok(create, { path, body: { [key]: name, ...more } });
  }
  const items = (await sandbox.admin.all(list, { path })) as Record<string, unknown>[];
  expect(items.map((item) => item[key])).toEqual(order);
});
