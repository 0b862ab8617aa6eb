import type { Walk } from '../cli/parse/walk.js';
import type { ResourceKind } from '../cli/resolve/resource-kinds.js';
import type { Io } from '../io.js';
import { readSettings } from '../settings/settings.js';
import { cacheName, claim, freshMs, readCache, staleMs } from './cache.js';
import type { Candidate } from './candidate.js';

/**
 * Ids with their titles, from a cache that a process in the background fills: completing never waits
 * longer than a moment, whatever the platform does.
 */

/** Gives the ids of a kind, as the flags typed so far mean it; none where it does not know them. */
export type IdSource = (kind: ResourceKind, place: Walk) => Promise<readonly Candidate[]>;

/** Starts `docs` with these words in the background. */
export type StartInBackground = (words: readonly string[]) => void;

/** The hidden command that fills the cache. */
export const refreshWord = '__complete-ids';

/** How long the first list of a kind is waited for, in milliseconds; what comes later is for next time. */
const waitMs = 300;
const pollMs = 15;

/** Flags that decide which platform is asked, and as whom. */
const platformFlags = ['profile', 'base-url', 'ca-file'] as const;
const contextFlags = ['org', 'space', 'site', 'change-request'] as const;

/** The ids of the platform that the settings name. */
export function cachedIds(io: Io, start: StartInBackground): IdSource {
  return async (kind, place) => {
    const flags = flagWords(kind, place);
    const where = flags === undefined ? undefined : placeOfPlatform(io, place, kind);
    if (flags === undefined || where === undefined) return [];
    const name = cacheName([kind.list, flags, where]);
    const found = readCache(io, name);
    const ageMs = found === undefined ? Number.POSITIVE_INFINITY : io.now() - found.atMs;
    if (found !== undefined && ageMs < freshMs) return found.ids;
    if (claim(io, name)) start([refreshWord, name, kind.name, ...flags]);
    return found !== undefined && ageMs < staleMs ? found.ids : newest(io, name);
  };
}

/** Waits a moment for a list that was just asked for. */
async function newest(io: Io, name: string): Promise<readonly Candidate[]> {
  const sinceMs = io.now();
  while (io.now() - sinceMs < waitMs) {
    await io.sleep(pollMs, io.signal);
    const found = readCache(io, name);
    if (found !== undefined && found.atMs >= sinceMs - freshMs) return found.ids;
  }
  return [];
}

/**
 * The flags of the line that the list needs too.
 * @returns undefined where one of them is not known before the shell has run it: `--space "$SPACE"`
 */
function flagWords(kind: ResourceKind, { flags, args }: Walk): string[] | undefined {
  const wanted: readonly string[] = [...platformFlags, ...contextFlags.filter((flag) => takes(kind, flag))];
  const within = args.slice(0, kind.within ?? 0);
  const given = wanted.flatMap((flag) => {
    const value = flags.get(flag)?.at(-1);
    return value === undefined ? [] : [`--${flag}=${value}`];
  });
  const words = [...within, ...given];
  if (words.some((word) => /[$`]/.test(word))) return undefined;
  return flags.has('sandbox') ? ['--sandbox', ...words] : words;
}

function takes(kind: ResourceKind, flag: (typeof contextFlags)[number]): boolean {
  if (flag !== 'change-request') return kind.needs.includes(flag);
  return kind.list.startsWith('content ') || kind.list.startsWith('comments ');
}

/** What the list depends on beside its flags; undefined where there is no platform to ask. */
function placeOfPlatform(io: Io, { flags }: Walk, kind: ResourceKind): unknown {
  const last = (flag: string) => flags.get(flag)?.at(-1);
  const [profile, baseUrl] = [last('profile'), last('base-url')];
  try {
    const settings = readSettings(io, {
      ...(profile !== undefined && { profile }),
      ...(baseUrl !== undefined && { baseUrl }),
    });
    const sandbox = flags.has('sandbox');
    if (!sandbox && settings.baseUrl === undefined) return undefined;
    const context = kind.needs.map((name) => settings[name]?.value);
    const platform = sandbox ? settings.paths.dataDir : settings.baseUrl?.value;
    return [platform, settings.profile.value, context, io.env.DOCS_TOKEN ?? ''];
  } catch {
    return undefined; // Broken settings are told by commands, not by completion.
  }
}
