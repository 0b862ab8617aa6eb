import type { Walk } from '../cli/parse/walk.js';
import type { Kind, Parent } from '../cli/resolve/catalogue.js';
import { defined } from '../defined.js';
import type { Io } from '../io.js';
import { readSettings } from '../settings/settings.js';
import { cacheName, claim, freshMs, readCache, staleMs } from './cache.js';
import type { Candidate } from './candidate.js';

/** Gives the ids of a kind for the flags typed so far; none if they are unknown. */
export type IdSource = (kind: Kind, place: Walk) => Promise<readonly Candidate[]>;

/** Starts `docs` with these words in the background. */
export type StartInBackground = (words: readonly string[]) => void;

/** How long completion waits for the first list of a kind, in milliseconds; a later list serves next time. */
const waitMs = 300;
const pollMs = 15;

/** Flags that select the platform and the account, and the policy that must allow the list. */
const platformFlags = ['profile', 'base-url', 'ca-file', 'policy'] as const;
const contextFlags = ['org', 'space', 'site', 'change-request'] as const;

/** From a cache that a background process fills, so that completion never waits long for the platform. */
export function cachedIds(io: Io, start: StartInBackground): IdSource {
  return async (kind, place) => {
    const flags = flagWords(kind, place);
    const where = flags === undefined ? undefined : placeOfPlatform(io, place, kind);
    if (flags === undefined || where === undefined) return [];
    const name = cacheName([kind.command.words, flags, where]);
    const found = readCache(io, name);
    const ageMs = found === undefined ? Number.POSITIVE_INFINITY : io.now() - found.atMs;
    if (found !== undefined && ageMs < freshMs) return found.ids;
    if (claim(io, name)) start(['__complete-ids', name, kind.name, ...flags]);
    return found !== undefined && ageMs < staleMs ? found.ids : newest(io, name);
  };
}

/** Waits briefly for a list that was just requested. */
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
 * The typed flags that the list needs too.
 * @returns undefined if the shell has yet to expand one: `--space "$SPACE"`
 */
function flagWords(kind: Kind, { flags, args }: Walk): string[] | undefined {
  const wanted: readonly string[] = [...platformFlags, ...contextFlags.filter((flag) => takes(kind, flag))];
  const within = args.slice(0, kind.command.within ?? 0);
  const given = wanted.flatMap((flag) => {
    const value = flags.get(flag)?.at(-1);
    return value === undefined ? [] : [`--${flag}=${value}`];
  });
  const words = [...within, ...given];
  if (words.some((word) => /[$`]/.test(word))) return undefined;
  return flags.has('sandbox') ? ['--sandbox', ...words] : words;
}

/** The flags of the parents that settings know, too. */
const parentFlags: { readonly [P in Parent]?: 'org' | 'space' | 'site' } = {
  organizationId: 'org',
  spaceId: 'space',
  siteId: 'site',
};

function takes(kind: Kind, flag: (typeof contextFlags)[number]): boolean {
  if (flag !== 'change-request') return kind.parents.some((parent) => parentFlags[parent] === flag);
  return kind.command.words.startsWith('content ') || kind.command.words.startsWith('comments ');
}

/** What the list depends on besides its flags; undefined if no platform is configured. */
function placeOfPlatform(io: Io, { flags }: Walk, kind: Kind): unknown {
  const last = (flag: string) => flags.get(flag)?.at(-1);
  const [profile, baseUrl] = [last('profile'), last('base-url')];
  try {
    const settings = readSettings(io, defined({ profile, baseUrl }));
    const sandbox = flags.has('sandbox');
    if (!sandbox && settings.baseUrl === undefined) return undefined;
    const context = kind.parents.map((parent) => {
      const flag = parentFlags[parent];
      return flag && settings[flag]?.value;
    });
    const platform = sandbox ? settings.paths.dataDir : settings.baseUrl?.value;
    return [platform, settings.profile.value, context, io.env.DOCS_TOKEN ?? ''];
  } catch {
    return undefined; // Commands report invalid settings; completion stays silent.
  }
}
