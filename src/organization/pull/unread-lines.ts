import { safeLine } from '../../output/text.js';
import { layoutFor, organizationFile } from '../files/layout.js';
import type { Kind } from '../kind.js';
import type { LiveTree } from './live-tree.js';
import type { FileContent } from './new-files.js';

/** What could not be read, as comments at the top of the files in which it would stand. */

const head = '# The last "docs pull" could not read all that this file names:';

/**
 * Adds the comments to files, and takes former ones out.
 * @param files by path; those that change are set
 * @param present the texts of files that are there
 */
export function tellUnread(
  tree: LiveTree,
  files: Map<string, FileContent>,
  present: ReadonlyMap<string, string> = new Map(),
): void {
  const paths = [...new Set([...present.keys(), ...files.keys()])];
  const sentences = sentencesByFile(tree, new Set(paths));
  for (const path of paths) {
    const text = files.get(path) ?? present.get(path);
    if (typeof text !== 'string' || !wasAsked(tree, path)) continue;
    const told = withUnread(text, sentences.get(path) ?? []);
    if (told !== text) files.set(path, told);
  }
}

/** Whether anything that stands in a file was to be read: else what its comment says still holds. */
function wasAsked(tree: LiveTree, path: string): boolean {
  const layout = layoutFor(tree.layouts, path);
  return tree.kinds.some((kind) => kind.spot.file === layout?.file && tree.wasAsked(kind.name));
}

function sentencesByFile(tree: LiveTree, paths: ReadonlySet<string>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { kind, within, message } of tree.live.missed) {
    const path = pathOf(tree, tree.kind(kind), within);
    const file = path !== undefined && paths.has(path) ? path : organizationFile;
    const sentences = found.get(file) ?? [];
    found.set(file, sentences);
    if (!sentences.includes(message)) sentences.push(message);
  }
  return found;
}

/** The file of a kind; of a part of a site that of the site. */
function pathOf(
  { names, keyAt }: Pick<LiveTree, 'names' | 'keyAt'>,
  { spot: { file } }: Kind,
  within: LiveTree['live']['missed'][number]['within'],
): string | undefined {
  if (!file.includes('*')) return file;
  const site = within && names.ofId(within.kind, within.id);
  return site && file.replace('*', () => keyAt(site));
}

/** A text with these sentences below its first line, and no others. */
export function withUnread(text: string, sentences: readonly string[]): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text.split(eol);
  const at = lines.indexOf(head);
  if (at >= 0) {
    const after = lines.findIndex((line, index) => index > at && !line.startsWith('# - '));
    lines.splice(at, (after < 0 ? lines.length : after) - at);
  }
  const own = sentences.map((sentence) => `# - ${safeLine(sentence)}`);
  if (own.length > 0) lines.splice(lines[0]?.startsWith('# yaml-language-server:') ? 1 : 0, 0, head, ...own);
  return lines.join(eol);
}
