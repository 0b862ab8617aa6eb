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
