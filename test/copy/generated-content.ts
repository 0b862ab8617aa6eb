import fc from 'fast-check';
import type { Space } from '../../src/api/resources/spaces.js';
import { addRevision } from '../../src/sandbox/content/revisions.js';
import {
  type WrittenFile,
  type WrittenPage,
  writeFiles,
  writePages,
} from '../../src/sandbox/content/sample-pages.js';
import { fileMark } from '../../src/sandbox/content/versions.js';
import { putSpace } from '../../src/sandbox/copy/spaces.js';
import type { Database } from '../../src/sandbox/store/database.js';
import { idFrom } from '../../src/sandbox/store/rows.js';

/** Content as people and importers leave it: odd Markdown, files in folders, names that need escapes. */

const filePaths = [
  ...['logo.png', 'images/logo.png', 'images/deep/logo (1).png', 'a b.txt', "it's [one].txt", 'データ.csv'],
  ...['100%.txt', 'quo"ted.txt', 'notes.md', '.hidden', 'a&b.svg', '<x>.txt', '#1?.txt'],
];

/** Parts of a text; `%n` stands for the address of a file, `@n` for its path in the space. */
const parts = [
  ...[
    'Plain text.',
    'Trailing spaces  ',
    '\ttab',
    '',
    '\\* escaped \\_ ',
    '&amp; &nbsp; &#x1F600; &unknown;',
  ],
  ...['```js\nconst a = "![x](images/logo.png)";\n```', '~~~\nunclosed fence', '````\n```\n````', '    code'],
  ...['| a | b |\n|---|:-:|\n| 1 \\| 2 | ![x](%0) |', '<div align="right">\n<img src="%1" alt="">\n</div>'],
  ...[
    '<!-- comment %2 -->',
    '<details><summary>x</summary>\n\ny\n\n</details>',
    '{% hint style="info" %}\nx\n{% endhint %}',
  ],
  ...[
    '![x](%0)',
    '![a "b"](<%1> "title (x)")',
    '[file](%2)',
    '[ref]: %3\n\n[ref]',
    '%4',
    '(see %5).',
    '"%6"',
  ],
  ...['![x](@0)', '![x](../@1)', '[x](files/logo.png)', '[x](../files/logo.png#a)', '`files/logo.png`'],
  ...['[p](p0.md)', '[p](p1/p0.md#x)', '[p](../p0.md)', '[p](/p1)', '[p](p0.md "t")', '[](missing.md)'],
  ...[
    '# Title',
    '## Title {#id}',
    'Setext\n===',
    '---',
    '- a\n  - b\n\n    c\n- [x] d',
    '1) one\n7) two',
    '> q\n> > r',
  ],
  ...[
    'Windows\r\nlines\r\n',
    'old\rMac',
    'two\n\n\n\nblank',
    '\u00a0nbsp\u200b',
    'e\u0301 é 日本語 עברית 🚀',
    '$$x^2$$',
  ],
] as const;

const title = fc.oneof(
  fc.constantFrom(
    'Guide',
    '"quoted" [x] (y)',
    '指南',
    "it's",
    '# heading',
    'a/b\\c',
    '🚀',
    '*bold*',
    'x & y <z>',
    'con',
  ),
  fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).map((text) => text.trim() || 'x'),
);
const markdown = fc
  .tuple(
    fc.array(fc.constantFrom(...parts), { maxLength: 6 }),
    fc.constantFrom('', '', '\n', '\n\n', ' ', '\r\n'),
  )
  .map(([texts, end]) => texts.join('\n\n') + end);

interface Node {
  title: string;
  description: string;
  markdown: string;
  cover: boolean;
  pages: Node[];
}

function level(depth: number): fc.Arbitrary<Node[]> {
  if (depth === 0) return fc.constant([]);
  const description = fc.constantFrom('', 'What it is', 'a\nb', '"q"');
  const node = { title, description, markdown, cover: fc.boolean(), pages: level(depth - 1) };
  return fc.array(fc.record(node), { maxLength: depth > 1 ? 3 : 2 });
}

const files = fc.uniqueArray(fc.constantFrom(...filePaths), { maxLength: 7 });

export interface GeneratedContent {
  pages: Node[];
  files: string[];
  /** Different in each, so that ids are. */
  salt: number;
}

export const generatedContent: fc.Arbitrary<GeneratedContent> = fc.record({
  ...{ pages: level(3), files, salt: fc.nat() },
});

/** Writes a space with generated content. @returns its id */
export function writeSpace(db: Database, { pages, files: paths, salt }: GeneratedContent, key = ''): string {
  const sql = 'SELECT org_id AS organization, created_at AS at FROM spaces LIMIT 1';
  const { organization, at } = db.get<{ organization: string; at: number }>(sql) ?? {
    organization: '',
    at: 0,
  };
  const spaceId = idFrom(`space ${key} ${salt}`);
  const writing = { db, spaceId, at, idOf: (path: string) => idFrom(`${spaceId} ${path}`) };
  const addressed = (text: string) =>
    text
      .replaceAll(/%(\d)/g, (_, index: string) => fileMark(writing.idOf(paths[Number(index)] ?? 'gone')))
      .replaceAll(/@(\d)/g, (_, index: string) => encodeURI(paths[Number(index)] ?? 'gone.png'));
  const written = (nodes: readonly Node[]): WrittenPage[] =>
    nodes.map(({ pages: below, cover, ...node }, index) => ({
      ...{ ...node, slug: `p${index}`, markdown: addressed(node.markdown), pages: written(below) },
      ...(cover && paths[0] !== undefined && { cover: paths[0] }),
    }));
  const bytes: WrittenFile[] = paths.map((path) => ({ path, bytes: Buffer.from(`${path}\n`) }));
  const revision = idFrom(`revision ${key} ${salt}`);
  db.write(() => {
    putSpace(db, { ...space(at), id: spaceId, organization, revision, title: `Generated ${salt}` });
    const contents = { pages: writePages(writing, written(pages)), files: writeFiles(writing, bytes) };
    const others = { changeRequestId: null, parents: [], message: '', authorId: null, createdAt: at };
    addRevision(db, { ...contents, reusables: [], ...others, id: revision, spaceId });
  });
  return spaceId;
}

function space(at: number): Omit<Space, 'id' | 'organization' | 'revision' | 'title'> {
  const time = new Date(at).toISOString();
  return {
    ...{ object: 'space', emoji: '', visibility: 'in-collection', defaultLevel: 'inherit' },
    ...{ createdAt: time, updatedAt: time, editMode: 'live', urls: {} },
    ...{ comments: 0, changeRequests: 0, changeRequestsOpen: 0, changeRequestsDraft: 0 },
  } as Omit<Space, 'id' | 'organization' | 'revision' | 'title'>;
}
