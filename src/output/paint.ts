import type { ChalkInstance } from 'chalk';
import { type Painter, plain } from './colors.js';

/** What a colour means: the same in every command. */
type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'done' | 'special' | 'quiet';

const roleTones: Readonly<Record<string, Tone>> = {
  admin: 'special',
  owner: 'special',
  create: 'busy',
  review: 'busy',
  edit: 'busy',
  comment: 'quiet',
  read: 'quiet',
  none: 'quiet',
};

const stateTones: Readonly<Record<string, Tone>> = {
  open: 'good',
  ok: 'good',
  complete: 'good',
  active: 'good',
  live: 'good',
  published: 'good',
  draft: 'quiet',
  skipped: 'quiet',
  inherit: 'quiet',
  merged: 'done',
  resolved: 'done',
  pending: 'busy',
  progress: 'busy',
  update: 'busy',
  'in-app': 'warn',
  locked: 'warn',
  unknown: 'warn',
  outdated: 'warn',
  archived: 'bad',
  broken: 'bad',
  conflicts: 'bad',
  deleted: 'bad',
  failed: 'bad',
  merge: 'done',
};

const visibilityTones: Readonly<Record<string, Tone>> = {
  public: 'good',
  unlisted: 'warn',
  'share-link': 'warn',
  'visitor-auth': 'busy',
  'in-collection': 'quiet',
  private: 'quiet',
};

/** Colours text by its meaning; where colour is off every method gives its text back. */
export interface Paint {
  role(text: string): string;
  state(text: string): string;
  visibility(text: string): string;
  header(text: string): string;
  label(text: string): string;
  quiet(text: string): string;
}

/** @param chalk undefined for no colour */
export function createPaint(chalk: ChalkInstance | undefined): Paint {
  if (chalk === undefined) return colourless;
  const tones: Record<Tone, Painter> = {
    good: chalk.green,
    busy: chalk.cyan,
    warn: chalk.yellow,
    bad: chalk.red,
    done: chalk.magenta,
    special: chalk.yellow.bold,
    quiet: chalk.dim,
  };
  const by = (table: Readonly<Record<string, Tone>>) => (word: string) => {
    const tone = toneOf(word, table);
    return tone === undefined ? word : tones[tone](word);
  };
  return {
    role: by(roleTones),
    state: by(stateTones),
    visibility: by(visibilityTones),
    header: chalk.bold,
    label: chalk.bold,
    quiet: chalk.dim,
  };
}

/** An error code, such as `FETCH_TIMEOUT`, is bad whichever it is; an unknown word has no colour. */
function toneOf(word: string, table: Readonly<Record<string, Tone>>): Tone | undefined {
  if (Object.hasOwn(table, word)) return table[word];
  return /_(ERROR|TIMEOUT)$/.test(word) ? 'bad' : undefined;
}

const colourless: Paint = {
  role: plain,
  state: plain,
  visibility: plain,
  header: plain,
  label: plain,
  quiet: plain,
};
