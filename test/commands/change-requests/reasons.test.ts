import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Known,
  type Reason,
  reasonsFor,
  type Thread,
  unansweredBy,
} from '../../../src/change-requests/inbox.js';
import { inboxReasons } from '../../../src/output/printed-shapes.js';
import { runs } from '../../runs.js';

const user = (id: string) => ({ object: 'user' as const, id, displayName: id, urls: { location: '' } });

interface Case {
  by?: string | undefined;
  status?: string;
  outdated?: boolean;
  comments?: number;
  threads?: Thread[] | undefined;
  mayMerge?: boolean | undefined;
}

const known = ({ by, status = 'open', outdated = false, threads, mayMerge, ...rest }: Case): Known => ({
  request: {
    status,
    outdated,
    comments: rest.comments ?? threads?.length ?? 0,
    ...(by !== undefined && { createdBy: user(by) }),
  },
  threads,
  mayMerge,
});

describe('what waits for me', () => {
  test.each<[string, Case, Reason[]]>([
    ['mine, open, nothing to do', { by: 'me' }, []],
    ['mine, and I may merge it', { by: 'me', mayMerge: true }, ['ready']],
    ['mine, with a comment of mine', { by: 'me', mayMerge: true, threads: [['me']] }, []],
    ['mine, with a comment of another', { by: 'me', threads: [['you']] }, ['unanswered']],
    ['mine, and I answered', { by: 'me', threads: [['you', 'me']] }, []],
    ['mine, and they answered again', { by: 'me', threads: [['you', 'me', 'you']] }, ['unanswered']],
    ['mine, last word by nobody known', { by: 'me', threads: [['me', undefined]] }, ['unanswered']],
    ['mine and behind', { by: 'me', outdated: true, mayMerge: true }, ['outdated']],
    ['my draft', { by: 'me', status: 'draft', mayMerge: true }, ['draft']],
    ['my draft, behind', { by: 'me', status: 'draft', outdated: true }, ['outdated', 'draft']],
    ['another’s, which I may merge', { by: 'you', mayMerge: true }, ['to-review']],
    ['another’s, behind, which I may merge', { by: 'you', outdated: true, mayMerge: true }, ['to-review']],
    ['another’s, which I may not merge', { by: 'you', mayMerge: false }, []],
    ['another’s, where that is not known', { by: 'you' }, []],
    ['another’s draft', { by: 'you', status: 'draft', mayMerge: true }, []],
    ['another’s, with comments of others', { by: 'you', threads: [['you', 'she']] }, []],
    ['another’s, who answered me', { by: 'you', threads: [['me', 'you']] }, ['unanswered']],
    ['another’s, where I joined in', { by: 'you', threads: [['she', 'me', 'you']] }, ['unanswered']],
    ['by nobody known, which I may merge', { mayMerge: true }, ['to-review']],
    ['mine, comments not read', { by: 'me', comments: 2, mayMerge: true }, []],
    ['mine, merged meanwhile', { by: 'me', status: 'merged', mayMerge: true }, []],
  ])('%s', (_, given, expected) => {
    expect(reasonsFor('me', known(given))).toEqual(expected);
  });
});

const person = fc.constantFrom('me', 'you', 'she', undefined);
const anyKnown = fc
  .record({
    by: person,
    status: fc.constantFrom('open', 'draft', 'archived', 'merged', 'new one'),
    outdated: fc.boolean(),
    comments: fc.nat(3),
    threads: fc.option(fc.array(fc.array(person, { maxLength: 5 }), { maxLength: 4 }), { nil: undefined }),
    mayMerge: fc.option(fc.boolean(), { nil: undefined }),
  })
  .map(known);

test('whatever is known: reasons come in their order, and the last word settles a thread', () => {
  fc.assert(
    fc.property(anyKnown, (one) => {
      const found = reasonsFor('me', one);
      expect(found).toEqual(inboxReasons.filter((reason) => found.includes(reason)));
      expect(found.includes('unanswered')).toBe((unansweredBy('me', one) ?? 0) > 0);
      expect(unansweredBy('me', one) === null).toBe(one.threads === undefined);
      const isMine = one.request.createdBy?.id === 'me';
      for (const own of ['outdated', 'ready', 'draft'] as const)
        if (found.includes(own)) expect(isMine).toBe(true);
      if (found.includes('to-review')) expect([isMine, one.request.status]).toEqual([false, 'open']);
      // Once I answer every thread, none waits for me.
      const answered = { ...one, threads: one.threads?.map((thread) => [...thread, 'me']) };
      expect(reasonsFor('me', answered)).not.toContain('unanswered');
    }),
    { numRuns: runs(200) },
  );
});
