import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Finding, LinkFindings } from '../../../src/access/links/finding.js';
import {
  knownOf,
  type Report,
  readBaseline,
  Tally,
  tallyWords,
  writeBaseline,
} from '../../../src/access/links/link-check.js';
import {
  groupedText,
  junit,
  markdown,
  sarif,
  writeReport,
} from '../../../src/access/links/report-formats.js';
import { DocsError } from '../../../src/base/errors.js';

/** What a run may take out of the baseline, and what it has to leave in. */

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-baseline-'));
  path = join(folder, 'links.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const known = (fingerprint: string, more: Parameters<typeof finding>[0] = {}) =>
  knownOf(finding({ fingerprint, ...more }));
const mapOf = (...all: ReturnType<typeof known>[]) => new Map(all.map((one) => [one.fingerprint, one]));
const broken = { statuses: ['broken'] as const, covers: () => true };

test('a finding a line, by space and page, whatever the order of finding', async () => {
  const found = mapOf(known('b', { space: { id: 's2' } }), known('a'));
  expect(await writeBaseline({}, path, new Map(), found, broken)).toBe(2);
  expect(readFileSync(path, 'utf8')).toBe(`{
  "format": "docs-links-baseline/1",
  "findings": [
    {"fingerprint":"a","status":"broken","space":"s1","page":"p1","link":"../gone.md"},
    {"fingerprint":"b","status":"broken","space":"s2","page":"p1","link":"../gone.md"}
  ]
}
`);
  expect(await readBaseline(path, false)).toEqual(found);
});

test('what is mended goes; spaces and states that were not looked at stay', async () => {
  const old = mapOf(
    known('mended'),
    known('elsewhere', { space: { id: 's2' } }),
    known('in-app', { status: 'in-app' }),
  );
  await writeBaseline({}, path, old, mapOf(known('new')), { ...broken, covers: (space) => space === 's1' });
  expect([...(await readBaseline(path, false)).keys()].sort()).toEqual(['elsewhere', 'in-app', 'new']);
});

test('a file that is not there is empty only where it is to be written', async () => {
  expect(await readBaseline(path, true)).toEqual(new Map());
  await expect(readBaseline(path, false)).rejects.toMatchObject({ kind: 'local-io', code: 'no_such_file' });
});

test.each([
  ['not JSON', '{'],
  ['another format', '{"format":"x","findings":[]}'],
  ['a finding without a fingerprint', '{"format":"docs-links-baseline/1","findings":[{"link":"x"}]}'],
])('%s is refused', async (_, text) => {
  writeFileSync(path, text);
  await expect(readBaseline(path, true)).rejects.toMatchObject({ kind: 'usage', code: 'bad_baseline' });
});

/** A check to make reports of. */

const space = { id: 's1', title: 'Guide' };

function finding(more: Partial<Finding> = {}): Finding {
  return {
    fingerprint: 'f'.repeat(32),
    status: 'broken',
    link: '../gone.md',
    space,
    page: { id: 'p1', title: 'Setup', url: 'https://app.example/s/s1/setup' },
    target: { kind: 'page', url: '../gone.md' },
    ...more,
  };
}

function looked(findings: Finding[], more: Partial<LinkFindings> = {}): LinkFindings {
  return { space, findings, links: 12, unread: [], ...more };
}

const unread = {
  kind: 'space',
  id: 's9',
  title: 'Secret <plans>',
  error: new DocsError('server-error', 'server_error', 'The platform answered 500.', { status: 500 }),
} as const;

/** The whole report of what was looked at. */
function written(report: Report, looks: readonly LinkFindings[]): string {
  const tally = new Tally(false);
  const parts = looks.map((one) => {
    tally.add(one, 0);
    return report.looked(one);
  });
  return report.begin() + parts.join('') + report.end(tally);
}

/** SARIF 2.1.0: what the standard requires, and what code scanning needs to know a finding again. */

interface Result {
  ruleId: string;
  ruleIndex: number;
  level: string;
  message: { text: string };
  locations: { physicalLocation: { artifactLocation: { uri: string } } }[];
  partialFingerprints: Record<string, string>;
}

interface Log {
  version: string;
  runs: {
    tool: { driver: { name: string; rules: { id: string }[] } };
    results: Result[];
    invocations: {
      executionSuccessful: boolean;
      toolExecutionNotifications: { message: { text: string } }[];
    }[];
  }[];
}

const logOf = (...args: Parameters<typeof looked>[]): Log['runs'][number] => {
  const log = JSON.parse(
    written(
      sarif(),
      args.map((one) => looked(...one)),
    ),
  ) as Log;
  expect(log.version).toBe('2.1.0');
  expect(log.runs).toHaveLength(1);
  return log.runs[0] as Log['runs'][number];
};

test('every result has a rule of the driver, a message, a place and a fingerprint', () => {
  const two = [finding(), finding({ status: 'in-app', fingerprint: 'e'.repeat(32) })];
  const { tool, results, invocations } = logOf([two], [[]], [[finding({ status: 'ok' })]]);
  expect(tool.driver.name).toBe('docs');
  expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
    ['broken-link', 'error'],
    ['in-app-link', 'warning'],
    ['working-link', 'none'],
  ]);
  for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
  expect(results[0]).toMatchObject({
    message: { text: 'broken link on Setup (Guide): ../gone.md' },
    locations: [{ physicalLocation: { artifactLocation: { uri: 'https://app.example/s/s1/setup' } } }],
    partialFingerprints: { 'docsLink/v1': 'f'.repeat(32) },
  });
  expect(invocations).toEqual([{ executionSuccessful: true, toolExecutionNotifications: [] }]);
});

