import type { FlagChange } from '../../cli/declare/command.js';

/** Flags that comments and replies share. */

/** `--body`: the text in Markdown. */
export const markdownBody: FlagChange = {
  value: '<markdown>',
  description: 'Text in Markdown',
  longText: true,
  parse: (markdown) => ({ markdown }),
};

/** `--react` and `--unreact`. */
export const reactions: Record<string, FlagChange> = {
  addedReactions: { name: 'react', value: '<emoji>' },
  removedReactions: { name: 'unreact', value: '<emoji>' },
};
