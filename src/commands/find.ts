import { Type } from '../api/type.js';
import { usageError } from '../base/errors.js';
import { shellWord } from '../base/shell-word.js';
import { manual } from '../cli/declare/define.js';
import { commandTree } from '../cli/declare/outline.js';
import { closed, oneOf, text } from '../output/printed-shapes.js';

export const find = manual({
  name: 'find',
  summary: 'Find the command for a task',
  why:
    'Takes the words a person would use, such as "make someone an admin", and prints up to ten commands, the best ' +
    'first, or says that the API cannot do it. To search the content of spaces, use docs orgs search.',
  args: { '<words...>': 'Task or question, in quotes or not' },
  returns: Type.Array(
    closed({
      path: Type.String({ description: 'The words after docs' }),
      summary: text,
      danger: oneOf('read', 'change', 'confirm', 'type-title'),
    }),
  ),
  columns: ['path', 'summary'],
  id: 'path',
  empty: 'No command found. docs commands lists all of them.',
  examples: {
    'find "make someone an admin"': 'find a command by what it does',
    'find who can publish --json': 'print the matches as JSON, with the danger of each',
  },
  local: true,
  async run({ printer, io }, { args }, { groups, view }) {
    await printer.check(view);
    const words = [args.words ?? []].flat().join(' ').trim();
    if (words === '') throw usageError('missing_argument', 'no words to look for', { hint: 'docs commands' });
    const { findCommands, isAboutContent, limitationNote } = await import('../agents/find/find-commands.js');
    const cannot = limitationNote(words);
    if (cannot !== undefined) {
      const { empty: _, ...rest } = view;
      await printer.list([], rest);
      return printer.note(cannot);
    }
    const found = findCommands(words, await commandTree(groups));
    await printer.list(found, view);
    if (isAboutContent(found))
      printer.note(`To search the content itself: docs orgs search ${shellWord(words, io.platform)}`);
  },
});
