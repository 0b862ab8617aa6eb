import { usageError } from '../../base/errors.js';
import type { Command } from '../../cli/declare/command.js';
import { option } from '../../cli/declare/standing-flags.js';
import { asksForNoForm, isReading } from '../../cli/run/output-form.js';
import { readResource, runOperation } from '../../cli/run/pipeline.js';

/** `docs content pages get`: a person reads the page itself; its Markdown is printed where that was asked for. */

const raw = option('--raw', 'Print the Markdown of the page as it is', { conflicts: ['format'] });

/** The command, showing a page as text on a terminal. */
export function markdownAsText(command: Command): Command {
  return {
    ...command,
    options: [...command.options, raw],
    async run(session, input) {
      const { raw: asked, ...options } = input.options;
      const isPlain = asksForNoForm(session);
      if (asked === true && !isPlain)
        throw usageError(
          'contradiction',
          '--raw prints text, which has no fields; remove it, or the other flags.',
        );
      const wantsSource = asked === true || (options.format === 'markdown' && isPlain);
      const isRead = !wantsSource && options.format === undefined && isReading(session);
      if (!wantsSource && !isRead) return runOperation(session, command, { ...input, options });
      const markdownInput = { ...input, options: { ...options, format: 'markdown' } };
      const { markdown, title } = (await readResource(session, this, markdownInput)) as Partial<
        Record<'markdown' | 'title', unknown>
      >;
      if (typeof markdown === 'string' && isRead) {
        const { printMarkdown } = await import('../../cli/run/print-markdown.js');
        return printMarkdown(session, markdown, typeof title === 'string' ? title : undefined);
      }
      if (typeof markdown === 'string') return session.printer.text(endedWithNewline(markdown));
      if (isRead) return runOperation(session, command, { ...input, options });
      session.printer.note('This page has no Markdown.');
    },
  };
}

function endedWithNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
