import { expect, it } from 'vitest';
import { ClaimSet } from '../../../src/access/adaptive/claims.js';
import type { SectionGroup, SiteSection } from '../../../src/api/resources/sections.js';
import type { SiteSpace } from '../../../src/api/resources/site-spaces.js';
import { hiddenDefaults, type Seen, seenBy, visitorOf } from '../../../src/commands/sites/evaluate.js';

/** What a visitor sees of a site, by sections, groups and spaces. */

const schema = new ClaimSet({
  type: 'object',
  properties: { beta: { type: 'boolean' } },
  additionalProperties: false,
});

const part = (id: string, more: object) => ({ id, title: id, path: id, ...more });
const section = (id: string, more: Partial<SiteSection> = {}): SiteSection => ({
  ...part(id, more),
  ...{ object: 'site-section', title: id, path: id, id, siteSpaces: [] },
});
const space = (id: string, more: Partial<SiteSpace> = {}): SiteSpace => ({
  ...part(id, more),
  ...{ object: 'site-space', title: id, path: id, id },
});
const group = (id: string): SectionGroup => ({ object: 'site-section-group', id, title: id, sections: [] });

async function seen(
  site: { sections?: SiteSection[]; siteSpaces?: SiteSpace[]; groups?: SectionGroup[] },
  claims: Record<string, unknown> = { beta: false },
): Promise<Seen[]> {
  const { visitor } = await visitorOf(claims, schema);
  return seenBy({ schema, visitor, site: { sections: [], siteSpaces: [], groups: [], ...site } });
}

const words = (rows: readonly Seen[]) =>
  rows.map(({ depth, result, id, why }) => `${'  '.repeat(depth)}${result} ${id}${why ? `: ${why}` : ''}`);

const beta = 'visitor.claims.beta';

it('hides the spaces of a hidden section, and a group of hidden sections', async () => {
  const rows = await seen({
    groups: [group('g')],
    sections: [section('a'), section('b', { sectionGroup: 'g', condition: beta })],
    siteSpaces: [
      space('a1', { section: 'a' }),
      space('a2', { section: 'a', condition: beta }),
      space('b1', { section: 'b' }),
    ],
  });
  expect(words(rows)).toEqual([
    'shown a',
    '  shown a1',
    '  hidden a2',
    'hidden g: all its sections are hidden',
    '  hidden b',
    '    hidden b1: its section is hidden',
  ]);
});

it('knows of a space in an unknown section only that it may be hidden', async () => {
  const gone = 'visitor.claims.gone';
  const rows = await seen({
    groups: [group('g')],
    sections: [section('a', { sectionGroup: 'g', condition: gone })],
    siteSpaces: [
      space('a1', { section: 'a' }),
      space('a2', { section: 'a', condition: beta }),
      space('x1', { section: 'unread' }),
    ],
  });
  expect(words(rows)).toEqual([
    'unknown g: whether a section of it is shown is unknown',
    '  unknown a: the schema has no claim gone',
    '    unknown a1: whether its section is shown is unknown',
    '    hidden a2',
    'unknown x1: whether its section is shown is unknown',
  ]);
});

it('tells what is shown first and hidden', async () => {
  const rows = await seen({
    sections: [section('a', { default: true, condition: beta })],
    siteSpaces: [
      space('a1', { section: 'a', default: true }),
      space('s', { default: true, condition: 'x y' }),
    ],
  });
  expect(hiddenDefaults(rows)).toEqual([
    'The default section a (a) is hidden.',
    'Whether the default site space s (s) is shown is unknown.',
  ]);
});

it('tells which claims the schema forbids', async () => {
  const { faults } = await visitorOf({ beta: 'yes', gone: true, unsigned: { x: true } }, schema);
  expect(faults).toEqual([
    'The schema does not allow "yes" for the claim beta.',
    'The schema has no claim gone.',
    'The schema has no claim unsigned.',
  ]);
});
