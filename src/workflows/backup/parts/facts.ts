import { defined } from '../../../base/values.js';
import type { Counts, FailedEntry, Manifest } from '../folder/manifest.js';
import { summed } from '../read/counts.js';
import type { Part } from './open-parts.js';

/** What the manifest of the whole says that follows from the parts alone. */
export interface PartFacts extends Pick<Manifest, 'platform' | 'organization' | 'startedAt'> {
  /** When the first of the parts was done: a monitor takes the whole for as old as its oldest part. */
  finishedAt: string;
  ages: Pick<Manifest, 'readAt' | 'accessReadAt' | 'older'>;
  /** What was counted of the organization itself. */
  tally: Counts;
  failed: FailedEntry[];
  /** Whether every part could read every list of spaces. */
  whole: boolean;
}

export function factsOf(parts: readonly [Part, ...Part[]]): PartFacts {
  const [first] = parts;
  const { platform, organization, readAt } = first.manifest;
  const access = earliest(parts.map(({ manifest }) => manifest.accessReadAt ?? undefined));
  return {
    platform,
    organization,
    startedAt: earliest(parts.map(({ record }) => record.startedAt)) ?? first.record.startedAt,
    finishedAt: earliest(parts.map(({ record }) => record.finishedAt)) ?? first.record.finishedAt,
    ages: defined({ readAt, accessReadAt: access ?? null, older: olderOf(parts) }),
    tally: tallyOf(parts),
    failed: failedOf(parts),
    whole: parts.every(({ record }) => record.whole),
  };
}

function olderOf(parts: readonly Part[]): Manifest['older'] {
  const kinds = new Set(parts.flatMap(({ manifest }) => Object.keys(manifest.older ?? {})));
  if (kinds.size === 0) return undefined;
  const times = [...kinds].sort().map((kind) => {
    return [kind, earliest(parts.map(({ manifest }) => manifest.older?.[kind])) ?? ''] as const;
  });
  return Object.fromEntries(times);
}

/** Times of one form are in the order of their texts. */
function earliest(times: readonly (string | undefined)[]): string | undefined {
  return times.filter((time) => time !== undefined).sort()[0];
}

/** The counts that no space has; what several parts counted is of different things. */
function tallyOf(parts: readonly Part[]): Counts {
  const tally: Record<string, number> = {};
  for (const { manifest } of parts) {
    const ofSpaces = summed({}, manifest.spaces);
    for (const [name, count] of Object.entries(manifest.counts))
      if (!(name in ofSpaces)) tally[name] = (tally[name] ?? 0) + count;
  }
  return tally;
}

/** Each failure once: every part reads the lists of spaces. */
function failedOf(parts: readonly Part[]): FailedEntry[] {
  const all = parts.flatMap(({ manifest }) => manifest.failed);
  const keyOf = ({ kind, id, space }: FailedEntry) => JSON.stringify([kind, id, space]);
  return [...new Map([...all].reverse().map((entry) => [keyOf(entry), entry])).values()].reverse();
}
