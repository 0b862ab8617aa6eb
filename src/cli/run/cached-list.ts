import type { Io } from '../../base/io.js';
import type { Parent, Resource } from '../../model/resources.js';
import { readSettings } from '../../settings/settings.js';
import { cacheName } from '../../settings/title-cache.js';
import { type ContextParameter, contextFlags } from '../declare/global-flags.js';
import type { Walk } from '../parse/walk.js';

/** Names the list of a kind in the cache of ids and titles: by all that the list depends on. */

/** Flags that select the platform and the account, and the policy that must allow the list. */
const platformFlags = ['profile', 'base-url', 'ca-file', 'policy'] as const;

/** What of a command line matters. */
export type Line = Pick<Walk, 'flags' | 'args'>;

/**
 * The name of the list, and the words that its command needs.
 * @returns undefined where no platform is configured, or the shell has yet to expand a word: `--space "$SPACE"`
 */
export function cachedList(
  io: Io,
  kind: Resource,
  line: Line,
): { name: string; words: string[] } | undefined {
  const words = flagWords(kind, line);
  const where = words === undefined ? undefined : placeOfPlatform(io, line, kind);
  if (words === undefined || where === undefined) return undefined;
  return { name: cacheName([kind.command.words, words, where]), words };
}

/** The typed flags that the list needs too. */
function flagWords(kind: Resource, { flags, args }: Line): string[] | undefined {
  const wanted: readonly string[] = [
    ...platformFlags,
    ...Object.values(contextFlags).filter((flag) => takes(kind, flag)),
  ];
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
const parentFlags: { readonly [P in Parent]?: 'org' | 'space' | 'site' } = contextFlags;

function takes(kind: Resource, flag: (typeof contextFlags)[ContextParameter]): boolean {
  if (flag !== 'change-request') return kind.parents.some((parent) => parentFlags[parent] === flag);
  return kind.command.words.startsWith('content ') || kind.command.words.startsWith('comments ');
}

/** What the list depends on besides its flags; undefined if no platform is configured. */
function placeOfPlatform(io: Io, { flags }: Line, kind: Resource): unknown {
  const last = (flag: string) => flags.get(flag)?.at(-1);
  const [profile, baseUrl] = [last('profile'), last('base-url')];
  try {
    const settings = readSettings(io, { profile, baseUrl });
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
