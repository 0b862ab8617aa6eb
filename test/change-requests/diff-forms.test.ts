import { Chalk } from 'chalk';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { type ContentChange, countChange, diffPart, newTally } from '../../src/change-requests/change.js';
import { compareTexts } from '../../src/change-requests/compare-texts.js';
import {
  htmlPieces,
  markdownPieces,
  type PrintedDiff,
  statPieces,
  textPieces,
} from '../../src/change-requests/diff-forms.js';
import type { Opened } from '../../src/change-requests/read-changes.js';

/** The forms of a comparison: what they show, and that no text of the platform is more than text in them. */

function edited(before: string, after: string, more: Partial<ContentChange> = {}): ContentChange {
  const base = {
    kind: 'page',
    id: 'p1',
    title: 'Install',
    path: 'guides/install',
    changes: ['edited'],
  } as const;
  return { ...base, change: 'edited', changes: ['edited'], ...compareTexts(before, after), ...more };
}

/** All that a form prints. */
async function printed(
  form: (diff: PrintedDiff) => AsyncIterable<string>,
  changes: readonly ContentChange[],
  { subject = 'New words', warnings = [] }: { subject?: string; warnings?: readonly string[] } = {},
): Promise<string> {
  const tally = newTally();
  const differences = changes.map((change) => ({ change, reads: 'both' as const }));
  const opened = { request: { number: 5, subject }, space: { title: 'Handbook' }, differences };
  async function* parts() {
    for (const change of changes) {
      countChange(tally, change);
      yield diffPart(change);
    }
  }
  let text = '';
  for await (const piece of form({ opened: opened as unknown as Opened, warnings, parts: parts(), tally }))
    text += piece;
  return text;
}

const uncoloured = (diff: PrintedDiff) => textPieces(diff, undefined);
const stat80 = (diff: PrintedDiff) => statPieces(diff, undefined, 80);

const hostile = [
  '\x1b[2J\x1b]0;title\x07\u202eright to left\u2066',
  '```\n~~~\n</pre></details><script>alert(1)</script><img src=x onerror=alert(1)>',
  '<!-- --> &amp; @octocat fixes #12 [link](https://evil.example) https://evil.example www.evil.example',
  '| a | b |\n|---|---|\n# Heading\n- list\n1. one\n> quote\n    code\n$x$ `code` ~~~ **bold** _it_',
  'x'.repeat(300),
  '---\n===\n\\\n',
].join('\n');
const attacks = [
  edited('', hostile),
  edited(hostile, ''),
  edited('The same words stay here <b>\n', 'The same words stay there <b>\n', {
    changes: ['moved', 'renamed', 'settings', 'edited'],
    title: hostile,
    path: hostile,
    from: { title: hostile, path: hostile, position: 1 },
    to: { title: `${hostile}2`, path: hostile, parent: 'p', position: 2 },
    fields: [{ field: 'description', from: hostile, to: `${hostile}!` }],
  }),
];

describe('text', () => {
  const change = edited('Run the old setup now.\n', 'Run the new setup now. \n');

  it('marks words as git does where there is no colour', async () => {
    expect(await printed(uncoloured, [change])).toBe(
      'page Install (guides/install): edited, +1 -1 words\n@@ -1,1 +1,1 @@\n' +
        'Run the [-old-]{+new+} setup now.{+ +}\n',
    );
  });

  it('colours each line by itself, and gives spaces a background', async () => {
    const text = await printed(
      (diff) => textPieces(diff, new Chalk({ level: 1 })),
      [change, edited('', 'one\n\ntwo\n')],
    );
    expect(text).toContain('Run the \x1b[31mold\x1b[39m\x1b[32mnew\x1b[39m setup now.\x1b[42m \x1b[49m\n');
    expect(text).toContain('\x1b[32mone\x1b[39m\n\n\x1b[32mtwo\x1b[39m\n');
  });

  it('says where a page was, and what else is different', async () => {
    const text = await printed(uncoloured, [
      edited('a\n', 'a\n', {
        changes: ['moved', 'renamed', 'settings'],
        from: { title: 'Setup', path: 'setup', position: 1 },
        to: { title: 'Install', path: 'guides/install', parent: 'p', position: 2 },
        fields: [
          { field: 'icon', to: 'bolt' },
          { field: 'cover', from: 'sea' },
        ],
      }),
    ]);
    expect(text).toBe(
      'page Install (guides/install): moved, renamed, settings\n' +
        '  renamed from "Setup" to "Install"\n  moved from setup to guides/install\n  icon: {+bolt+}\n  cover: [-sea-]\n',
    );
  });

  it('lets no text command the terminal', async () => {
    const text = await printed(uncoloured, attacks);
    expect(text).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
    expect(text).toContain('␛[2J');
  });
});

describe('stat', () => {
  it('has a line a page, and the sum', async () => {
    const pages = [
      edited('one two three\n', 'one two four\n'),
      edited('', 'word '.repeat(1200), { title: 'New', path: 'new', changes: ['added'] }),
      edited('', '', { path: 'moved', changes: ['moved'] }),
    ];
    expect(await printed(stat80, pages)).toBe(
      ' guides/install |     +1     -1 +-         edited\n' +
        ' new            | +1,200     -0 ++++++++++ added\n' +
        ' moved          | moved\n' +
        ' 3 pages changed, 1,201 words added(+), 1 word removed(-)\n',
    );
  });

  it('is no wider than the terminal, whatever the paths are', async () => {
    const lines = (await printed(stat80, attacks)).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines.join()).not.toContain('\x1b');
  });
});

