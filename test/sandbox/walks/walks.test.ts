import { expect, test } from 'vitest';
import { lists } from './lists.js';
import { holdWalks, pageOperations } from './walk.js';

test('the lists walked here are those of the platform', () => {
  expect(Object.keys(lists).sort()).toEqual(pageOperations.map(({ id }) => id).sort());
});

holdWalks(1);
