import { expect, it } from 'vitest';
import { pathParameters } from '../../src/api/operation.js';
import { operations } from '../../src/api/resources/index.js';
import { knowsPath } from '../../src/copy/needs.js';

it.each(operations.map(({ id, path }) => ({ id, path })))(
  'a copy knows what to read for the path of $id',
  ({ path }) => expect(knowsPath(pathParameters(path))).toBe(true),
);
