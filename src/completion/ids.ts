import { startChild, withheldFrom } from '../base/child-process.js';
import type { Io } from '../base/io.js';
import { ownProgram } from '../base/own-program.js';
import type { Walk } from '../cli/parse/walk.js';
import { cachedList } from '../cli/run/cached-list.js';
import type { Resource } from '../model/resources.js';
import { claim, freshMs, readCache, staleMs } from '../settings/title-cache.js';
import type { Candidate } from './candidate.js';

/** Gives the ids of a kind for the flags typed so far; none if they are unknown. */
export type IdSource = (kind: Resource, place: Walk) => Promise<readonly Candidate[]>;

/** Starts `docs` with these words in the background. */
type StartInBackground = (words: readonly string[]) => void;

/** How long completion waits for the first list of a kind, in milliseconds; a later list serves next time. */
const waitMs = 300;
const pollMs = 15;

/** From a cache that a background process fills, so that completion never waits long for the platform. */
export function cachedIds(io: Io, start: StartInBackground): IdSource {
  return async (kind, place) => {
    const list = cachedList(io, kind, place);
    if (list === undefined) return [];
    const { name, words } = list;
    const found = readCache(io, name);
    const ageMs = found === undefined ? Number.POSITIVE_INFINITY : io.now() - found.atMs;
    if (found !== undefined && ageMs < freshMs) return found.ids;
    if (claim(io, name)) start(['__complete-ids', name, kind.name, ...words]);
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

/** Starts docs as a detached process, which outlives this one and reads its credentials from a pipe. */
export function inBackground(io: Io): StartInBackground {
  return (words) => {
    const { program, args } = ownProgram();
    const child = startChild(io, program, [...args, ...words], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    child.on('error', () => {}); // Without the process there are no ids; completion stays silent.
    child.stdin?.on('error', () => {}).end(JSON.stringify(withheldFrom(io.env)));
    child.unref();
  };
}
