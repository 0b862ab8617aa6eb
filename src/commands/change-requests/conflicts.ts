import { DocsError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import type { Command } from '../../cli/declare/command.js';
import { contextWords } from '../../cli/run/error-subject.js';
import { runOperation } from '../../cli/run/pipeline.js';

/** Conflicts come as a success of the platform that changed nothing; a script must not go on. */
export function failOnConflicts(merging: Command): Command {
  return {
    ...merging,
    async run(session, input) {
      const answer = (await runOperation(session, this, input)) as { result?: unknown } | undefined;
      if (answer?.result !== 'conflicts') return;
      const { platform } = session.io;
      const id = shellWord(String(input.args['change-request']), platform);
      const words = [id, ...contextWords(this, input, platform), '--fields urls.app'];
      const message = 'The change request and the main content changed the same pages; nothing was changed.';
      throw new DocsError('conflict', 'conflicts', message, {
        outcome: 'refused',
        hint: `docs change-requests get ${words.join(' ')}`,
      });
    },
  };
}
