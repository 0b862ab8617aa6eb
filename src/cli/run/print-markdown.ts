import { loadChalk } from '../../output/colors.js';
import { renderMarkdown } from '../../output/markdown.js';
import { colorLevel } from '../../output/terminal.js';
import type { Session } from '../declare/session.js';

/** Prints Markdown as it is meant to be read. @param title stands above it, unless it begins with it */
export async function printMarkdown(session: Session, markdown: string, title?: string): Promise<void> {
  const { io, globals, printer } = session;
  const chalk = await loadChalk(colorLevel(io, globals, 'stdout'));
  const columns = io.stdout.columns ?? 0;
  await printer.painted(
    await renderMarkdown(markdown, { columns, chalk, ...(title !== undefined && { title }) }),
  );
}
