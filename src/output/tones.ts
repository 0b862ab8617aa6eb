import type { ChalkInstance } from 'chalk';
import { type Painter, painters, plain } from './colors.js';

/** What a colour means: the same in every command, and in reports. */
export type Tone = 'good' | 'busy' | 'warn' | 'bad' | 'done' | 'special' | 'quiet';

/** Kinds of values that have tones. */
export type Toned = 'role' | 'state' | 'visibility';

type Tones = ReadonlyMap<string, Tone>;

const tables: Readonly<Record<Toned, Tones>> = {
  role: tonesOf({ special: 'admin owner', busy: 'create review edit', quiet: 'comment read none' }),
  state: tonesOf({
    good: 'open ok complete active live published',
    quiet: 'draft skipped inherit',
    done: 'merged merge resolved',
    busy: 'pending progress update',
    warn: 'in-app locked unknown outdated',
    bad: 'archived broken conflicts deleted failed',
  }),
  visibility: tonesOf({
    good: 'public',
    warn: 'unlisted share-link',
    busy: 'visitor-auth',
    quiet: 'in-collection private',
  }),
};

/** The tone of a word. An error code, such as `FETCH_TIMEOUT`, is bad whichever it is; an unknown word has none. */
export function toneOf(kind: Toned, word: string): Tone | undefined {
  return tables[kind].get(word) ?? (/_(ERROR|TIMEOUT)$/.test(word) ? 'bad' : undefined);
}

function tonesOf(words: Partial<Record<Tone, string>>): Tones {
  const tones = Object.entries(words) as [Tone, string][];
  return new Map(tones.flatMap(([tone, text]) => text.split(' ').map((word) => [word, tone])));
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
