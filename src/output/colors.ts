import type { ChalkInstance } from 'chalk';
import { type Tone, type Toned, toneOf } from './tones.js';

/** How many colours chalk may use: none, 16, 256 or all of them. Ours are of the 16. */
export type ColorLevel = 0 | 1 | 2 | 3;

/** Colours text by its meaning; where colour is off every painter gives its text back. */
export type Paint = Record<'role' | 'state' | 'visibility' | 'header' | 'label' | 'mark' | 'quiet', Painter>;

/** @param chalk undefined for no colour */
export function createPaint(chalk: ChalkInstance | undefined): Paint {
  if (chalk === undefined)
    return {
      role: plain,
      state: plain,
      visibility: plain,
      header: plain,
      label: plain,
      mark: plain,
      quiet: plain,
    };
  const tones: Record<Tone, Painter> = {
    good: chalk.green,
    busy: chalk.cyan,
    warn: chalk.yellow,
    bad: chalk.red,
    done: chalk.magenta,
    special: chalk.yellow.bold,
    quiet: chalk.dim,
  };
  const by = (kind: Toned) => (word: string) => {
    const tone = toneOf(kind, word);
    return tone === undefined ? word : tones[tone](word);
  };
  return {
    role: by('role'),
    state: by('state'),
    visibility: by('visibility'),
    header: chalk.bold,
    label: chalk.bold,
    mark: chalk.bold,
    quiet: chalk.dim,
  };
}

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
