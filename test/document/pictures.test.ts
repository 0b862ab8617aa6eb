import { describe, expect, it } from 'vitest';
import type { ChangedItem, Document, HeatPart, Need, TerminalPart } from '../../src/document/document.js';
import type { TerminalLook } from '../../src/document/lines.js';
import { renderTerminal } from '../../src/document/terminal.js';
import { type Palette, plain } from '../../src/output/colors.js';
import { widthOf } from '../../src/output/text-width.js';
import { samples } from '../reports/samples.js';

/** The pictures of reports on a terminal, without colour: nothing may depend on it. */

const palette: Palette = { good: plain, bad: plain, warn: plain, strong: plain, quiet: plain };
const look = (columns: number, more: Partial<TerminalLook> = {}): TerminalLook => ({
  columns,
  palette,
  ...more,
});
const drawn = (document: Partial<Document<TerminalPart>>, how = look(80)) =>
  renderTerminal({ title: '', parts: [], ...document }, how);
const part = (one: TerminalPart, how = look(80)) =>
  drawn({ parts: [one] }, how)
    .trimEnd()
    .split('\n');

const needs: Need[] = [
  { severity: 'attention', text: 'Stale: 2', command: 'docs cr stale --list' },
  { severity: 'irreversible', text: 'space Guide was removed', command: 'docs backup restore a' },
];

const heat: HeatPart = {
  ...{ kind: 'heat', title: 'Roles', axes: ['Person', 'Space'], levels: ['none', 'read', 'admin'] },
  rows: ['Ada', 'Bob', 'Cyd', 'Dee'].map((label, at) => ({
    label,
    group: at === 0 ? 'role admin' : 'role read',
  })),
  columns: ['Guide', 'Board'].map((label) => ({ label })),
  cells: Uint8Array.of(2, 2, 1, 0, 1, 0, 1, 2),
  why: Uint16Array.of(0, 0, 0, 0, 0, 0, 0, 1),
  ...{ reasons: ['', 'Granted.'], apart: [1] },
};

const item = (title: string, more: Partial<ChangedItem> = {}): ChangedItem => ({
  ...{ action: 'change', as: 'member', title },
  fields: [{ name: 'role', before: 'read', after: 'comment' }],
  ...more,
});

describe('a document on a terminal', () => {
  const fit = Object.entries(samples()).flatMap(([name, { parts, ...head }]) => {
    const own = parts.flatMap((one): TerminalPart[] => (one.kind === 'graph' ? [] : [one]));
    return [60, 80, 120].map((columns) => ({ name, columns, document: { ...head, needs, parts: own } }));
  });

  it.each(fit)('$name fits $columns columns, and has no control character', ({ columns, document }) => {
    const text = drawn(document, look(columns, { folds: true, nowMs: 0 }));
    const lines = text.split('\n');
    // An address stays whole, so that it can be copied.
    expect(lines.filter((line) => widthOf(line) > columns && !line.includes('https:'))).toEqual([]);
    expect(text).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  });

  it('begins with the answer and what needs its reader, the gravest first, and ends with the sum', () => {
    expect(drawn({ title: 'Changes', headline: '2 changes', needs, sum: '2 changes in all' })).toBe(
      '2 changes\n\n✗ Cannot be undone: space Guide was removed    docs backup restore a\n' +
        '! Stale: 2    docs cr stale --list\n\n2 changes in all\n',
    );
    expect(drawn({ headline: 'All is well', needs: [] })).toBe('All is well\n');
  });

  it('has a command below its line where there is no room beside it', () => {
    expect(drawn({ needs }, look(60))).toContain('was removed\n    docs backup restore a\n');
  });

  it('is plain ASCII where the terminal has nothing else', () => {
    const steps = [{ name: 'grants', value: 'edit', why: 'to a team', decides: true }];
    const text = drawn(
      {
        needs,
        parts: [
          { kind: 'ladder', title: '', steps, verdict: 'edit, by grants' },
          { kind: 'changes', title: '', empty: '', items: [item('Ada', { action: 'move' })] },
          { kind: 'bar', title: 'Roles', segments: [{ label: 'read', count: 3, tone: '' }] },
          {
            kind: 'tiles',
            title: '',
            leads: true,
            tiles: [
              { label: 'a', value: '1' },
              { label: 'b', value: '2' },
            ],
          },
          heat,
        ],
      },
      look(80, { ascii: true }),
    );
    expect(text).toMatch(/^[\n\x20-\x7e]*$/);
    expect(text).toContain('| -> grants  edit  to a team\n` edit, by grants\n');
    expect(text).toContain('  % Ada | role: read -> comment');
  });
});

