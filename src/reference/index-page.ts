import { topics } from '../cli/declare/command.js';
import { globalOptions } from '../cli/declare/global-flags.js';
import { flagUsage, optionText } from '../cli/help/help.js';
import { tableLines } from '../document/markdown.js';
import type { GroupPage } from './group-page.js';
import { code, escaped, lines } from './markdown.js';

/** `docs/reference/README.md`: all groups, and the global flags. */

export function indexPage(pages: readonly (GroupPage & { topic: string })[]): string {
  return lines(
    '# Commands',
    '',
    'Generated from the command declarations by `npm run docs:build`; do not edit.',
    '',
    'In a JSON table, `?` marks a field that may be absent, `[]` each item of a list. Additional fields from the',
    'platform are printed as well. `docs schema <command>` prints the same as JSON Schema.',
    ...topics.flatMap((topic) => {
      const own = pages.filter((page) => page.topic === topic);
      const rows = own.map((page) => [
        `[docs ${page.name}](${page.name}.md)`,
        escaped(page.summary),
        page.commands
          .map(({ entry }) => entry.path.split(' ').slice(1).join(' '))
          .filter(Boolean)
          .join(', '),
      ]);
      return ['', `## ${topic}`, '', ...tableLines(['Group', '', 'Commands'], rows)];
    }),
    '',
    '## Global flags',
    '',
    ...tableLines(
      ['Flag', ''],
      globalOptions.map((option) => [code(flagUsage(option)), escaped(optionText(option))]),
    ),
  );
}
