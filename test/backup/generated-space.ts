import fc from 'fast-check';
import type { ContentPage } from '../../src/api/resources/content.js';
import { inOnePiece } from '../../src/backup/folder.js';
import {
  type FileEntry,
  type Manifest,
  type SpaceEntry,
  type SpaceManifest,
  spaceManifestText,
} from '../../src/backup/manifest.js';
import { placePages } from '../../src/backup/names.js';
import { BackupReader } from '../../src/backup/reader.js';
import { freeSlug, slugOf } from '../../src/sandbox/store/rows.js';

/** A space of any shape, as a backup holds it in memory. */

interface Node {
  title: string;
  slug: string;
  hidden: boolean;
  /** Which page or file it links to, and how. */
  links: [number, 'id' | 'path' | 'file-id' | 'file-path' | 'kept-file'][];
  pages: Node[];
}

const odd = [
  ...['Notes', 'notes', 'Read me', 'README', 'Index', 'index', 'Guide', 'con', 'Über uns', '使い方', '指南'],
  ...['دليل', 'מדריך', '🚀 Launch', '🚀', 'a/b\\c', '../..', '_includes', '__MACOSX', '.hidden', 'v1.2.3'],
  ...[
    '"quoted": yes',
    "it's",
    '- list',
    '---',
    '# heading',
    'tab\tand\u202e',
    '\ud800',
    'null',
    '2024-01-01',
  ],
  ...['x'.repeat(250), 'very long '.repeat(30), 'a: b # c', '%20', '@at', '`code`', '\\', '\u2028', '\u0085'],
] as const;

const title = fc.oneof(fc.constantFrom(...odd), fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }));
const link = fc.tuple(fc.nat(40), fc.constantFrom('id', 'path', 'file-id', 'file-path', 'kept-file'));
/** Trees of up to so many levels: some wide, some deep. */
function level(depth: number): fc.Arbitrary<Node[]> {
  if (depth === 0) return fc.constant([]);
  const slug = fc.constantFrom('', '', '', '', '', 'readme', 'index', 'guide');
  const links = fc.array(link as fc.Arbitrary<Node['links'][number]>, { maxLength: 3 });
  const node = fc.record({ title, slug, hidden: fc.boolean(), links, pages: level(depth - 1) });
  return fc.array(node, { maxLength: depth > 11 ? 4 : 2 });
}

const paths = [
  ...['logo.png', 'images/logo.png', 'a b (1).txt', 'データ.csv'],
  ...['notes.md', '.gitbook/assets/x.png', 'guide/x.txt'],
];
const files = fc.uniqueArray(fc.constantFrom(...paths), { maxLength: 4 });

export const generatedSpace = fc.record({ pages: level(12), files }).map(made);

export interface GeneratedSpace {
  reader: BackupReader;
  entry: SpaceEntry;
  pages: { page: ContentPage; markdown: string; to: string[] }[];
  files: { id: string; path: string; text: string }[];
}

