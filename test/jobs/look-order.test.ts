import { expect, test } from 'vitest';
import { moveSiteSpace } from '../../src/api/resources/site-spaces.js';
import { DocsError } from '../../src/base/errors.js';
import { lookBefore } from '../../src/jobs/look.js';
import { type Reads, requestFor } from '../../src/jobs/request.js';
import { moves } from '../../src/jobs/rules/builders.js';

/** What a move of a plan rests on: the order of the siblings that its line names, whatever else they stand among. */

const planned = requestFor(
  moveSiteSpace,
  { organizationId: 'o1', siteId: 's1', siteSpaceId: 'b' },
  { position: { after: { type: 'site-space', siteSpace: 'd' } } },
);

/** @param orders gives the lists of siblings as they are now */
function look(orders: () => Promise<string[][]>) {
  const rule = moves({ read: async () => ({ previous: null }), orders })(moveSiteSpace);
  return lookBefore({} as Reads, rule, {
    ...{ item: 0, is: 'planned', id: 'b', op: planned.op.id, input: planned.input, operation: 'o1' },
    order: [
      { of: 'b', ids: ['a', 'b', 'c'] },
      { of: 'd', ids: ['d', 'e'] },
    ],
  });
}

test.each<[string, string[][]]>([
  ['they stand as they did', [['a', 'b', 'c', 'd', 'e']]],
  ['something came between', [['a', 'x', 'b', 'c', 'd', 'y', 'e']]],
  ['a neighbour is gone', [['b', 'c', 'd', 'e']]],
])('is sent where %s', async (_, now) => {
  expect(await look(async () => now)).toMatchObject({ is: 'to send' });
});

test.each<[string, string[][], unknown]>([
  ['what it moves was moved', [['b', 'a', 'c', 'd', 'e']], { was: ['a', 'b', 'c'], is: ['b', 'a', 'c'] }],
  ['what it goes beside was moved', [['a', 'b', 'c', 'e', 'd']], { was: ['d', 'e'], is: ['e', 'd'] }],
  ['what it goes beside is gone', [['a', 'b', 'c', 'e']], { was: ['d', 'e'], is: [] }],
  ['a neighbour is elsewhere', [['b', 'c', 'd', 'e'], ['a']], { was: ['a', 'b', 'c'], is: ['b', 'c'] }],
])('is stale where %s', async (_, now, changed) => {
  const field = { field: 'order', ...(changed as object) };
  await expect(look(async () => now)).rejects.toMatchObject({
    code: 'stale',
    failure: { details: { changed: [field] } },
  });
});

test('is stale where the siblings cannot be read', async () => {
  const refused = look(async () => {
    throw new DocsError('forbidden', 'forbidden', 'No.');
  });
  await expect(refused).rejects.toMatchObject({ code: 'stale', failure: { details: { changed: [] } } });
});
