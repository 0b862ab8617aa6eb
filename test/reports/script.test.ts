import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Document } from '../../src/document/document.js';
import { clientCode } from '../../src/reports/client-code.js';
import { pageOf } from '../../src/reports/page.js';
import { FakeBox } from './fake-canvas.js';
import { FakeElement, pageGlobals } from './fake-document.js';
import { accessHeat, linkGraph, membersTable } from './samples.js';

/** What the script of a report makes of the data of its page; browser.long.test.ts looks at it in a browser. */

const client = await clientCode();
const darkness = new FakeElement('darkness');

/** Runs the script of a page on the data that `data` holds, and waits until it has made the report. */
async function run(data: string): Promise<FakeElement> {
  const [report, source] = [new FakeElement('main'), new FakeElement('script')];
  source.textContent = data;
  const document = {
    ...pageGlobals.document,
    createElement: (name: string) => new FakeBox(name),
    getElementById: (id: string) => ({ report, data: source })[id] ?? null,
  };
  const window = { ...pageGlobals.window, devicePixelRatio: 1, matchMedia: () => darkness };
  const globals = {
    ...pageGlobals,
    document,
    window,
    ResizeObserver: class {
      observe(): void {}
    },
  };
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  const script = '../../src/reports/client/main.js';
  await import(script);
  await vi.waitFor(() => expect(report.children).not.toEqual([]));
  return report;
}

async function dataOf(parts: Document['parts']): Promise<string> {
  const html = await pageOf({ title: 'Team', about: [], facts: [], parts }, client, 0);
  return /id="data">([\w+/=]*)</.exec(html)?.[1] ?? '';
}

beforeEach(() => {
  vi.resetModules();
  return () => vi.unstubAllGlobals();
});

describe('the script of a page', () => {
  it('shows each part in a section with a name, after contents that lead to each', async () => {
    const parts = [membersTable(3), accessHeat(3, 2), linkGraph(4)];
    const report = await run(await dataOf(parts));
    expect(report.dataset.ready).toBe('');
    const [contents] = report.all('nav', 'aria-label', 'Contents');
    const links = contents
      ?.all('a')
      .map(({ textContent, attributes }) => [textContent, attributes.get('href')]);
    const sections = report.all('section');
    expect(links).toEqual(parts.map(({ title }, at) => [title, `#${sections[at]?.attributes.get('id')}`]));
    for (const section of sections) {
      const [heading] = section.all('h2');
      expect(section.attributes.get('aria-labelledby')).toBe(heading?.attributes.get('id'));
    }
    const [, heat] = sections;
    expect(heat?.all('p', 'class', 'status')[0]?.textContent).toBe('3 × 2');
  });

  it('has no contents where there is one part', async () => {
    const report = await run(await dataOf([membersTable(3)]));
    expect(report.all('section')).toHaveLength(1);
    expect(report.all('nav')).toEqual([]);
  });

  it('says so where its data cannot be read', async () => {
    const report = await run('AAAA');
    const [alert] = report.all('p', 'role', 'alert');
    expect(alert?.textContent).toMatch(
      /^This report cannot be shown: .+\. It needs a browser of 2023 or later\.$/,
    );
    expect(report.dataset.ready).toBeUndefined();
  });
});
