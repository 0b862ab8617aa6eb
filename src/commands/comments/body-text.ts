import { isObject } from '../../base/values.js';
import type { Command } from '../../cli/declare/command.js';
import { isReading } from '../../cli/run/output.js';
import { readResource, runOperation } from '../../cli/run/pipeline.js';
import { viewOf } from '../../cli/run/view.js';

/** `get` of a comment or a reply: on a terminal its text stands below the fields, as it is meant to be read. */

export function bodyAsText(command: Command): Command {
  return {
    ...command,
    async run(session, input) {
      const [op] = command.operations;
      const isRead = op !== undefined && input.options.format === undefined && isReading(session);
      if (!isRead) return runOperation(session, command, input);
      const asked = { ...input, options: { ...input.options, format: 'markdown' } };
      const answer = await readResource(session, this, asked);
      const body = isObject(answer) && isObject(answer.body) ? answer.body.markdown : undefined;
      const view = viewOf(command, op);
      if (!isObject(answer) || typeof body !== 'string') return session.printer.one(answer, view);
      const { body: _, ...rest } = answer;
      const columns = view.columns.filter(({ path }) => path !== 'body.markdown');
      await session.printer.one(rest, { ...view, columns });
      await session.printer.painted('\n');
      const { printMarkdown } = await import('../../cli/run/output.js');
      await printMarkdown(session, body);
    },
  };
}
