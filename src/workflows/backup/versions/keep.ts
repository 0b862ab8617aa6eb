import { usageError } from '../../../base/errors.js';

/** How much of earlier runs a backup keeps: `30` runs before the latest, or those of the last `90d`. */

export type Keep = { runs: number } | { days: number };

const dayMs = 86_400_000;
const mostRuns = 100_000;

/**
 * What `--keep` asks for.
 * @returns undefined if nothing is to be kept: `0` or `none`
 * @throws DocsError usage `invalid_keep`
 */
export function parseKeep(text: string): Keep | undefined {
  if (text === 'none') return undefined;
  const keep = keepOf(text);
  if (keep === 'invalid') {
    const message = `--keep ${JSON.stringify(text.slice(0, 40))} is not a number of runs or days`;
    throw usageError('invalid_keep', `${message}; use 30, 90d, or none`);
  }
  return keep;
}

/** The text of a manifest; undefined if nothing is kept, or it is not valid. */
export function keepInManifest(text: unknown): Keep | undefined {
  const keep = typeof text === 'string' ? keepOf(text) : undefined;
  return keep === 'invalid' ? undefined : keep;
}

export function keepText(keep: Keep): string {
  return 'runs' in keep ? String(keep.runs) : `${keep.days}d`;
}

/**
 * The runs that are no longer kept.
 * @param runs earlier runs that are kept so far, the oldest first
 */
export function expired<T extends { startedAt: string }>(
  runs: readonly T[],
  keep: Keep,
  nowMs: number,
): readonly T[] {
  if ('runs' in keep) return runs.slice(0, Math.max(0, runs.length - keep.runs));
  return runs.filter(({ startedAt }) => Date.parse(startedAt) < nowMs - keep.days * dayMs);
}

function keepOf(text: string): Keep | undefined | 'invalid' {
  const [, amount, unit] = /^(\d{1,6})(d?)$/.exec(text) ?? [];
  if (amount === undefined || Number(amount) > mostRuns) return 'invalid';
  if (Number(amount) === 0) return undefined;
  return unit === 'd' ? { days: Number(amount) } : { runs: Number(amount) };
}