describe('Markdown', () => {
  interface Node {
    type: string;
    value?: string;
    children?: Node[];
  }
  const nodesOf = (text: string): Node[] => {
    const nodes: Node[] = [];
    const visit = (node: Node) => {
      nodes.push(node);
      for (const child of node.children ?? []) visit(child);
    };
    visit(fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }) as Node);
    return nodes;
  };

  it('has the sum, a table, and the words in folded texts', async () => {
    const text = await printed(markdownPieces, [edited('Run the old setup.\n', 'Run the new setup.\n')]);
    expect(text).toBe(
      '### Change request 5: New words\n\n1 page edited; 1 word added, 1 word removed.\n\n' +
        '| Page or file | Change | Words |\n| --- | --- | --- |\n| guides/install | edited | +1 −1 |\n\n' +
        '<details>\n<summary>Install</summary>\n\n' +
        '<sub>Line 1</sub><br>Run the <del>old</del><ins>new</ins> setup.\n\n</details>\n',
    );
  });

  it('lets no text become markup, a mention or a link', async () => {
    const text = await printed(markdownPieces, attacks, { subject: hostile });
    const nodes = nodesOf(text);
    const kinds = new Set(nodes.map(({ type }) => type));
    const usual = ['root', 'heading', 'paragraph', 'text', 'html', 'table', 'tableRow', 'tableCell'];
    expect([...kinds].filter((kind) => !usual.includes(kind))).toEqual([]);
    expect(nodes.filter(({ type }) => type === 'heading')).toHaveLength(1);
    const tags = nodes.flatMap(({ type, value = '' }) =>
      type === 'html' ? (value.match(/<[^>]*>/g) ?? []) : [],
    );
    const own = /^<\/?(?:details|summary|del|ins|sub|br)>$/;
    expect(tags.filter((tag) => !own.test(tag))).toEqual([]);
    expect(text).not.toMatch(/@octocat|fixes #|\x1b/);
  });

  it('stays below the limit of a comment and says what it left out', async () => {
    const many = Array.from({ length: 2000 }, (_, at) =>
      edited('', 'word '.repeat(50), { path: `page-${at}` }),
    );
    const text = await printed(markdownPieces, many);
    expect(text.length).toBeLessThan(60_000);
    expect(text).toMatch(/… and [\d,]+ further rows that did not fit\./);
    expect(text).toMatch(/… and [\d,]+ further texts that did not fit\./);
  });
});

/** As with the style of reports. */
const inHtml = (diff: Parameters<typeof htmlPieces>[0]) => htmlPieces(diff, async () => 'p{margin:0}');

const behind = 'Change request 5 is behind its space: later changes of the space show up <reversed>.';

it.each([
  ['Markdown', markdownPieces],
  ['HTML', inHtml],
])('%s says itself what to know about the comparison as a whole', async (_, form) => {
  const text = await printed(form, [], { warnings: [behind] });
  expect(text).toMatch(
    /5 is behind its space&?.{0,7} later changes of the space show up &(?:lt|#60);reversed/,
  );
});

describe('HTML', () => {
  interface Element {
    nodeName: string;
    value?: string;
    attrs?: { name: string; value: string }[];
    childNodes?: Element[];
  }
  const elementsOf = (node: Element): Element[] => [node, ...(node.childNodes ?? []).flatMap(elementsOf)];

  it('is a page that loads and runs nothing, whatever the texts are', async () => {
    const text = await printed(inHtml, attacks, { subject: hostile });
    const elements = elementsOf(parse(text) as unknown as Element);
    const names = new Set(elements.map(({ nodeName }) => nodeName));
    const usual =
      '#document #documentType #text html head meta title style body header main nav ul li a h1 h2 p section div bdi ins del'.split(
        ' ',
      );
    expect([...names].filter((name) => !usual.includes(name))).toEqual([]);
    const attributes = new Set(elements.flatMap(({ attrs = [] }) => attrs.map(({ name }) => name)));
    expect([...attributes].sort()).toEqual([
      'aria-label',
      'charset',
      'class',
      'content',
      'dir',
      'href',
      'http-equiv',
      'id',
      'lang',
      'name',
    ]);
    const links = elements.flatMap(({ attrs = [] }) => attrs.filter(({ name }) => name === 'href'));
    for (const { value } of links) expect(value).toMatch(/^#d-[\w-]+$/);
    const meta = elements.find(({ attrs = [] }) => attrs.some(({ name }) => name === 'http-equiv'));
    expect(meta?.attrs?.at(-1)?.value).toBe("default-src 'none'; style-src 'unsafe-inline'");
    expect(text).not.toMatch(/url\(|@import|\x1b|\u202e/);
  });

  it('shows removed and added words in their place', async () => {
    const text = await printed(inHtml, [edited('Run the old setup.\n', 'Run the new setup.\n')]);
    expect(text).toContain(
      '<div class="text" dir="auto">Run the <del>old</del><ins>new</ins> setup.\n</div>',
    );
    expect(text).toContain('\n<p class="title" dir="auto">Change request 5: New words</p>\n');
  });
});
