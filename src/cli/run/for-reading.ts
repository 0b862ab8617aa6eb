import type { ChalkInstance } from 'chalk';
import { loadChalk, type Painter, plain } from '../../output/colors.js';
import { colorLevel } from '../../output/terminal.js';
import type { Session } from '../declare/session.js';

/** Text that a command lays out itself, for people at a terminal. */

/** Whether a person reads it: on a terminal, unless a format or an order of rows was asked for. */
export function wantsText({ io, settings, globals, sorts }: Session): boolean {
  const { output, fields } = settings;
  return io.stdout.isTTY === true && (output ?? fields ?? globals.jq ?? sorts) === undefined;
}

export type Look = Readonly<Record<'good' | 'bad' | 'warn' | 'strong' | 'quiet', Painter>>;

/** How text looks on standard output; every painter gives its text back where there is no colour. */
export async function lookOf({ io, globals }: Session): Promise<Look> {
  const chalk: ChalkInstance | undefined = await loadChalk(colorLevel(io, globals, 'stdout'));
  if (chalk === undefined) return { good: plain, bad: plain, warn: plain, strong: plain, quiet: plain };
  return { good: chalk.green, bad: chalk.red, warn: chalk.yellow, strong: chalk.bold, quiet: chalk.dim };
}

/** Columns of standard output. */
export function widthOf({ io }: Session): number {
  return io.stdout.columns || Number(io.env.COLUMNS) || 80;
}
