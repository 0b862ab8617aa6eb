import { expect, test } from 'vitest';
import { pathParameters } from '../../../src/api/operation-facts.js';
import { operations } from '../../../src/api/resources/index.js';
import { gaining, grantsNothing } from '../../../src/commands/approve/picture.js';
import { resourceOfBodyField, resourceOfField } from '../../../src/model/resources.js';

/** Whoever signs sees who gains what: of each operation that names people. */

test('each change that names people says what they gain or lose', () => {
  const naming = operations.filter(({ method, path, body }) => {
    const fields = Object.keys(body?.properties ?? {});
    const names = [
      ...pathParameters(path).map((name) => resourceOfField(name)),
      ...fields.map((name) => (name === 'memberships' ? 'member' : resourceOfBodyField(name))),
    ];
    return method !== 'GET' && names.includes('member');
  });
  expect(naming.length).toBeGreaterThan(5);
  const silent = naming.map(({ id }) => id).filter((id) => !(id in gaining) && !grantsNothing.has(id));
  expect(silent).toEqual([]);
  const known = new Set(operations.map(({ id }) => id));
  expect([...Object.keys(gaining), ...grantsNothing].filter((id) => !known.has(id))).toEqual([]);
});
