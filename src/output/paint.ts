import type { ChalkInstance } from 'chalk';
import { type Painter, plain } from './colors.js';
import { type Tone, type Toned, toneOf } from './tones.js';

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
