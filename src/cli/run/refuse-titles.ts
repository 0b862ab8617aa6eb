import { usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import type { Session } from '../declare/session.js';
import { canBeId } from '../resolve/id-places.js';

/**
 * For hand-written commands that name resources in requests of their own: a title was not looked up where nobody is
 * at the terminal, so it is refused before anything is sent.
 * @param place as errors name it: `<space>`, `--space`
 * @param ids as they came out of `resolveIds`
 * @throws DocsError usage `invalid_input`; its hint is the same command with `--by-title`
 */
export function refuseTitles(session: Session, place: string, ids: readonly string[]): void {
  const text = ids.find((id) => !canBeId(id));
  if (text === undefined) return;
  const shown = JSON.stringify(text.slice(0, 100));
  // With the flag everything was looked up: what is left is not a title either, such as a line of a file.
  const isLookedUp = session.globals.byTitle === true;
  const message = isLookedUp
    ? `${place}: ${shown} is not an id.`
    : `${place}: ${shown} is not an id; pass an id, or a title with --by-title.`;
  throw usageError('invalid_input', message, isLookedUp ? {} : { hint: withFlag(session) });
}

/** The command line as it was typed, with `--by-title`. */
function withFlag({ line, io }: Session): string {
  const end = line.indexOf('--');
  const [before, after] = end < 0 ? [line, []] : [line.slice(0, end), line.slice(end)];
  return ['docs', ...before, '--by-title', ...after].map((word) => shellWord(word, io.platform)).join(' ');
}
