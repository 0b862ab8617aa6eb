import { describe, expect, it } from 'vitest';
import { type Proof, prove } from '../../src/jobs/proofs.js';
import type { Reads, Resource } from '../../src/jobs/request.js';

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
