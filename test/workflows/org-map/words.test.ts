import { expect, test } from 'vitest';
import { factWords } from '../../../src/commands/orgs/map-nodes.js';

test.each([
  [{ published: false }, ['not published']],
  [{ published: true, path: 'docs', default: true }, ['/docs', 'default']],
  [{ visibility: 'public' as const, members: 1, openChangeRequests: 2 }, ['public', '1 person', '2 open']],
  [{ total: 1200, unread: true as const }, ['at least 1,200']],
])('a map says of what has %j', (facts, words) => {
  expect(factWords({ kind: 'site', id: 'w1', title: 'Docs', depth: 1, ...facts })).toEqual(words);
});
