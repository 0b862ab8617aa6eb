import { shellWord } from '../../base/shell-word.js';
import type { GroupEntry } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import type { LoadPages } from '../../sandbox/server/pages.js';
import { sandboxFiles } from './control.js';

/** The pages of a server, as `docs sandbox open` shows them; loaded by their first visit. */
export function pagesOf(session: Session, file: string, groups: readonly GroupEntry[]): LoadPages {
  const { platform } = session.io;
  const isUsual = file === sandboxFiles(session, undefined).file;
  return async (parts) => {
    const { createPages } = await import('../../browser/serve.js');
    const place = isUsual ? ({ sandbox: true } as const) : { baseUrl: parts.origin() };
    return createPages(parts, {
      groups,
      place,
      platform,
      opens: `docs sandbox open${fileFlag(session, file)}`,
    });
  };
}

/** `--file`, where the database is not the usual one; with a space before it. */
export function fileFlag(session: Session, file: string): string {
  const isUsual = file === sandboxFiles(session, undefined).file;
  return isUsual ? '' : ` --file ${shellWord(file, session.io.platform)}`;
}
