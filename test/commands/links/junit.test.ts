import { expect, test } from 'vitest';
import { junit } from '../../../src/commands/links/reports.js';
import { finding, looked, unread, written } from './a-check.js';

/** Elements in order, each with its attributes; throws where the document is not well-formed. */
function elementsOf(xml: string): { name: string; attributes: Record<string, string> }[] {
  expect(xml).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
  const open: string[] = [];
  const elements: ReturnType<typeof elementsOf> = [];
  const body = xml.replace(/^<\?xml version="1.0" encoding="UTF-8"\?>\n/, '');
  const rest = body.replace(/<(\/?)(\w+)((?: \w+="[^"<]*")*)(\/?)>/g, (_, close, name, attributes, alone) => {
    if (close === '/') {
      if (open.pop() !== name) throw new Error(`</${name}> closes something else`);
      return '';
    }
    const pairs = [...String(attributes).matchAll(/ (\w+)="([^"]*)"/g)];
    elements.push({ name, attributes: Object.fromEntries(pairs.map(([, key, value]) => [key, value])) });
    if (alone !== '/') open.push(name);
    return '';
  });
  expect(open).toEqual([]);
  expect(rest).not.toMatch(/[<>]/);
  expect(xml.match(/&(?!(amp|lt|gt|quot|apos);)/)).toBeNull();
  return elements;
}

test('a suite a space, a failure a finding, and a test that passed where nothing was found', () => {
  const other = { id: 's2', title: 'Other' };
  const xml = written(junit(['broken']), [looked([finding()]), looked([], { space: other })]);
  expect(elementsOf(xml)).toEqual([
    { name: 'testsuites', attributes: { name: 'docs links check' } },
    { name: 'testsuite', attributes: { name: 'Guide', tests: '1', failures: '1', errors: '0' } },
    { name: 'testcase', attributes: { classname: 'Guide / Setup', name: '../gone.md' } },
    { name: 'failure', attributes: { type: 'broken', message: 'broken link: ../gone.md' } },
    { name: 'testsuite', attributes: { name: 'Other', tests: '1', failures: '0', errors: '0' } },
    { name: 'testcase', attributes: { classname: 'Other', name: 'no broken links; 12 links looked at' } },
  ]);
});

test('what was not read is an error of its suite, also where a list of spaces was not read', () => {
  const site = { ...unread, kind: 'site' as const, id: 'w1' };
  const xml = written(junit(['broken']), [
    looked([], { unread: [unread] }),
    looked([finding()], { unread: [site] }),
  ]);
  const elements = elementsOf(xml);
  expect(elements.filter(({ name }) => name === 'error')).toHaveLength(3);
  expect(elements[1]?.attributes).toMatchObject({ tests: '1', failures: '0', errors: '1' });
  expect(elements.at(-1)?.attributes.message).toBe(
    'site Secret &lt;plans&gt; (w1): The platform answered 500.',
  );
});

test('text of others stays text', () => {
  const nasty = `"><failure>&amp; ]]> '\u0000\u001b\ud800\ufffe\n${String.fromCodePoint(0x202e)}`;
  const xml = written(junit(['broken']), [
    looked([finding({ link: nasty, page: { id: nasty, title: nasty } })], {
      space: { id: 's1', title: nasty },
    }),
  ]);
  expect(elementsOf(xml).map(({ name }) => name)).toEqual(['testsuites', 'testsuite', 'testcase', 'failure']);
  expect(xml).toContain('&quot;&gt;&lt;failure&gt;&amp;amp; ]]&gt; &apos;␀␛&lt;U+D800&gt;\ufffd');
});
