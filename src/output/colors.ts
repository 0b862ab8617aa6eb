import type { ChalkInstance } from 'chalk';

/** How many colours chalk may use: none, 16, 256 or all of them. Ours are of the 16. */
export type ColorLevel = 0 | 1 | 2 | 3;

/** Changes the look of text without its width. */
export type Painter = (text: string) => string;

export const plain: Painter = (text) => text;

/** Chalk at a level; undefined where there is no colour, so that nothing is loaded for it. */
export async function loadChalk(level: ColorLevel): Promise<ChalkInstance | undefined> {
  if (level === 0) return undefined;
  const { Chalk } = await import('chalk');
  return new Chalk({ level });
}

/** Colours by meaning; every painter gives its text back where there is no colour. */
export type Palette = Readonly<Record<'good' | 'bad' | 'warn' | 'strong' | 'quiet', Painter>>;

export async function loadPalette(level: ColorLevel): Promise<Palette> {
  const chalk = await loadChalk(level);
  if (chalk === undefined) return { good: plain, bad: plain, warn: plain, strong: plain, quiet: plain };
  return { good: chalk.green, bad: chalk.red, warn: chalk.yellow, strong: chalk.bold, quiet: chalk.dim };
}
