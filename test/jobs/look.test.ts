import { describe, expect, it, test } from 'vitest';
import { updateChangeRequest } from '../../src/api/resources/change-requests.js';
import {
  listChangeRequestCommentReplies,
  listChangeRequestComments,
} from '../../src/api/resources/comments.js';
import { moveSiteSpace } from '../../src/api/resources/site-spaces.js';
import { getSpace } from '../../src/api/resources/spaces.js';
import { DocsError } from '../../src/base/errors.js';
import { type Proof, requestFor } from '../../src/jobs/change.js';
import { expecting, patiently } from '../../src/jobs/late.js';
import { lookBefore } from '../../src/jobs/look.js';
import { prove } from '../../src/jobs/proofs.js';
import type { Reads, Resource } from '../../src/jobs/reads.js';
import { moves } from '../../src/jobs/rules/builders.js';
import { basisOfRequest, requestBasis } from '../../src/jobs/rules/discussions.js';
import { ruleOf } from '../../src/jobs/undo-rules.js';
import { ago, comment, discussion, reply, request, user } from '../change-requests/stale-world.js';

/** What a move of a plan rests on: the order of the siblings that its line names, whatever else they stand among. */

const planned = requestFor(
  moveSiteSpace,
  { organizationId: 'o1', siteId: 's1', siteSpaceId: 'b' },
  { position: { after: { type: 'site-space', siteSpace: 'd' } } },
);