test('without findings the list of results is there and empty', () => {
  expect(logOf([[]]).results).toEqual([]);
});

test('what was not read makes the run unsuccessful and is named', () => {
  const [invocation] = logOf([[], { unread: [unread] }]).invocations;
  expect(invocation?.executionSuccessful).toBe(false);
  expect(invocation?.toolExecutionNotifications[0]?.message.text).toBe(
    'not read: space Secret <plans> (s9): The platform answered 500',
  );
});

test('brackets and braces of a link are neither links nor placeholders', () => {
  const { results } = logOf([[finding({ link: '[click](1) {0}\u001b[31m' })]]);
  expect(results[0]?.message.text).toContain('\\[click\\](1) {{0}}␛\\[31m');
});

test('the place of a page is its file where it has one, else an address made of ids', () => {
  const inGit = finding({ page: { id: 'p1', file: 'docs/set up#1.md' } });
  const bare = finding({ page: { id: 'p 1' } });
  const uris = logOf([[inGit, bare]]).results.map(
    ({ locations }) => locations[0]?.physicalLocation.artifactLocation.uri,
  );
  expect(uris).toEqual(['docs/set%20up%231.md', 'spaces/s1/pages/p%201']);
});

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
    'site Secret &lt;plans&gt; (w1): The platform answered 500',
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

/** The comment on a pull request. */

test('a table a space, and what it came to', () => {
  expect(written(markdown(['broken']), [looked([finding()]), looked([], { space: { id: 's2' } })])).toBe(
    `## Links

### Guide

| Page | State | Link |
|---|---|---|
| [Setup](https://app.example/s/s1/setup) | broken | <code>../gone.md</code> |

1 broken link found. Looked at 2 spaces with 24 links.
`,
  );
});

test('what was not read is listed', () => {
  const text = written(markdown(['broken']), [looked([], { unread: [unread] })]);
  expect(text).toContain(
    'Looked at 0 spaces with 12 links. Not read: 1 space.\n\n**Not read**\n\n- space Secret',
  );
  expect(text).not.toContain('<plans>');
});