describe('a grid', () => {
  it('has equal people as one row, and on top whom a grant gives what stands in brackets', () => {
    expect(part(heat)).toEqual([
      expect.stringMatching(/^ +Guide +Board$/),
      'Unlike all others: a grant gives the [role]',
      expect.stringMatching(/^Dee role read +read +\[admin\]$/),
      'Everyone else',
      expect.stringMatching(/^2 people role read +read +–$/),
      expect.stringMatching(/^Ada role admin +admin +admin$/),
    ]);
  });

  it('goes on below itself where the window is too narrow for all columns', () => {
    const lines = part(heat, look(30));
    expect(lines.filter((line) => line.startsWith('Ada'))).toHaveLength(2);
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(44);
  });
});

describe('changes', () => {
  const text = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`);
  const items = [
    ...['Ada', 'Bob', 'Cyd', 'Dee', 'Eve'].map((title) => item(title)),
    item('Fay', { fields: [{ name: 'role', before: 'read', after: 'admin' }] }),
    item('Old', { action: 'remove', as: 'space', severity: 'irreversible', fields: [] }),
    item('FAQ', {
      ...{ as: 'page', place: 'Guide' },
      fields: [{ name: 'markdown', before: text(3), after: [...text(1), 'new', 'newer'] }],
    }),
  ];
  const lines = part({ kind: 'changes', title: 'Differences', items, empty: 'None.' });

  it('have a bar of their marks', () => {
    expect(lines[0]).toBe('~~~~~~~-  ~7 change  -1 remove');
  });

  it('are one line where they are equal', () => {
    expect(lines).toContain('  ~ 5 alike | role: read → comment');
    expect(lines).toContain('      Ada, Bob, Cyd, Dee and 1 more');
    expect(lines).toContain('  ~ Fay     | role: read → admin');
  });

  it('name the places where the same thing changes in many', () => {
    const same = ['Guide', 'FAQ', 'Notes'].map((place) => item('Ada', { as: 'access', place }));
    const told = part({ kind: 'changes', title: 'Differences', items: same, empty: 'None.' });
    expect(told).toContain('      Ada in Guide, FAQ, Notes');
  });

  it('count the lines of long texts, and say what cannot be undone', () => {
    expect(lines).toContain('  ~ Guide/FAQ | 4 ++--  markdown');
    expect(lines).toContain('  - Old | Cannot be undone');
  });
});

describe('equal rows of a table', () => {
  const rows = [...['Ada', 'Bob', 'Cyd'].map((name) => [name, 'read']), ['Dee', 'edit']];
  const columns = ['Person', 'Role'].map((label) => ({ label, as: 'text' as const }));
  const table = { kind: 'table' as const, title: 'People', columns, rows, empty: '' };

  it('are one for a person, and each its own elsewhere', () => {
    expect(part(table, look(80, { folds: true })).slice(1)).toEqual([
      '  Ada and 2 more  read',
      '  Dee             edit',
    ]);
    expect(part(table)).toHaveLength(5);
  });
});

it('tiles stand in rows of as many each, and an arrow leads from one to the next', () => {
  const tiles = ['one', 'two', 'three'].map((label, at) => ({ label, value: `${at}` }));
  expect(part({ kind: 'tiles', title: '', tiles })).toEqual(['0     1     2', 'one   two   three']);
  expect(part({ kind: 'tiles', title: '', leads: true, tiles }, look(12))).toEqual([
    '0   → 1   →',
    'one   two',
    '2',
    'three',
  ]);
});

it('bars stand beside each other where there is room', () => {
  const bar = (title: string) =>
    ({
      kind: 'bar',
      title,
      segments: [
        { label: 'read', count: 4, tone: '' },
        { label: 'edit', count: 1, tone: '' },
      ],
    }) as const;
  const both = (columns: number) => drawn({ parts: [bar('One'), bar('Two')] }, look(columns)).split('\n');
  expect(both(100)[0]).toMatch(/^One {47}Two$/);
  expect(both(80)[0]).toBe('One');
  expect(both(80)[2]).toBe(`  edit  1  ${'█'.repeat(10)}`);
});
