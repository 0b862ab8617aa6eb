import { describe, expect, it } from 'vitest';
import type { Fact } from '../../src/document/document.js';
import { renderTerminal } from '../../src/document/terminal.js';
import { widthOf } from '../../src/output/text-width.js';
import { colourless } from './colourless.js';

const text = (columns: number, lines: readonly Fact[]) =>
  renderTerminal({ title: '', parts: [{ kind: 'facts', items: lines }] }, { columns, palette: colourless })
    .split('\n')
    .slice(0, -1);

const lines: Fact[] = [
  {
    label: 'Members',
    value: '400: 7 admin, 28 create, 25 review, 121 edit, 47 comment',
    beside: 'docs members list',
  },
  { label: 'Sites', value: '6, 5 published', beside: 'docs sites list' },
  { label: 'Title', value: '文書の管理と編集の手引き 👩‍💻 for all who write here' },
];

describe('facts', () => {
  it('stand in columns where there is room', () => {
    expect(text(120, lines).slice(0, 2)).toEqual([
      'Members  400: 7 admin, 28 create, 25 review, 121 edit, 47 comment  docs members list',
      'Sites    6, 5 published                                            docs sites list',
    ]);
  });

  it('have what stands beside at the end of a line otherwise, or on the next one', () => {
    expect(text(60, lines).slice(0, 3)).toEqual([
      'Members  400: 7 admin, 28 create, 25 review, 121 edit, 47',
      '         comment                           docs members list',
      'Sites    6, 5 published                      docs sites list',
    ]);
    expect(text(40, lines).slice(0, 4)).toEqual([
      'Members  400: 7 admin, 28 create, 25',
      '         review, 121 edit, 47 comment',
      '                       docs members list',
      'Sites    6, 5 published  docs sites list',
    ]);
  });

  it.each([40, 50, 60, 80, 100, 120, 200])('fit %i columns, and lose nothing', (columns) => {
    const shown = text(columns, lines);
    expect(shown.filter((line) => widthOf(line) > columns)).toEqual([]);
    const words = shown.join(' ').split(/ +/).toSorted();
    const given = lines.flatMap(({ label, value, beside }) =>
      `${label} ${value} ${beside ?? ''}`.trim().split(' '),
    );
    expect(words).toEqual(given.toSorted());
  });

  it('keep a command whole that is longer than the terminal', () => {
    const beside = 'docs cr list --all-spaces --updated-before 60d';
    expect(text(30, [{ label: 'Stale', value: '12', beside }])).toEqual(['Stale  12', beside]);
  });

  it('make control characters visible', () => {
    expect(text(80, [{ label: 'x', value: 'a\x1b[31mb\nc' }])).toEqual(['x  a␛[31mb c']);
  });
});
