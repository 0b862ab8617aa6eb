import type { CallOptions } from '../../api/client.js';
import { shellWord } from '../../base/shell-word.js';

/** What a change request is in the errors of its reads: where it was not found, the list of its space is next. */
export function aboutRequest(
  { spaceId, changeRequestId }: { spaceId: string; changeRequestId: string },
  platform: NodeJS.Platform,
): CallOptions {
  const at = `--space ${shellWord(spaceId, platform)}`;
  const show = `docs change-requests get ${shellWord(changeRequestId, platform)} ${at}`;
  const subject = { what: `change request ${changeRequestId}`, showCommand: show };
  return { subject: { ...subject, listCommand: `docs change-requests list ${at}` } };
}
