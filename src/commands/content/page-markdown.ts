import type { Command } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { readResource, runOperation } from '../../cli/run/pipeline.js';

/** `content pages get --format markdown`: people and pipes get the text itself, not a field of an object. */

/** The command, printing the page's Markdown where it was asked for and no other output was. */
export function markdownAsText(command: Command): Command {
  return {
    ...command,
    async run(session, input) {
      if (input.options.format !== 'markdown' || asksForFields(session))
        return runOperation(session, command, input);
      const { markdown } = (await readResource(session, this, input)) as { markdown?: unknown };
      if (typeof markdown === 'string') await session.printer.text(endedWithNewline(markdown));
      else session.printer.note('This page has no Markdown.');
    },
  };
}

/** A table as the default of a profile asks for nothing: it is what a terminal shows anyway. */
function asksForFields({ settings: { output, fields }, globals }: Session): boolean {
  const format = output !== undefined && (output.value !== 'table' || output.source === 'flag');
  return format || fields !== undefined || globals.jq !== undefined;
}

function endedWithNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
