import { Chalk } from 'chalk';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import type { View } from '../../src/output/printer.js';
import { fitColumns, loadDraw, type Wish } from '../../src/output/table.js';
import { link } from '../../src/output/terminal.js';
import { safeLine } from '../../src/output/text.js';
import { cut, widthOf } from '../../src/output/text-width.js';
import { anyText } from '../any-text.js';
import { runs } from '../runs.js';
import { ada, memberView, type PrintOptions, pagesOf, printed, taro, terminal } from './printed.js';

const draw = await loadDraw();
const chalk = new Chalk({ level: 1 });

/** Texts whose widths string-width 4, which cli-table3 brings, gets wrong, and others. */
const texts = [
  ...['Ada', 'Émile', 'e\u0301te\u0301', 'Ωμέγα', 'Иван', '…', ''],
  ...['日本 太郎', '한국어', '\u1112\u1161\u11ab', 'ｆｕｌｌ', 'ｶﾞ', 'か\u3099'],
  ...['👩', '👩🏽', '👩‍👩‍👧‍👦', '🧑🏽‍💻', '🏳️‍🌈', '🇩🇪🇯🇵', '1️⃣', '☂️', '❤', '🫠'],
  ...['กำ', 'नमस्ते', 'שָׁלוֹם', 'a\u200bb', 'z\u0300\u0301\u0302\u0303', 'soft\u00adhyphen'],
];
const cellText = fc.oneof(
  fc.array(fc.constantFrom(...texts), { maxLength: 4 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  anyText({ maxLength: 30 }),
);

/** A row between bars: how far the second bar stands from the first is what the column takes. */
const columnOf = (line: string) => stringWidth(line.slice(0, line.lastIndexOf('|')));

describe('a drawn table', () => {
  it.each(texts)('gives a cell of %j its column', (text) => {
    const widths = [14, 1];
    const rows = [text, 'ascii'].map((each) => ({ cells: [cut(each, 14), '|'], widths }));
    expect(draw(rows).split('\n').slice(0, -1).map(columnOf)).toEqual([16, 16]);
  });

  it('has lines of the same width, whatever the cells hold', () => {
    fc.assert(
      fc.property(fc.array(cellText, { minLength: 1 }), fc.integer({ min: 2, max: 30 }), (values, width) => {
        const rows = values.map((value, index) => {
          const text = cut(safeLine(value), width);
          const shown = index % 2 === 0 ? chalk.red(text) : text;
          return { cells: [shown, '|'], widths: [width, 1] };
        });
        const lines = draw(rows).split('\n').slice(0, -1);
        expect(lines).toHaveLength(values.length);
        for (const line of lines) expect(columnOf(line)).toBe(width + 2);
      }),
    );
  });

  it('keeps the cells as they are, colours and links too, and aligns at the right where asked', () => {
    const address = link(chalk.cyan('docs'), "https://example.org/a+b,(c)!$'*?q=ü");
    const rows = [
      { cells: [address, '1'], widths: [6, 4] },
      { cells: [chalk.bold('x'), '1234'], widths: [6, 4] },
      { cells: ['longer', '5'], widths: [8, 4] },
    ];
    expect(draw(rows, ['left', 'right'])).toBe(
      `${address}       1\n${chalk.bold('x')}       1234\nlonger       5\n`,
    );
  });
});

describe('the width of a text', () => {
  it('is that of string-width', () => {
    fc.assert(
      fc.property(cellText, (value) => {
        const text = safeLine(value);
        expect(widthOf(text)).toBe(stringWidth(text));
      }),
    );
    for (let code = 0x20; code < 0xd800; code += 1) {
      const text = safeLine(String.fromCharCode(code));
      if (widthOf(text) !== stringWidth(text)) expect.unreachable(`U+${code.toString(16)}`);
    }
  });
});

/** Which columns a window shows, and how wide. */

const name: Wish = { natural: 24, keep: true, flexible: true };
const id: Wish = { natural: 20, keep: true, flexible: false };
const role: Wish = { natural: 7, keep: false, flexible: false };
const email: Wish = { natural: 30, keep: false, flexible: true };
const count: Wish = { natural: 5, keep: false, flexible: false };

describe('a window', () => {
  it('cuts texts before it gives up what people list for, and gives up the longest of that first', () => {
    const leads = [name, { ...email, lead: true }, count, { ...role, lead: true }, id];
    expect(fitColumns(leads, 80)).toEqual([24, 23, 0, 7, 20]);
    expect(fitColumns(leads, 60)).toEqual([14, 13, 0, 7, 20]);
    expect(fitColumns(leads, 54)).toEqual([23, 0, 0, 7, 20]);
    expect(fitColumns(leads, 34)).toEqual([12, 0, 0, 0, 20]);
  });

  it('that is wide enough shows all as they are', () => {
    expect(fitColumns([name, email, role, id], 200)).toEqual([24, 30, 7, 20]);
  });

  it('gives up a column before one left of it is cut below 40', () => {
    expect(fitColumns([name, email, role, id], 80)).toEqual([24, 30, 0, 20]);
    expect(fitColumns([name, { ...email, natural: 60 }, role, id], 100)).toEqual([24, 43, 7, 20]);
    expect(fitColumns([name, { ...email, natural: 60 }, role, id], 97)).toEqual([24, 40, 7, 20]);
    expect(fitColumns([name, { ...email, natural: 60 }, role, id], 96)).toEqual([24, 48, 0, 20]);
  });

  it('cuts text where nothing right of it is left to give up', () => {
    expect(fitColumns([name, email, role, id], 77)).toEqual([24, 29, 0, 20]);
    expect(fitColumns([name, email, role, id], 64)).toEqual([24, 16, 0, 20]);
  });

  it('gives up columns from the right, and takes back what fits in place of a wide one', () => {
    expect(fitColumns([name, email, role, id], 60)).toEqual([24, 0, 7, 20]);
    expect(fitColumns([name, email, role, count, id], 60)).toEqual([24, 0, 7, 0, 20]);
    expect(fitColumns([name, email, role, count, id], 62)).toEqual([24, 0, 7, 5, 20]);
  });

  it('takes back nothing that is empty', () => {
    expect(fitColumns([name, email, { ...role, empty: true }, id], 60)).toEqual([24, 0, 0, 20]);
  });

  it('keeps what identifies, whatever its width', () => {
    expect(fitColumns([name, email, role, id], 30)).toEqual([8, 0, 0, 20]);
    expect(fitColumns([name, email, role, id], 3)).toEqual([3, 0, 0, 0]);
  });
});

describe('any columns in any window', () => {
  const wish: fc.Arbitrary<Wish> = fc.record({
    natural: fc.integer({ min: 1, max: 90 }),
    keep: fc.boolean(),
    flexible: fc.boolean(),
    empty: fc.boolean(),
  });
  const given = fc.record({
    wishes: fc.array(wish, { maxLength: 12 }),
    available: fc.integer({ min: 1, max: 250 }),
  });
  const always = (holds: (wishes: readonly Wish[], widths: readonly number[], available: number) => void) =>
    fc.assert(
      fc.property(given, ({ wishes, available }) => holds(wishes, fitColumns(wishes, available), available)),
      { numRuns: runs(300) },
    );
  const used = (widths: readonly number[]) => {
    const shown = widths.filter((width) => width > 0);
    return shown.reduce((sum, width) => sum + width, 2 * Math.max(0, shown.length - 1));
  };

  it('are never wider than the window, nor than they need to be', () => {
    always((wishes, widths, available) => {
      expect(widths).toHaveLength(wishes.length);
      expect(used(widths)).toBeLessThanOrEqual(available);
      for (const [index, width] of widths.entries())
        expect(width).toBeLessThanOrEqual(wishes[index]?.natural ?? 0);
    });
  });

  it('are whole where they all fit', () => {
    always((wishes, widths, available) => {
      const natural = wishes.map((one) => one.natural);
      if (used(natural) <= available) expect(widths).toEqual(natural);
    });
  });

  it('are not cut below 40 while one right of them that could be given up is shown', () => {
    always((wishes, widths) => {
      const last = wishes.findLastIndex(({ keep }, index) => !keep && (widths[index] ?? 0) > 0);
      for (const [index, width] of widths.slice(0, Math.max(last, 0)).entries())
        if (width > 0) expect(width).toBeGreaterThanOrEqual(Math.min(wishes[index]?.natural ?? 0, 40));
    });
  });

  it('are whole or given up where a cut value means nothing, but for those that identify', () => {
    always((wishes, widths) => {
      for (const [index, { keep, flexible, natural }] of wishes.entries())
        if (!keep && !flexible) expect([0, natural]).toContain(widths[index]);
    });
  });

  it('are given up only where they do not fit beside those that are shown', () => {
    always((wishes, widths, available) => {
      if (wishes.some(({ keep }, index) => keep && widths[index] === 0)) return;
      for (const [index, { keep, empty, natural }] of wishes.entries()) {
        if (keep || empty === true || widths[index] !== 0) continue;
        const whole = wishes.map((one, at) => (at === index ? natural : widths[at] === 0 ? 0 : one.natural));
        expect(used(whole)).toBeGreaterThan(available);
      }
    });
  });

  it('keep all that identifies, as long as each has four columns', () => {
    always((wishes, widths, available) => {
      const kept = wishes.filter(({ keep }) => keep);
      if (available < kept.length * 6) return;
      for (const [index, { keep }] of wishes.entries()) if (keep) expect(widths[index]).toBeGreaterThan(0);
    });
  });
});

const list = (
  options: PrintOptions,
  pages: readonly (readonly unknown[])[],
  view = memberView,
  count?: number,
) => printed(options, (printer) => printer.list(pagesOf(pages, count), view));

const linesOf = (text: string) => text.split('\n').slice(0, -1);

describe('a table on a terminal', () => {
  it('has a header, ages, yes and no, and aligns wide characters', async () => {
    const output = await list({ ...terminal, columns: 100 }, [[ada, taro]], memberView, 2);
    expect(output).toEqual({
      stdout:
        'NAME          EMAIL             ROLE   JOINED      DISABLED  ID\n' +
        'Ada Lovelace  ada@example.org   admin  3 days ago  no        mbr_ada\n' +
        '日本 太郎     taro@example.org  none   1 year ago  yes       mbr_taro\n',
      stderr: '',
    });
  });

  it('is as wide as 80 columns where the terminal does not tell', async () => {
    const long = { ...ada, user: { ...ada.user, displayName: 'x'.repeat(200) } };
    const { stdout } = await list({ ...terminal, columns: 0 }, [[long]]);
    expect(Math.max(...linesOf(stdout).map((line) => stringWidth(line)))).toBeLessThanOrEqual(80);
    expect(stdout).toContain('xxxxxxxx…');
  });

  it.each([20, 30, 40, 60, 80, 100, 140])(
    'never wraps at %i columns, and always shows name and id',
    async (columns) => {
      const wordy = {
        ...taro,
        user: {
          ...taro.user,
          displayName: 'Émile 🧑🏽‍💻 '.repeat(9),
          email: `${'long'.repeat(20)}@example.org`,
        },
      };
      const { stdout } = await list({ ...terminal, columns }, [[ada, wordy]]);
      const lines = linesOf(stdout);
      expect(lines).toHaveLength(3);
      for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
      expect(lines[0]).toMatch(/^N.*ID$/);
      expect(lines[1]).toMatch(/^Ada.*mbr_ada$/);
      expect(lines[2]).toMatch(/^Ém.*mbr_taro$/);
    },
  );

  it('shows fewer columns when narrow, before text that a person reads is cut', async () => {
    const wide = { ...ada, user: { ...ada.user, displayName: 'Augusta Ada King, Countess of Lovelace' } };
    expect((await list({ ...terminal, columns: 60 }, [[wide]], memberView, 1)).stdout).toBe(
      'NAME                                    ROLE   ID\n' +
        'Augusta Ada King, Countess of Lovelace  admin  mbr_ada\n',
    );
    expect((await list({ ...terminal, columns: 20 }, [[wide]], memberView, 1)).stdout).toBe(
      'NAME         ID\nAugusta Ad…  mbr_ada\n',
    );
  });

  it('shares the room among texts', async () => {
    const view: View = { columns: ['a', 'b', 'c'].map((path) => ({ path })), fields: [] };
    const item = { a: 'a'.repeat(60), b: 'b'.repeat(60), c: 'short' };
    const { stdout } = await list({ ...terminal, columns: 92 }, [[item]], view, 1);
    expect(linesOf(stdout)[1]).toBe(`${'a'.repeat(41)}…  ${'b'.repeat(40)}…  short`);
  });

  it('puts one line into a cell, whatever the text', async () => {
    const item = { ...ada, user: { displayName: 'two\nlines\tand tab', email: '\x1b[31m\u202e\ud800' } };
    const { stdout } = await list({ ...terminal, columns: 120 }, [[item]]);
    expect(linesOf(stdout)[1]).toMatch(/^two lines and tab +␛\[31m<U\+202E><U\+D800> {2}admin/);
  });

  it('gives the pages after the first the same widths', async () => {
    const later = {
      ...ada,
      user: { displayName: 'A name longer than any before it', email: 'b@example.org' },
    };
    const { stdout } = await list({ ...terminal, columns: 100 }, [[ada], [later]]);
    expect(linesOf(stdout)).toEqual([
      'NAME                    EMAIL            ROLE     JOINED          DISABLED  ID',
      'Ada Lovelace            ada@example.org  admin    3 days ago      no        mbr_ada',
      'A name longer than an…  b@example.org    admin    3 days ago      no        mbr_ada',
    ]);
  });

  it('prints an id of a later page whole while the line still fits', async () => {
    const view: View = {
      columns: [{ path: 'id' }, { path: 'status', as: 'state' }, { path: 'why' }],
      fields: [],
    };
    const pages = [[{ id: 'a', status: 'ok' }], [{ id: 'longer-id', status: 'failed', why: 'w'.repeat(90) }]];
    const { stdout } = await list({ ...terminal, columns: 40 }, pages, view);
    expect(linesOf(stdout)).toEqual([
      'ID  STATUS    WHY',
      'a   ok',
      `longer-id  failed    ${'w'.repeat(18)}…`,
    ]);
  });

  it('indents trees, and aligns counts and sizes at the right', async () => {
    const view: View = {
      columns: [
        { path: 'title', indent: 'depth' },
        { path: 'size', as: 'bytes' },
        { path: 'views', as: 'count' },
      ],
      fields: [],
    };
    const items = [
      { title: 'Guide', depth: 0, size: 1_234_567, views: 12_500 },
      { title: 'Start', depth: 1, size: 999, views: 3 },
    ];
    const onTerminal = await list(terminal, [items], view, 2);
    expect(onTerminal.stdout).toBe(
      'TITLE      SIZE   VIEWS\nGuide    1.2 MB  12,500\n  Start   999 B       3\n',
    );
    expect((await list({}, [items], view)).stdout).toBe('Guide\t1234567\t12500\nStart\t999\t3\n');
  });

  it('colours by meaning, and only where colour is on', async () => {
    const view: View = {
      columns: [{ path: 'role' }, { path: 'status' }, { path: 'visibility' }, { path: 'id' }],
      fields: [],
      kinds: { role: 'role', status: 'state', visibility: 'visibility' },
    };
    const items = [
      { role: 'admin', status: 'open', visibility: 'public', id: '1' },
      { role: 'read', status: 'archived', visibility: 'private', id: '2' },
      { role: 'edit', status: 'merged', visibility: 'unlisted', id: '\x1b[31m3' },
    ];
    const plain = (await list(terminal, [items], view, 3)).stdout;
    const coloured = (await list({ ...terminal, color: 1 }, [items], view, 3)).stdout;
    expect(plain).not.toContain('\x1b');
    expect(coloured.replace(/\x1b\[\d+m/g, '')).toBe(plain);
    expect(coloured).toContain('\x1b[32mopen\x1b[39m');
    expect(coloured).toContain('\x1b[31marchived\x1b[39m');
    expect(coloured).toContain('\x1b[35mmerged\x1b[39m');
    expect(coloured).toContain('\x1b[2mprivate\x1b[22m');
    expect(coloured).toContain('␛[31m3');
  });

  it('makes addresses links where the terminal shows them', async () => {
    const view: View = { columns: [{ path: 'id' }, { path: 'urls.app' }], fields: [] };
    const item = { id: 'a', urls: { app: 'https://app.example.org/s/a' } };
    const linked = await list({ ...terminal, color: 1, env: { TERM_PROGRAM: 'WezTerm' } }, [[item]], view);
    expect(linked.stdout).toContain(
      '\x1b]8;;https://app.example.org/s/a\x1b\\https://app.example.org/s/a\x1b]8;;\x1b\\',
    );
    const plain = await list({ ...terminal, color: 1 }, [[item]], view);
    expect(plain.stdout).not.toContain('\x1b]8');
  });

  it('says on stderr that a list is empty, and nothing on stdout', async () => {
    expect(await list(terminal, [[]])).toEqual({ stdout: '', stderr: 'No members.\n' });
    expect(await list({ ...terminal, quiet: true }, [[]])).toEqual({ stdout: '', stderr: '' });
    expect(await list({}, [[]])).toEqual({ stdout: '', stderr: '' });
  });
});

describe('a table in a pipe', () => {
  it('has whole ISO times and no colour', async () => {
    const { stdout } = await list({ format: 'table', env: { COLUMNS: '120' } }, [[ada]]);
    expect(linesOf(stdout)[1]).toBe(
      'Ada Lovelace            ada@example.org  admin    2025-06-12T12:00:00.000Z  no        mbr_ada',
    );
  });
});

describe('headers', () => {
  it('are derived from paths', async () => {
    const headers = {
      ...{ 'user.displayName': 'DISPLAY NAME', 'user.email': 'EMAIL', createdAt: 'CREATED' },
      ...{ photoURL: 'PHOTO URL', 'urls.app': 'APP URL', 'user.id': 'USER ID', entityID: 'ENTITY ID' },
      ...{ 'a.title': 'A TITLE', 'b.title': 'B TITLE' },
    };
    const columns = Object.keys(headers).map((path) => ({ path, keep: true }));
    const { stdout } = await list({ ...terminal, columns: 200 }, [[{ id: 'x' }]], { columns, fields: [] });
    expect(stdout.split('\n')[0]?.split(/ {2,}/)).toEqual(Object.values(headers));
  });
});

describe('columns give way', () => {
  const rows = (items: object[], view: View, columns: number, count = items.length) =>
    list({ ...terminal, columns }, [items], view, count).then(({ stdout }) => linesOf(stdout));
  const id = 'GfFWaJNB1rBeqg3z6nr4';
  const other = 'hZKcaooC5DuUbetz4Kt1';

  it('the empty ones first', async () => {
    const view: View = { columns: ['title', 'why', 'path', 'id'].map((path) => ({ path })), fields: [] };
    const items = [{ title: 'Handbook', path: 'guides/handbook', id }];
    expect(await rows(items, view, 60)).toEqual([
      'TITLE     WHY  PATH             ID',
      `Handbook       guides/handbook  ${id}`,
    ]);
    expect(await rows(items, view, 48)).toEqual([
      'TITLE     PATH             ID',
      `Handbook  guides/handbook  ${id}`,
    ]);
  });

  it('ids of others as a whole, never cut', async () => {
    const view: View = { columns: ['title', 'parent', 'id'].map((path) => ({ path })), fields: [] };
    const items = [{ title: 'A title of some length', parent: other, id }];
    expect(await rows(items, view, 80)).toEqual([
      'TITLE                   PARENT                ID',
      `A title of some length  ${other}  ${id}`,
    ]);
    expect(await rows(items, view, 60)).toEqual([
      'TITLE                   ID',
      `A title of some length  ${id}`,
    ]);
  });

  it('headers where there is a shorter one', async () => {
    const view: View = {
      columns: [{ path: 'title' }, { path: 'changeRequestsOpen', short: 'OPEN CRS' }, { path: 'id' }],
      fields: [],
    };
    expect(await rows([{ title: 'Handbook', changeRequestsOpen: 2, id }], view, 60)).toEqual([
      'TITLE     OPEN CRS  ID',
      `Handbook  2         ${id}`,
    ]);
  });

  it('and keep room for longer titles where a short first page says little', async () => {
    const view: View = { columns: ['title', 'id'].map((path) => ({ path })), fields: [] };
    expect(await rows([{ title: 'Guide', id }], view, 60, 9)).toEqual([
      `${'TITLE'.padEnd(22)}  ID`,
      `${'Guide'.padEnd(22)}  ${id}`,
    ]);
  });

  it('an id is called so, whatever it is the id of', async () => {
    const view: View = {
      columns: [{ path: 'space.title' }, { path: 'space.id' }],
      fields: [],
      id: 'space.id',
    };
    expect(await rows([{ space: { title: 'Guide', id } }], view, 60)).toEqual(['TITLE  ID', `Guide  ${id}`]);
  });
});

describe('ages', () => {
  it('are told by the clock of the platform once it is known', async () => {
    let now = Date.parse('2030-01-01T00:00:00Z');
    async function* pages() {
      now = Date.parse('2026-01-05T09:00:00Z');
      yield { items: [{ id: 'a', updatedAt: '2026-01-04T09:00:00Z' }], count: 1 };
    }
    const { stdout } = await printed({ ...terminal, columns: 60, nowMs: () => now }, (printer) =>
      printer.list(pages(), { columns: [{ path: 'id' }, { path: 'updatedAt' }], fields: [] }),
    );
    expect(linesOf(stdout)[1]).toBe('a   1 day ago');
  });
});
