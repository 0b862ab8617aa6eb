import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { cellOf } from '../../src/output/cells.js';
import { createPaint } from '../../src/output/colors.js';
import type { ResolvedColumn } from '../../src/output/columns.js';
import { details } from '../../src/output/details.js';
import type { View } from '../../src/output/printer.js';
import type { Screen } from '../../src/output/table.js';
import { ada, memberView, type PrintOptions, pagesOf, printed, terminal } from './printed.js';

/** Values of a size that nobody reads must not take long to show. */

const column: ResolvedColumn = { path: 'text', label: 'text', keep: true, isId: false };
const odd = '\t\n'.repeat(240_000);

describe('a value of half a million characters', () => {
  it('is cut before it is cleaned, where its cell will be cut', () => {
    for (const text of [odd, [odd], { odd }])
      expect(cellOf({ text }, column, undefined, 100).text).toHaveLength(100);
    expect(cellOf({ text: `  a\n${odd}` }, { ...column, as: 'firstLine' }, undefined, 3).text).toBe('a');
  });

  it('is one line of a table', async () => {
    const item = { id: 'a1', text: `a${odd}` };
    const view = { columns: [{ path: 'id' }, { path: 'text' }], fields: ['id', 'text'] };
    const { stdout } = await printed({ ...terminal, format: 'table' }, (printer) =>
      printer.list(pagesOf([[item]]), view),
    );
    expect(stdout).toBe('ID  TEXT\na1  a…\n');
  });

  it('is shown whole as part of one thing, each line by itself', () => {
    const draw = () => {
      throw new Error('A table for each line takes too long.');
    };
    const paint = createPaint(undefined);
    const screen: Screen = { columns: 80, isTerminal: true, paint, draw, links: false, nowMs: undefined };
    const shown = details({ text: `a${'\n'.repeat(480_000)}b` }, [column], undefined, screen);
    expect(shown).toHaveLength('Text  a\n'.length + 479_999 + '      b\n'.length);
  });
});

const one = (options: PrintOptions, value: unknown, view = memberView) =>
  printed(options, (printer) => printer.one(value, view));