/** @param orders gives the lists of siblings as they are now */
function look(orders: () => Promise<string[][]>) {
  const rule = moves({ read: async () => ({ previous: null }), orders })(moveSiteSpace, () => []);
  return lookBefore({} as Reads, rule, {
    ...{ ...planned, item: 0, operation: 'o1' },
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

/** What archiving a change request rests on: that it, its comments, and their replies are as they were read. */

const own = request();

const answered = comment(80, { replies: 1 });

const answer = reply(79);

const reaction = { emoji: '👍', count: 1, users: [{ user: user('bo'), reactedAt: ago(1) }] };

const before = discussion([answered], [[answered.id, [answer]]]);

const expected = basisOfRequest(own, before);

/** A platform that shows a change request and its discussion. */
function platform(now = own, said = before) {
  const paths: string[] = [];
  const reads = {
    async one() {
      return now;
    },
    async all(op: { id: string }, { path = {} }: { path?: Record<string, string> }) {
      paths.push(op.id);
      return op.id === listChangeRequestComments.id ? said.comments : said.replies.get(path.commentId ?? '');
    },
  };
  return { reads: reads as unknown as Reads, paths };
}

const archiving = requestFor(
  updateChangeRequest,
  { spaceId: 's1', changeRequestId: 'cr1' },
  { status: 'archived' },
);

const lookAt = ({ reads }: ReturnType<typeof platform>, expect = expected) =>
  lookBefore(reads, ruleOf(updateChangeRequest), {
    ...{ ...archiving, item: 0, expect, operation: 'o1' },
  });

describe('archiving a stale change request', () => {
  it('goes on where nothing happened', async () => {
    expect(await lookAt(platform())).toMatchObject({ is: 'to send' });
  });

  it.each([
    ['another revision', request({ revision: 'r2' }), before],
    ['another time of update', request({ updatedAt: ago(1) }), before],
    ['a new comment', own, discussion([answered, comment(1)], [[answered.id, [answer]]])],
    ['a deleted comment', own, discussion()],
    ['an edited comment', own, discussion([{ ...answered, editedAt: ago(1) }], [[answered.id, [answer]]])],
    ['a reaction', own, discussion([{ ...answered, reactions: [reaction] }], [[answered.id, [answer]]])],
    ['a new reply', own, discussion([answered], [[answered.id, [answer, reply(1)]]])],
    [
      'a reaction to a reply',
      own,
      discussion([answered], [[answered.id, [{ ...answer, reactions: [reaction] }]]]),
    ],
  ])('is refused after %s', async (_, now, said) => {
    await expect(lookAt(platform(now, said))).rejects.toMatchObject({ code: 'stale' });
  });

  it('reads replies only where there are some, and nothing more where a plan does not rest on them', async () => {
    const quiet = comment(80);
    const none = platform(own, discussion([quiet]));
    expect(await requestBasis.read(none.reads, archiving.input)).toEqual(
      basisOfRequest(own, discussion([quiet])),
    );
    expect(none.paths).toEqual([listChangeRequestComments.id]);
    const some = platform();
    await requestBasis.read(some.reads, archiving.input);
    expect(some.paths).toEqual([listChangeRequestComments.id, listChangeRequestCommentReplies.id]);
    const status = platform();
    await lookAt(status, { status: 'open' });
    expect(status.paths).toEqual([]);
  });

  it('names the change request and its comments among what a plan reads', () => {
    expect(requestBasis.paths(archiving.input)).toEqual([
      '/v1/spaces/s1/change-requests/cr1',
      '/v1/spaces/s1/change-requests/cr1/comments?status=all&format=markdown',
    ]);
  });
});

const refused = (kind: 'not-found' | 'forbidden' | 'conflict', code: string = kind) =>
  new DocsError(kind, code, 'Refused.', { outcome: 'refused', status: 404 });

/** A piece of work that fails a number of times, and the pauses that were made. */
function world(failures: readonly DocsError[], signal = new AbortController().signal) {
  const pauses: number[] = [];
  let tries = 0;
  const sleep = async (ms: number) => {
    pauses.push(ms);
    signal.throwIfAborted();
  };
  const work = async () => {
    const failure = failures[tries++];
    if (failure !== undefined) throw failure;
    return 'done';
  };
  return { io: { sleep, signal }, work, pauses, tried: () => tries };
}

const line = (waitMs?: number) => ({ id: 's1', ...(waitMs !== undefined && { waitMs }) });

describe('waiting for what the platform shows late', () => {
  it('does not wait where nothing lags', async () => {
    const { io, work, pauses } = world([]);
    expect(await patiently(io, line(60_000), work)).toBe('done');
    expect(pauses).toEqual([]);
  });

  it('repeats after 404 and 403, with pauses that grow to five seconds', async () => {
    const { io, work, pauses } = world([
      ...[refused('not-found'), refused('forbidden'), refused('not-found'), refused('not-found')],
      ...[refused('not-found'), refused('not-found'), refused('not-found')],
    ]);
    expect(await patiently(io, line(60_000), work)).toBe('done');
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
  });

  it('ends once the pauses add up to the limit, and keeps what is known of the refusal', async () => {
    const { io, work, pauses } = world(Array.from({ length: 20 }, () => refused('forbidden')));
    const failure = await patiently(io, line(1000), work).catch((cause: DocsError) => cause);
    expect(failure).toMatchObject({
      kind: 'forbidden',
      code: 'not_available',
      message: 's1 is not available after 1s: Refused',
      failure: { outcome: 'refused', retryable: true },
    });
    expect(pauses).toEqual([250, 500, 250]);
  });

  it.each([refused('conflict'), refused('forbidden', 'policy_denied')])(
    'does not repeat %s',
    async (cause) => {
      const { io, work, tried } = world([cause]);
      await expect(patiently(io, line(1000), work)).rejects.toBe(cause);
      expect(tried()).toBe(1);
    },
  );

  it('tries once without a limit, and ends with the signal', async () => {
    const once = world([refused('not-found')]);
    await expect(patiently(once.io, line(), once.work)).rejects.toMatchObject({ code: 'not-found' });
    const stopped = new AbortController();
    stopped.abort(new DocsError('interrupted', 'interrupted', 'interrupted'));
    const { io, work, tried } = world([refused('not-found')], stopped.signal);
    await expect(patiently(io, line(1000), work)).rejects.toMatchObject({ kind: 'interrupted' });
    expect(tried()).toBe(1);
  });

  it('takes a read that shows nothing for a delay', async () => {
    const states = [null, null, { title: 'A' }];
    const { io, pauses } = world([]);
    const look = async () => states.shift() ?? null;
    expect(await patiently(io, line(5000), look, (found) => found !== null)).toEqual({ title: 'A' });
    expect(pauses).toEqual([250, 500]);
    const reads: Reads = { one: async () => null, all: async () => null };
    expect(expecting(reads, line())).toBe(reads);
    await expect(expecting(reads, line(1)).one(getSpace, {})).rejects.toMatchObject({ kind: 'not-found' });
  });
});

/** What the platform shows, by the path that is read. */
function reads(answers: Readonly<Record<string, unknown>>): Reads {
  const answer = (path: string) => answers[path] ?? null;
  const at = (op: { path: string }, input: { path?: Readonly<Record<string, string>> }) =>
    op.path.replace(/\{(\w+)\}/g, (_, name: string) => input.path?.[name] ?? '').replace(/^\/v1/, '');
  return {
    one: async (op, input) => answer(at(op, input)) as Resource | null,
    all: async (op, input) => answer(at(op, input)) as Resource[] | null,
  };
}

const content = (pages: number, files: number, createdAt = '2026-01-01T00:00:00Z') => ({
  pages: pages === 0 ? [] : [{ id: 'p', pages: Array.from({ length: pages - 1 }, (_, at) => ({ id: at })) }],
  files: Array.from({ length: files }, (_, id) => ({ id })),
  createdAt,
});

const same: Proof = { proof: 'same-content', space: 'a', copy: 'b', planned: { pages: 3, files: 1 } };

const made = { '/spaces/b': { id: 'b', createdAt: '2026-02-01T00:00:00Z' } };

describe('a copy of a space', () => {
  it('has as many pages, those below others too, and files', async () => {
    const whole = { ...made, '/spaces/a/content': content(3, 1), '/spaces/b/content': content(3, 1) };
    await expect(prove(reads(whole), [same])).resolves.toEqual({ verified: true });
  });

  it.each([
    [content(2, 1), 'has 2 pages and 1 file'],
    [content(3, 0), 'has 3 pages and 0 files'],
    [content(4, 1), 'has 4 pages and 1 file'],
    [content(0, 0), 'has 0 pages and 0 files'],
    [undefined, 'space b cannot be read'],
  ])('is not whole otherwise', async (copy, says) => {
    const answers = { ...made, '/spaces/a/content': content(3, 1), '/spaces/b/content': copy };
    await expect(prove(reads(answers), [same])).rejects.toMatchObject({
      kind: 'partial',
      code: 'not_verified',
      message: expect.stringContaining(says),
      failure: { outcome: 'not-sent', retryable: true },
    });
  });

  it('counts against the plan only where the source was edited after it was copied', async () => {
    const later = { ...made, '/spaces/a/content': content(9, 1, '2026-03-01T00:00:00Z') };
    const whole = { ...later, '/spaces/b/content': content(3, 1) };
    await expect(prove(reads(whole), [same])).resolves.toBeDefined();
    const less = { ...later, '/spaces/b/content': content(2, 1) };
    await expect(prove(reads(less), [same])).rejects.toMatchObject({ code: 'not_verified' });
    const before = { ...whole, '/spaces/a/content': content(9, 1) };
    await expect(prove(reads(before), [same])).rejects.toMatchObject({ code: 'not_verified' });
  });
});

const placed: Proof = {
  ...{ proof: 'on-site', organizationId: 'o', siteId: 'w', siteSpaces: ['x', 'y'], section: 's' },
  ...{ urls: true, published: true },
};

const site = '/orgs/o/sites/w';

const siteSpace = (id: string, more: object = {}) => ({
  ...{ id, section: 's', urls: { published: `https://example.com/${id}` } },
  ...more,
});

const there = {
  [`${site}/site-spaces`]: [siteSpace('z'), siteSpace('x'), siteSpace('y')],
  [`${site}/sections`]: [{ id: 's' }],
  [`${site}/published`]: { structure: { structure: [{ id: 's', siteSpaces: [{ id: 'x' }, { id: 'y' }] }] } },
};

describe('site spaces', () => {
  it('are on the site, and visitors see them', async () => {
    await expect(prove(reads(there), [placed])).resolves.toBeDefined();
  });

  it.each([
    [{ [`${site}/site-spaces`]: [siteSpace('x')] }, 'y is not in the list'],
    [{ [`${site}/site-spaces`]: null }, 'x is not in the list'],
    [{ [`${site}/site-spaces`]: [siteSpace('y'), siteSpace('x')] }, 'in another order'],
    [{ [`${site}/site-spaces`]: [siteSpace('x', { section: 't' }), siteSpace('y')] }, 'in another section'],
    [{ [`${site}/site-spaces`]: [siteSpace('x', { urls: {} }), siteSpace('y')] }, 'no published address'],
    [{ [`${site}/sections`]: [] }, 'section s is not on the site'],
    [{ [`${site}/published`]: null }, 'does not answer the published structure'],
    [{ [`${site}/published`]: { structure: 'odd' } }, 'x is not in the published structure'],
    [{ [`${site}/published`]: {} }, 'x is not in the published structure'],
    [
      { [`${site}/published`]: { structure: { structure: [null, 1] } } },
      'x is not in the published structure',
    ],
  ])('are not verified where %j', async (other, says) => {
    await expect(prove(reads({ ...there, ...other }), [placed])).rejects.toMatchObject({
      message: expect.stringContaining(says),
    });
  });

  it('need no address where the site has none', async () => {
    const bare = { [`${site}/site-spaces`]: [siteSpace('x', { urls: {} }), siteSpace('y', { urls: {} })] };
    const unpublished = { ...placed, urls: false, published: false };
    await expect(prove(reads({ ...there, ...bare }), [unpublished])).resolves.toBeDefined();
  });
});