test('no text of others makes markup, a cell, a mention or a link of another kind', () => {
  const nasty = 'a|b\n\n# c `d` <img src=x> [e](javascript:f) **g** @all \\';
  const page = { id: 'p1', title: nasty, url: 'javascript:alert(1)' };
  const text = written(markdown(['broken']), [
    looked([finding({ link: nasty, page, space: { id: 's1', title: nasty } })], {
      space: { id: 's1', title: nasty },
    }),
  ]);
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  expect(rows).toHaveLength(3);
  expect(rows[2]?.match(/\|/g)).toHaveLength(4);
  expect(text.replaceAll(/<\/?code>/g, '')).not.toMatch(/[`<>[\]*@\\]/);
  expect(text).toContain('&#64;&#8203;all');
});

test('a page address cannot end its link', () => {
  const page = { id: 'p1', title: 'P', url: 'https://app.example/a)|b(c' };
  expect(written(markdown(['broken']), [looked([finding({ page })])])).toContain(
    '[P](https://app.example/a%29%7Cb%28c)',
  );
});

test('it stays within what a comment holds, and says what it leaves out', () => {
  const many = Array.from({ length: 2000 }, (_, index) => finding({ link: `missing/${index}.md` }));
  const text = written(markdown(['broken']), [looked(many)]);
  expect(text.length).toBeLessThan(65_536);
  const rows = text.split('\n').filter((line) => line.startsWith('| [')).length;
  expect(text).toContain(`… and ${(2000 - rows).toLocaleString('en')} further findings`);
  expect(text).toContain('2,000 broken links found.');
});

/** What a person sees on a terminal. */

test('a space, its pages, their links; a space and a page are named once', () => {
  const text = groupedText();
  const setup = { id: 'p1', title: 'Setup', path: 'guides/setup' };
  const other = { id: 's2', title: 'Other' };
  const all = [
    looked([
      finding({ page: setup }),
      finding({ page: setup, link: 'x.png' }),
      finding({ page: { id: 'p2' } }),
    ]),
    looked([]),
    looked([finding({ space: other, status: 'in-app', link: 'https://app.example' })], { space: other }),
  ];
  expect(all.map(text).join('')).toBe(`Guide (s1)
  Setup  /guides/setup
    broken  ../gone.md
    broken  x.png
  p2
    broken  ../gone.md

Other (s2)
  Setup
    in-app  https://app.example
`);
});

test('text of others neither commands the terminal nor makes lines of its own', () => {
  const nasty = 'a\u001b[2J\nb';
  const text = groupedText()(
    looked([finding({ link: nasty, page: { id: 'p1', title: nasty, path: nasty } })], {
      space: { id: 's1', title: nasty },
    }),
  );
  expect(text.trimEnd().split('\n')).toEqual(['a␛[2J b (s1)', '  a␛[2J b  /a␛[2J b', '    broken  a␛[2J b']);
});

test.each([
  [false, '1 broken link found. Looked at 1 space with 3 links.'],
  [true, '1 broken link found. Looked at 1 page with 3 links.'],
])('a check of a change request (%s) says what it looked at', (changeRequest, words) => {
  const tally = new Tally(changeRequest);
  tally.add(looked([finding()], { links: 3 }), 0);
  expect(tallyWords(tally, ['broken'])).toBe(words);
});

/** It is replaced as a whole, or not at all. */
describe('a report file', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'docs-report-'));
    path = join(folder, 'links.sarif');
    writeFileSync(path, 'old');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('the old report stays until the new one is whole', async () => {
    async function* pieces() {
      yield 'one\n';
      yield '';
      yield 'two\n';
      expect(readFileSync(path, 'utf8')).toBe('old');
    }
    await writeReport({}, path, pieces());
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
    expect(readdirSync(folder)).toEqual(['links.sarif']);
  });

  test('a check that fails leaves the old report and nothing else', async () => {
    async function* pieces() {
      yield 'half';
      throw new Error('The check failed.');
    }
    await expect(writeReport({}, path, pieces())).rejects.toThrow('The check failed.');
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['links.sarif']);
  });

  test('a path that cannot be written is an error before the check begins', async () => {
    let begun = false;
    async function* pieces() {
      begun = true;
      yield 'one';
    }
    const written = writeReport({}, join(folder, 'nowhere', 'links.sarif'), pieces());
    await expect(written).rejects.toMatchObject({ kind: 'local-io' });
    expect(begun).toBe(false);
  });
});