function made({ pages: tree, files: paths }: { pages: Node[]; files: string[] }): GeneratedSpace {
  let count = 0;
  const nodes = new Map<string, Node>();
  const pagesOf = (level: Node[], above: string): ContentPage[] => {
    const taken = new Set<string>();
    return level.map((node) => {
      const id = `page${count++}`;
      nodes.set(id, node);
      const slug = freeSlug(node.slug || slugOf(node.title, 'page'), taken);
      taken.add(slug);
      const path = above + slug;
      const pages = pagesOf(node.pages, `${path}/`);
      const { title, hidden } = node;
      return { id, title, slug, path, type: 'document', ...(hidden && { hidden: true }), pages };
    });
  };
  const content = pagesOf(tree, '');
  const placed = placePages(content);
  const held = new Map<string, string>();
  const made = paths.map((path, at) => ({
    ...{ id: `file${at}`, path, kept: `files/f${at}`, text: `bytes of ${path}` },
  }));
  const entries: FileEntry[] = [entry('content', 'content.json', 'revision')];
  const all = placed.map(({ page }) => page);
  const pages = placed.map(({ page, path }) => {
    const { markdown, to } = textOf(page, path, nodes.get(page.id)?.links ?? [], all, made);
    held.set(`pages/${path}.md`, `# ${page.title}\n\n${markdown}\n`);
    entries.push(
      entry('page', `pages/${path}.json`, page.id),
      entry('page-markdown', `pages/${path}.md`, page.id),
    );
    return { page, markdown, to };
  });
  for (const { id, kept, text } of made) {
    held.set(kept, text);
    entries.push(entry('file', kept, id));
  }
  const listed = made.map(({ id, path, text }) => ({
    ...{ id, name: path.split('/').at(-1) ?? path, contentType: 'text/plain', size: text.length },
    git: { oid: id, path },
  }));
  held.set('content.json', JSON.stringify({ pages: content, files: listed }));
  return { reader: readerOf(held, entries), entry: space, pages, files: made };
}

const space: SpaceEntry = { id: 'space1', title: 'Any', folder: 'Any', state: 'whole' };

function entry(kind: string, path: string, id: string): FileEntry {
  return { kind, path, id, bytes: 0, sha256: '' };
}

function readerOf(held: ReadonlyMap<string, string>, files: FileEntry[]): BackupReader {
  const manifest: SpaceManifest = {
    ...{ id: space.id, title: space.title, state: 'whole', revision: 'revision', seen: '' },
    ...{ counts: {}, parts: [], failed: [], files },
  };
  const texts = new Map(held).set('manifest.json', spaceManifestText(manifest));
  const text = async (path: string) => texts.get(path.replace('spaces/Any/', '')) ?? '';
  const whole: Manifest = {
    ...{ state: 'whole', platform: 'sandbox', organization: { id: 'o', title: 'O' }, runs: 0 },
    ...{ startedAt: '', counts: {}, failed: [], files: [], spaces: [space] },
  };
  const read = async (path: string) => inOnePiece(Buffer.from(await text(path)));
  return new BackupReader({ root: '/backup', read, text }, whole);
}

/** A text with the links of a page; `to` are the pages and files that they lead to. */
function textOf(
  page: ContentPage,
  kept: string,
  links: Node['links'],
  pages: readonly ContentPage[],
  files: readonly { id: string; path: string; kept: string }[],
): { markdown: string; to: string[] } {
  const to: string[] = [];
  const lines = links.flatMap(([number, form], at) => {
    const other = pages[number % pages.length];
    const file = files[number % Math.max(files.length, 1)];
    const up = '../'.repeat((page.path ?? '').split('/').length - (page.pages?.length ? 0 : 1));
    const encoded = file?.path.split('/').map(encodeURIComponent).join('/').replaceAll(/[()]/g, encodeURI);
    const toFile = `${'../'.repeat(kept.split('/').length)}${file?.kept}`;
    const targets = {
      id: other && `/pages/${other.id}#part`,
      path: other && `${up}${other.path}.md`,
      'file-id': file && `/files/${file.id}`,
      'file-path': file && `<${up}${encoded}>`,
      'kept-file': file && toFile,
    };
    const target = targets[form];
    // The platform itself reads a path that ends in readme or index as that of the folder.
    const isFolder = form === 'path' && /(?:^|\/)(?:readme|index)$/.test(other?.path ?? '');
    // A path that is that of a page, too, leads to the page.
    const isPage = form === 'file-path' && pages.some(({ path }) => `${path}.md` === file?.path);
    if (target === undefined || isFolder || isPage) return [];
    to.push(form === 'id' || form === 'path' ? (other?.id ?? '') : (file?.id ?? ''));
    return [`- [link ${at}](${target}) and \`[code](${target})\``];
  });
  return { markdown: ['# A heading', 'Text of the page, 文字.', ...lines].join('\n\n'), to };
}
