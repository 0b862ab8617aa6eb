import type { ChalkInstance } from 'chalk';
import { type Tone, type Toned, toneOf } from './tones.js';

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

type Style = 'bold' | 'dim' | 'italic' | 'underline' | 'strikethrough' | 'green' | 'red' | 'yellow' | 'cyan';

/** Painters by meaning, each of one style; where there is no colour, every one gives its text back. */
export function painters<Meaning extends string>(
  chalk: ChalkInstance | undefined,
  styles: Readonly<Record<Meaning, Style>>,
): Record<Meaning, Painter> {
  const all = Object.entries<Style>(styles).map(([meaning, style]) => [meaning, chalk?.[style] ?? plain]);
  return Object.fromEntries(all) as Record<Meaning, Painter>;
}

/** Colours by meaning. */
export type Palette = Readonly<Record<'good' | 'bad' | 'warn' | 'strong' | 'quiet', Painter>>;

export async function loadPalette(level: ColorLevel): Promise<Palette> {
  const styles = { good: 'green', bad: 'red', warn: 'yellow', strong: 'bold', quiet: 'dim' } as const;
  return painters(await loadChalk(level), styles);
}

/** Colours text by its meaning; where colour is off every painter gives its text back. */
export type Paint = Record<'role' | 'state' | 'visibility' | 'header' | 'label' | 'mark' | 'quiet', Painter>;

/** @param chalk undefined for no colour */
export function createPaint(chalk: ChalkInstance | undefined): Paint {
  const styles = { good: 'green', busy: 'cyan', warn: 'yellow', bad: 'red', quiet: 'dim' } as const;
  const tones: Record<Tone, Painter> = {
    ...painters(chalk, styles),
    done: chalk?.magenta ?? plain,
    special: chalk?.yellow.bold ?? plain,
  };
  const by = (kind: Toned) => (word: string) => {
    const tone = toneOf(kind, word);
    return tone === undefined ? word : tones[tone](word);
  };
  return {
    role: by('role'),
    state: by('state'),
    visibility: by('visibility'),
    ...painters(chalk, { header: 'bold', label: 'bold', mark: 'bold', quiet: 'dim' }),
  };
}
