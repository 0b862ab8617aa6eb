import { expect, it } from 'vitest';
import type { FileEntry } from '../../src/backup/manifest.js';
import { type ComparedBackup, diffPage } from '../../src/commands/backup/diff.js';
import { partOf } from '../reports/written.js';

/** What the page of two compared backups says. */

const access: FileEntry = { kind: 'access', path: 'access.json', bytes: 2, sha256: 'x' };
const backup = (name: string, more: Partial<ComparedBackup['manifest']> = {}): ComparedBackup => ({
  name,
  manifest: {
    organization: { id: 'o1', title: 'Acme Docs' },
    platform: 'https://docs.example',
    state: 'whole',
    startedAt: '2026-11-23T04:00:00.000Z',
    finishedAt: '2026-11-23T04:20:39.265Z',
    files: [access],
    ...more,
  },
});

it('has each difference with its place, and its fields before and after', () => {
  const fields = [
    { field: 'role', before: 'read', after: 'edit' },
    { field: 'markdown', before: 'one\ntwo', after: 'one' },
    { field: 'tags', before: ['a'], after: ['a', { id: 'b' }] },
    { field: 'count', before: 1 },
    { field: 'icon', before: null, after: { emoji: 'x' } },
  ];
  const report = diffPage(
    [
      { change: 'changed', kind: 'page', id: 'p1', title: 'FAQ', space: 'Welcome', path: 'a/faq.md', fields },
      { change: 'moved', kind: 'page', id: 'p2', title: 'Help', path: 'b.md', from: 'a.md' },
      { change: 'added', kind: 'team', id: 't1' },
    ],
    [backup('monday'), backup('tuesday')],
  );
  expect(report).toMatchObject({
    title: 'Changes in Acme Docs',
    headline: '3 differences in Acme Docs: 1 added, 1 changed, 1 moved',
    missing: [],
  });
  expect(report.facts?.slice(2)).toEqual([
    ['Earlier backup', 'monday, 2026-11-23 04:20:39 UTC'],
    ['Later backup', 'tuesday, 2026-11-23 04:20:39 UTC'],
  ]);
  expect(partOf(report, 'changes', 'Differences').items).toEqual([
    {
      action: 'change',
      as: 'page',
      title: 'FAQ',
      place: 'Welcome',
      id: 'p1',
      notes: ['Space: Welcome', 'File: a/faq.md'],
      fields: [
        { name: 'role', before: 'read', after: 'edit' },
        { name: 'markdown', before: ['one', 'two'], after: 'one' },
        { name: 'tags', before: ['a'], after: ['a', '{"id":"b"}'] },
        { name: 'count', before: 1, after: null },
        { name: 'icon', before: 'null', after: '{"emoji":"x"}' },
      ],
    },
    {
      action: 'move',
      as: 'page',
      title: 'Help',
      id: 'p2',
      notes: [],
      fields: [{ name: 'path', before: 'a.md', after: 'b.md' }],
    },
    { action: 'add', as: 'team', title: 't1', id: 't1', notes: [], fields: [] },
  ]);
});

it('says what the backups lack', () => {
  const { headline, missing } = diffPage(
    [],
    [backup('monday', { files: [] }), backup('tuesday', { state: 'partial' })],
  );
  expect(headline).toBe('No differences in Acme Docs');
  expect(missing).toEqual([
    'tuesday is partial: missing items are listed as removed, or not at all.',
    'Permissions in spaces are not compared: monday does not have them.',
  ]);
});
