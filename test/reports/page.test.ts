import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { hideValue } from '../../src/base/redaction.js';
import type { Document } from '../../src/document/document.js';
import { type ClientCode, clientCode } from '../../src/reports/client-code.js';
import { pageOf } from '../../src/reports/page.js';
import { accessHeat, hostileTexts, membersTable, samples } from './samples.js';
import { elementsOf, unpacked } from './unpacked.js';

// Made as the build makes it; the tests are told which files it is made of, too.
const client = (await clientCode()) as ClientCode & { inputs: readonly string[] };
const madeAt = Date.parse('2025-06-15T12:00:00Z');
const empty: Document = { title: 'Members', about: [], facts: [], parts: [] };
const page = (report: Partial<Document>) => pageOf({ ...empty, ...report }, client, madeAt);

/** A text as a reader sees it: what could reorder or break a line is visible. */
function seen(text: string): string {
  return text.replace(
    /[\u2028\u202c\u202e]/g,
    (character) => `<U+${character.charCodeAt(0).toString(16).toUpperCase()}>`,
  );
}

describe('the page of a report', () => {
  it('allows nothing but its own script and style, by their hashes', async () => {
    const elements = elementsOf(parse(await page({})));
    const policy = elements.find(({ attributes }) => attributes['http-equiv'] === 'Content-Security-Policy');
    const hash = (text: string | undefined) =>
      `'sha256-${createHash('sha256')
        .update(text ?? '')
        .digest('base64')}'`;
    const scripts = elements.filter(({ name, attributes }) => name === 'script' && !('type' in attributes));
    const styles = elements.filter(({ name }) => name === 'style');
    expect([scripts.length, styles.length]).toEqual([1, 1]);
    expect(policy?.attributes.content).toBe(
      `default-src 'none'; script-src ${hash(scripts[0]?.text)}; style-src ${hash(styles[0]?.text)}; base-uri 'none'; form-action 'none'`,
    );
    expect(scripts[0]?.text).toBe(client.script);
  });

  it('names nothing that a browser would load, and no style or handler in an attribute', async () => {
    const elements = elementsOf(parse(await page(samples().hostile ?? {})));
    const attributes = new Set(elements.flatMap((element) => Object.keys(element.attributes)));
    for (const name of ['src', 'style', 'onerror', 'onload']) expect(attributes).not.toContain(name);
    expect(new Set(elements.map(({ name }) => name))).not.toContain('img');
    for (const { attributes: own } of elements) expect(own.href ?? '#').toMatch(/^#/);
  });

  it.each(hostileTexts)('keeps %j as text in its head', async (text) => {
    const shown = seen(text);
    const elements = elementsOf(
      parse(await page({ title: text, about: [text], missing: [text], facts: [[text, text]] })),
    );
    const texts = (name: string) =>
      elements.filter((element) => element.name === name).map((own) => own.text);
    const [title, heading, label, value] = ['title', 'h1', 'dt', 'dd'].map((name) => texts(name)[0]?.trim());
    for (const found of [title, heading, label, value]) expect(found).toBe(shown.trim());
    expect(texts('p').map((own) => own.trim())).toContain(shown.trim());
    expect(texts('li').map((own) => own.trim())).toContain(shown.trim());
    expect(texts('script')).toHaveLength(1);
  });

  it('lets no text end an attribute, however that is quoted', async () => {
    const html = await page({ title: `' "`, about: [`' "`] });
    expect(html).toContain('<title>&#39; &quot;</title>');
    expect(html).toContain('&#39; &quot;</p>');
  });

  it('holds its parts as elements, with control characters made visible', async () => {
    const { hostile } = samples();
    const { parts } = unpacked(await page({ parts: hostile?.parts ?? [] }));
    const [table] = parts;
    if (table?.kind !== 'table') throw new Error('The first part is a table.');
    expect(table.rows.map(([title]) => title)).toEqual(hostileTexts.map(seen));
    expect(parts.map(({ kind }) => kind)).toEqual(['table', 'tree', 'graph', 'changes', 'heat', 'table']);
  });

  it('holds the bytes of heat maps, with more reasons than a byte counts', async () => {
    const heat = accessHeat(7, 5);
    const why = heat.why.map((_index, at) => at * 1000);
    const { parts } = unpacked(await page({ parts: [{ ...heat, why }, membersTable(2), heat] }));
    expect(parts[0]).toEqual({ ...heat, why });
    expect(parts[2]).toEqual(heat);
  });

  it('packs a map for each place where one is looked up: none for a map without pairs', async () => {
    const heat = accessHeat(3, 2);
    const none = { ...heat, title: 'None', columns: [], cells: new Uint8Array(0), why: new Uint16Array(0) };
    const html = await page({ parts: [none, heat] });
    const places = elementsOf(parse(html)).filter(({ attributes }) => 'data-heat' in attributes);
    expect(places.map(({ attributes }) => attributes['data-heat'])).toEqual([JSON.stringify(heat.axes)]);
    expect(unpacked(html).parts[0]).toMatchObject({ columns: heat.columns, cells: heat.cells });
  });

  it('refuses a heat map whose cells do not fit', async () => {
    await expect(page({ parts: [{ ...accessHeat(3, 3), cells: new Uint8Array(8) }] })).rejects.toThrow(
      'The heat map "Access" needs 9 cells.',
    );
  });

  it('holds nothing secret', async () => {
    hideValue('sbx_hiddenForReports');
    const secret = 'https://example.com/?token=hunter2hunter2 sbx_hiddenForReports';
    const table = { ...membersTable(1), rows: [[secret, secret, secret, [secret], 1, null, true]] };
    const html = await page({ title: secret, about: [secret], facts: [['Address', secret]], parts: [table] });
    const text = html + JSON.stringify(unpacked(html).parts);
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain('sbx_hiddenForReports');
  });

  it('lists the things of a comparison in a tree, below their space, with what is removed first', async () => {
    const item = (action: string, title: string) => ({ action, as: 'page', title, id: title, fields: [] });
    const items = [{ ...item('change', 'FAQ'), place: 'Welcome' }, item('remove', 'Old')];
    const text = await page({
      parts: [{ kind: 'changes', title: 'Differences', items, empty: '', isTree: true }],
    });
    const [nav = ''] = /<nav class="kinds".*?<\/nav>/s.exec(text) ?? [];
    expect(
      nav
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    ).toBe('page 2 - Old Welcome ~ FAQ');
    for (const [, id] of nav.matchAll(/href="#([^"]+)"/g)) expect(text).toContain(`id="${id}"`);
  });

  it('says what it lacks above all else', async () => {
    const html = await page({ missing: ['2 spaces could not be read.'], about: ['Read today.'] });
    expect(html.indexOf('This report is not complete.')).toBeLessThan(html.indexOf('Read today.'));
    expect(html).toContain('<li dir="auto">2 spaces could not be read.</li>');
    expect(await page({})).not.toContain('not complete');
  });
});

describe('what runs in the page', () => {
  it('is smaller than 100 KB, and cannot be cut by the HTML around it', () => {
    expect(client.script.length + client.style.length).toBeLessThan(100_000);
    expect(client.script).toMatch(/^[\t\n\x20-\x7e]+$/);
    expect(client.script).not.toMatch(/<\/script|<!--/i);
    expect(client.style).not.toMatch(/<\/style|url\(|@import/i);
  });

  it('is made of its own code, of types, and of three files on how values are written', () => {
    const ours = client.inputs.filter((path) => !path.includes('node_modules/')).sort();
    const others = ours.filter((path) => !/^src\/(reports|browser)\/client\//.test(path));
    expect(others).toEqual(['base/formula', 'base/invisible', 'output/text'].map((name) => `src/${name}.ts`));
  });

  it('never reads text as HTML or code', () => {
    const folder = 'src/reports/client';
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    expect(files.length).toBeGreaterThan(5);
    for (const file of files)
      expect(readFileSync(join(folder, file), 'utf8')).not.toMatch(
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|srcdoc|\beval\b|new Function|\bfetch\(|XMLHttpRequest|\.html\(/,
      );
  });
});
