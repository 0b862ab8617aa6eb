import { describe, expect, it } from 'vitest';
import type { Address, DesiredItem } from '../../../src/organization/model.js';
import { files, lines, lockOf, plan, platform, there, wanted } from './build.js';

/** What a site and its sections show first: what the platform would pass over or refuse is told by the plan. */

const root = there('sites', 'w1', { title: 'Docs', default: { $id: 'e1', kind: 'sections' } });
const docs = (shown: Address) => wanted('sites/docs', { title: 'Docs', default: { $ref: shown } });
const full = there('sections', 'e1', { title: 'Full' }, { parent: root });
const bare = there('sections', 'e2', { title: 'Bare' }, { parent: root, index: 1 });
const space = there('spaces', 's1', { title: 'Guide' });
const guide = there('site-spaces', 'x1', { path: 'guide' }, { parent: full, natural: 's1', title: 'Guide' });

const library = wanted('spaces/guide', { title: 'Guide' });
const section = (key: string, fields: Readonly<Record<string, unknown>> = {}) =>
  wanted(
    `sections/docs/${key}`,
    { title: key === 'full' ? 'Full' : 'Bare', ...fields },
    { parent: 'sites/docs' },
  );
const inFull = wanted('site-spaces/docs/guide', {}, { parent: 'sections/docs/full' });
const lock = lockOf({
  'sites/docs': { id: 'w1', applied: {} },
  'sections/docs/full': { id: 'e1', applied: {} },
  'sections/docs/bare': { id: 'e2', applied: {} },
  'site-spaces/docs/guide': { id: 'x1', applied: {} },
});
const live = platform([root, full, bare, guide, space]);
const planned = (...items: readonly DesiredItem[]) => plan(files([library, ...items]), live, lock);

describe('the default of a site', () => {
  it('that is a section without spaces is a finding that says what to do, in every plan', () => {
    const made = planned(docs('sections/docs/bare'), section('full'), section('bare'), inFull);
    expect(lines(made)).toEqual(['finding sites/docs change']);
    expect(made.drafts[0]?.finding).toEqual({
      code: 'change',
      message: 'The section bare has no spaces, and a site opens with a section that has some.',
      hint: 'Add a space to bare in teams.yaml, or write "default: full".',
    });
    expect(made.drafts[0]?.fields).toEqual({ default: { before: 'full', after: 'bare' } });
  });

  it('is set where the section gets a space, or has one that no file names', () => {
    const moved = { ...inFull, parent: 'sections/docs/bare' as const };
    const items = [docs('sections/docs/bare'), section('full'), section('bare')];
    expect(lines(planned(...items, moved)).at(-1)).toContain('PATCH /sites/w1 {"defaultSiteSection":"e2"}');
    const other = there('site-spaces', 'x2', {}, { parent: bare, natural: 's2', title: 'Other' });
    const both = platform([...[...live.items.values()].flat(), other]);
    expect(lines(plan(files([library, ...items, inFull]), both, lock))).toEqual([
      'update sites/docs PATCH /sites/w1 {"defaultSiteSection":"e2"}',
    ]);
  });

  it('may be any section where none has spaces', () => {
    const empty = platform([root, full, bare, space], ['site-spaces']);
    const items = [library, docs('sections/docs/bare'), section('full'), section('bare')];
    expect(lines(plan(files(items), empty, lock))).toEqual([
      'update sites/docs PATCH /sites/w1 {"defaultSiteSection":"e2"}',
    ]);
  });

  it('that is a space in a section is a finding, since the site shows the section', () => {
    const made = planned(docs('site-spaces/docs/guide'), section('full'), section('bare'), inFull);
    expect(lines(made)).toEqual(['finding sites/docs change']);
    expect(made.drafts[0]?.finding?.hint).toBe(
      'Write "default: full" for the site, and "default: guide" in that section, in teams.yaml.',
    );
  });
});

describe('the default of a section', () => {
  it('that is a space of another section is a finding', () => {
    const shown = { default: { $ref: 'site-spaces/docs/guide' } };
    const made = planned(docs('sections/docs/full'), section('full'), section('bare', shown), inFull);
    expect(lines(made)).toEqual(['finding sections/bare change']);
    expect(made.drafts[0]?.finding?.message).toBe(
      'The space guide is not in sections/docs/bare, so it cannot be its default.',
    );
  });

  it('that is a space of its own is set', () => {
    const shown = { default: { $ref: 'site-spaces/docs/guide' } };
    const made = planned(docs('sections/docs/full'), section('full', shown), section('bare'), inFull);
    expect(lines(made)).toEqual([
      'update sections/full PATCH /sites/w1/sections/e1 {"defaultSiteSpace":"x1"}',
    ]);
  });
});
