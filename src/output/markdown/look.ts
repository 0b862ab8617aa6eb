import type { ChalkInstance } from 'chalk';
import { type Painter, plain } from '../colors.js';

/** How Markdown looks on a terminal: of the 16 colours alone; marks say the same where there is none. */
export interface MarkdownLook {
  heading: Painter;
  strong: Painter;
  emphasis: Painter;
  deleted: Painter;
  code: Painter;
  link: Painter;
  /** Addresses, marks of lists and quotes, raw HTML. */
  quiet: Painter;
  hasColor: boolean;
}

/** @param chalk undefined for no colour */
export function markdownLook(chalk: ChalkInstance | undefined): MarkdownLook {
  if (chalk === undefined) {
    const [heading, strong, emphasis, deleted] = [plain, plain, plain, plain];
    return { heading, strong, emphasis, deleted, code: plain, link: plain, quiet: plain, hasColor: false };
  }
  return {
    heading: chalk.bold,
    strong: chalk.bold,
    emphasis: chalk.italic,
    deleted: chalk.strikethrough,
    code: chalk.cyan,
    link: chalk.underline,
    quiet: chalk.dim,
    hasColor: true,
  };
}