describe('a single resource on a terminal', () => {
  it('shows what the view names first, then the rest, nested parts indented', async () => {
    const member = {
      ...ada,
      lastSeenAt: '2025-06-15T11:00:00Z',
      billing: { interval: 'monthly', trial: { decision: 'downgrade' } },
      permissions: { view: true, edit: true, admin: false },
      tags: ['a', 'b'],
      none: [],
      nothing: null,
    };
    expect(await one(terminal, member)).toEqual({
      stdout: [
        'Name          Ada Lovelace',
        'Email         ada@example.org',
        'Role          admin',
        'Joined        3 days ago (2025-06-12T12:00:00.000Z)',
        'Disabled      no',
        'ID            mbr_ada',
        'User',
        '  ID          usr_ada',
        'Teams         2',
        'Last seen     1 hour ago (2025-06-15T11:00:00Z)',
        'Billing',
        '  Interval    monthly',
        '  Trial',
        '    Decision  downgrade',
        'Permissions   view, edit; not admin',
        'Tags          a, b',
        'None          -',
        'Nothing       -',
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  it('shows an emoji as its character, whichever form the platform gives', async () => {
    const view: View = { columns: [{ path: 'id' }], fields: [], kinds: { emoji: 'emoji' } };
    for (const [emoji, shown] of [
      ['1f4d8', '📘'],
      ['1f468-200d-1f4bb', '👨‍💻'],
      ['📘', '📘'],
      ['d83d', 'd83d'],
      ['1b-5b', '␛['],
    ])
      expect((await one(terminal, { id: 'a', emoji }, view)).stdout).toBe(`ID     a\nEmoji  ${shown}\n`);
  });

  it('wraps long text inside its column and keeps the lines of a text', async () => {
    const { stdout } = await one(
      { ...terminal, columns: 50 },
      { id: 'a', body: `# Title\n\n${'word '.repeat(20)}` },
      { columns: [{ path: 'id' }], fields: [] },
    );
    expect(stdout).toBe(
      [
        'ID    a',
        'Body  # Title',
        '',
        '      word word word word word word word word word',
        '      word word word word word word word word word',
        '      word word',
        '',
      ].join('\n'),
    );
  });

  it('puts values under their labels where there is no room beside them', async () => {
    const { stdout } = await one(
      { ...terminal, columns: 20 },
      { id: 'a', description: 'one two three four five', urls: { app: 'x' } },
      { columns: [{ path: 'id' }], fields: [] },
    );
    expect(stdout).toBe('ID\n  a\nDescription\n  one two three\n  four five\nURLs\n  App\n    x\n');
  });

  it.each([20, 40, 60, 80])('never exceeds %i columns', async (columns) => {
    const value = {
      ...ada,
      text: '日本語'.repeat(40),
      pages: [{ id: 'p1', title: 'Émile '.repeat(20), pages: [{ id: 'p2', title: 'Sub' }] }],
    };
    const { stdout } = await one({ ...terminal, columns }, value);
    for (const line of stdout.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
  });

  it('shows lists of things as a tree of their titles', async () => {
    const value = {
      id: 'sp_1',
      pages: [
        { id: 'p1', title: 'Guide', pages: [{ id: 'p2', title: 'Start' }] },
        { id: 'p3', title: 'API' },
      ],
      values: [{ customField: { name: 'x' }, value: 3 }],
    };
    const { stdout } = await one(terminal, value, { columns: [{ path: 'id' }], fields: [] });
    expect(stdout).toBe(
      [
        'ID      sp_1',
        'Pages   - Guide (p1)',
        '          - Start (p2)',
        '        - API (p3)',
        'Values  - {"customField":{"name":"x"},"value":3}',
        '',
      ].join('\n'),
    );
  });

  it('sanitises labels and values', async () => {
    const value = { id: '\x1b[2J', 'k\x1b]0;x\x07': 'a\u202eb', list: ['\x9b'], body: 'a\r\nb\x00' };
    const { stdout } = await one(terminal, value, { columns: [{ path: 'id' }], fields: [] });
    expect(stdout).toBe('ID       ␛[2J\nK␛]0;x␇  a<U+202E>b\nList     <U+009B>\nBody     a\n         b␀\n');
  });

  it('makes addresses links where the terminal shows them, and leaves other schemes alone', async () => {
    const value = { id: 'a', urls: { app: 'https://app.example.org/é\x1b/x', evil: 'javascript:alert(1)' } };
    const world: PrintOptions = { ...terminal, color: 1, env: { VTE_VERSION: '7600' } };
    const { stdout } = await one(world, value, { columns: [{ path: 'urls.app' }], fields: [] });
    expect(stdout).toContain(
      '\x1b]8;;https://app.example.org/%C3%A9%1B/x\x1b\\https://app.example.org/é␛/x\x1b]8;;\x1b\\',
    );
    expect(stdout).toContain('javascript:alert(1)\n');
    expect(stdout.match(/\x1b\]8;;[^\x1b]/g)).toHaveLength(1);
  });

  it('takes a long text without a space', async () => {
    const { stdout } = await one(
      { ...terminal, columns: 80 },
      { id: 'a', body: '日x'.repeat(1 << 16) },
      { columns: [{ path: 'id' }], fields: [] },
    );
    expect(stdout.replace(/\s|ID|Body/g, '')).toBe(`a${'日x'.repeat(1 << 16)}`);
  });

  it('takes a resource that nests a thousand levels', async () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 1000; level += 1) deep = { a: deep };
    const { stdout } = await one(terminal, { id: 'a', deep }, { columns: [{ path: 'id' }], fields: [] });
    expect(stdout.split('\n')).toHaveLength(1003);
  });
});

describe('a single resource in a pipe', () => {
  it('is one line of the same columns, with whole values', async () => {
    expect(await one({}, ada)).toEqual({
      stdout: 'Ada Lovelace\tada@example.org\tadmin\t2025-06-12T12:00:00.000Z\tfalse\tmbr_ada\n',
      stderr: '',
    });
  });

  it('is a view without colour and ages where a table is asked for', async () => {
    const { stdout } = await one(
      { format: 'table' },
      { id: 'a', createdAt: '2025-06-12T12:00:00Z' },
      { columns: [{ path: 'id' }], fields: [] },
    );
    expect(stdout).toBe('ID       a\nCreated  2025-06-12T12:00:00Z\n');
  });
});

describe('an address', () => {
  const view: View = { columns: [{ path: 'title' }, { path: 'url' }], fields: [] };
  const url = `https://example.org/${'x'.repeat(35)}`;
  const one = async (columns: number) =>
    (await printed({ ...terminal, columns }, (printer) => printer.one({ title: 'Guide', url }, view))).stdout;

  it('stands beside its label where it fits, else below it, whole', async () => {
    expect(await one(80)).toBe(`Title  Guide\nURL    ${url}\n`);
    expect(await one(60)).toBe(`Title  Guide\nURL\n  ${url}\n`);
    expect(await one(40)).toBe(`Title  Guide\nURL    ${url}\n`);
  });
});
