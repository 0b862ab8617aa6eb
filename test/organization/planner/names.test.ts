import { describe, expect, it } from 'vitest';
import type { Address } from '../../../src/organization/model.js';
import { valueHash } from '../../../src/organization/value.js';
import { files, lines, lockOf, plan, platform, there, wanted } from './build.js';

const site = there('sites', 's1', { title: 'Docs' });
const section = (id: string, path: string, index: number) =>
  there('sections', id, { title: id, path }, { parent: site, index });
const live = platform([site, section('a', 'one', 0), section('b', 'two', 1), section('c', 'three', 2)]);
const known = lockOf({
  'sites/docs': { id: 's1', applied: {} },
  ...Object.fromEntries(['a', 'b', 'c'].map((id) => [`sections/docs/${id}`, { id, applied: {} }])),
});
const path = (key: string, value: string) =>
  wanted(`sections/docs/${key}` as Address, { path: value }, { parent: 'sites/docs' });
const planned = (a: string, b: string, c: string) =>
  plan(files([wanted('sites/docs'), path('a', a), path('b', b), path('c', c)]), live, known);
const update = (id: string, value: string) =>
  `update sections/${id} PATCH /sites/s1/sections/${id} {"path":"${value}"}`;

describe('a name that no two siblings share', () => {
  it('is freed before it is taken', () => {
    const { drafts, ...rest } = planned('two', 'three', 'four');
    expect(lines({ drafts, ...rest })).toEqual([
      update('c', 'four'),
      update('b', 'three'),
      update('a', 'two'),
    ]);
    expect(drafts.map(({ change }) => change?.after)).toEqual([undefined, [0], [1]]);
  });

  it('goes through a temporary one where two change places', () => {
    const { drafts, ...rest } = planned('two', 'one', 'three');
    expect(lines({ drafts, ...rest })).toEqual([
      update('a', 'one-tmp'),
      update('b', 'one'),
      update('a', 'two'),
    ]);
    expect(drafts.map(({ change }) => change?.after)).toEqual([undefined, [0], [0, 1]]);
    expect(drafts[2]?.fields).toEqual({ path: { before: 'one-tmp', after: 'two' } });
  });

  it('goes through a temporary one where three change places', () => {
    expect(lines(planned('two', 'three', 'one'))).toEqual([
      update('a', 'one-tmp'),
      update('c', 'one'),
      update('b', 'three'),
      update('a', 'two'),
    ]);
  });

  it('that an apply left behind temporarily when it ended early is no conflict', () => {
    const half = platform([site, section('a', 'one-tmp', 0), section('b', 'two', 1)]);
    const applied = (value: string) => ({ path: valueHash(value) });
    const lock = lockOf({
      'sites/docs': { id: 's1', applied: {} },
      'sections/docs/a': { id: 'a', applied: applied('one') },
      'sections/docs/b': { id: 'b', applied: applied('two') },
    });
    const swapped = files([wanted('sites/docs'), path('a', 'two'), path('b', 'one')]);
    expect(lines(plan(swapped, half, lock))).toEqual([update('b', 'one'), update('a', 'two')]);
    const back = files([wanted('sites/docs'), path('a', 'one'), path('b', 'two')]);
    expect(plan(back, half, lock).drafts[0]?.action).toBe('drift');
  });

  it('that another item keeps is a finding', () => {
    const desired = files([wanted('sites/docs'), path('a', 'two')]);
    const { drafts, ...rest } = plan(desired, live, known);
    expect(lines({ drafts, ...rest })).toEqual(['finding sections/a taken']);
    expect(drafts[0]?.finding?.message).toBe(
      'path of sections/docs/a cannot become two: the section b has it.',
    );
  });

  it('waits for the removal of the item that has it', () => {
    const desired = files([wanted('sites/docs'), path('a', 'two'), path('c', 'three')], {
      exact: ['sections'],
    });
    expect(lines(plan(desired, live, known, { prune: true }))).toEqual([
      'delete sections/b DELETE /sites/s1/sections/b',
      update('a', 'two'),
    ]);
  });
});
