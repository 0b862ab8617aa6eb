import type { Definition, Nodes, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/**
 * Parsing takes some 5 s a megabyte, and the square of that for texts made for it, such as 10,000 open brackets.
 * So there are limits, in characters: of the whole text, and of what stands between two blank lines.
 */
const longestText = 256 * 1024;
const longestBlock = 32 * 1024;
/** Quotes and lists that open on one line, one inside the other. */
const deepLine = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])(?:[ \t]|(?=>))*){60}/m;

/** A text as GitHub reads it. @returns undefined for one that would take too long */
export function markdownTree(markdown: string): Root | undefined {
  if (markdown.length > longestText || deepLine.test(markdown)) return undefined;
  if (markdown.split(/\n[ \t]*\n/).some((block) => block.length > longestBlock)) return undefined;
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

/** Addresses that links name, by their label: the first of each. */
export function definitionsIn(tree: Nodes): Map<string, Definition> {
  const found = new Map<string, Definition>();
  const waiting: Nodes[] = [tree];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.type === 'definition' && !found.has(node.identifier)) found.set(node.identifier, node);
    if ('children' in node) waiting.push(...node.children.toReversed());
  }
  return found;
}
