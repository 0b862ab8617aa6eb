import { topics } from '../cli/declare/command.js';
import { globalOptions } from '../cli/declare/global-flags.js';
import { flagUsage, optionText } from '../cli/help/help.js';
import type { GroupPage } from './group-page.js';
import { code, escaped, lines, table } from './markdown.js';

/** `docs/reference/README.md`: all groups, and what holds for every command. */

export function indexPage(pages: readonly (GroupPage & { topic: string })[]): string {
  return lines(
    '# Commands',
    '',
    'Made from the declarations of the commands by `npm run docs:build`; do not edit.',
    '',
    'In a JSON table, `?` marks a field that may be absent, `[]` each item of a list. Whatever else the platform',
    'answers is printed, too. `docs schema <command>` prints the same as JSON Schema.',
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
      return ['', `## ${topic}`, '', ...table(['Group', '', 'Commands'], rows)];
    }),
    '',
    '## Flags of every command',
    '',
    ...table(
      ['Flag', ''],
      globalOptions.map((option) => [code(flagUsage(option)), escaped(optionText(option))]),
    ),
  );
}
