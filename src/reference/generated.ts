import { type GroupEntry, isGroup } from '../cli/declare/command.js';
import { commandTree } from '../cli/declare/tree.js';
import { describe } from '../cli/help/describe.js';
import { type GroupPage, groupPage } from './group-page.js';
import { indexPage } from './index-page.js';
import { groupManPage, rootManPage } from './man-pages.js';

/** All files generated from the declarations; `npm run docs:build` writes them, a test compares them. */

/** Folders that contain only generated files. */
export const generatedFolders = ['docs/reference', 'docs/man'] as const;

/** The reference page of one group or command at the root; undefined where there is none. */
export async function referencePage(
  groups: readonly GroupEntry[],
  name: string,
): Promise<string | undefined> {
  const [page] = await groupPages(groups.filter((entry) => entry.name === name));
  return page && groupPage(page);
}

/** The generated files: text by path in the project. */
export async function generatedFiles(groups: readonly GroupEntry[]): Promise<Map<string, string>> {
  const pages = await groupPages(groups);
  return new Map([
    ['docs/reference/README.md', indexPage(pages)],
    ...pages.map((page): [string, string] => [`docs/reference/${page.name}.md`, groupPage(page)]),
    ['docs/man/docs.1', rootManPage(pages)],
    ...pages.map((page): [string, string] => [`docs/man/docs-${page.name}.1`, groupManPage(page)]),
  ]);
}

async function groupPages(groups: readonly GroupEntry[]): Promise<(GroupPage & { topic: string })[]> {
  const tree = await commandTree(groups);
  const shown = groups.filter(({ hidden }) => !hidden);
  return Promise.all(
    shown.map(async ({ name, topic, summary, aliases = [], load }) => {
      const node = await load();
      const own = tree.filter(({ path }) => path === name || path.startsWith(`${name} `));
      return {
        name,
        topic,
        summary,
        aliases,
        ...(isGroup(node) && { group: node }),
        commands: own.map((entry) => ({ entry, described: describe(entry) })),
      };
    }),
  );
}

/**
 * `package.json` with the man pages that an install links. npm takes no folder here: of `directories.man` in a
 * package from a registry or an archive, it links nothing.
 */
export function withManPages(packageText: string, paths: Iterable<string>): string {
  const { man: _, ...others } = JSON.parse(packageText) as Record<string, unknown>;
  const man = [...paths].filter((path) => path.startsWith('docs/man/')).sort();
  const entries = Object.entries(others).flatMap((entry) =>
    entry[0] === 'files' ? [['man', man], entry] : [entry],
  );
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}
