import { DocsError, usageError } from '../../base/errors.js';
import { rehearsalVariable } from '../../settings/paths.js';
import type { Rehearsal } from '../../settings/rehearsal.js';
import type { Settings } from '../../settings/settings.js';
import { camel, type ManualInput } from '../declare/command.js';
import type { Governed } from '../declare/governed.js';
import type { Globals } from '../declare/session.js';

/** What a command may not do in a rehearsal: reach anything but the copy, or change files of docs on this machine. */

/**
 * Refuses another platform than the copy, whoever names it.
 * @throws DocsError usage `outside_rehearsal` for a flag, configuration for a variable; nothing was sent
 */
export function refuseOutside({ url, profile }: Rehearsal, settings: Settings, globals: Globals): void {
  const flag =
    (globals.sandbox && '--sandbox') ||
    (globals.profile !== undefined && globals.profile !== profile && '--profile') ||
    (globals.baseUrl !== undefined && originOfUrl(globals.baseUrl) !== url && '--base-url');
  if (flag) {
    const message = `${flag} names another platform than the copy that is rehearsed on; nothing was sent.`;
    throw usageError('outside_rehearsal', `${message} It belongs before the --: docs rehearse ${flag} …`, {
      hint: 'docs rehearse --help',
    });
  }
  const { baseUrl } = settings;
  if (baseUrl !== undefined && originOfUrl(baseUrl.value) !== url) throw other(baseUrl.where);
}

/** Refuses what writes settings, journals or folders of docs: the rehearsal would outlive itself. */
export function refuseLocal(
  path: string,
  { effect, changesWith }: Governed,
  { options }: Pick<ManualInput, 'options'>,
): void {
  const onlyReads = changesWith?.every((name) => options[camel(name)] === undefined) === true;
  // A rehearsal in a rehearsal is refused as such.
  if (effect !== 'local' || onlyReads || path === 'rehearse') return;
  const message = `docs ${path} writes on this machine, which a rehearsal leaves as it is; nothing was changed.`;
  throw usageError('not_in_rehearsal', message, { hint: `docs ${path} --help` });
}

/** A token of another platform in a rehearsal: it must not reach the copy, and the copy would not take it. */
export function other(where: string): DocsError {
  const message = `${where} is another platform's, and this runs in a rehearsal (${rehearsalVariable}); nothing was sent.`;
  return new DocsError('configuration', 'outside_rehearsal', message, {
    outcome: 'not-sent',
    hint: `unset ${where}`,
  });
}

/** @returns undefined for what is not a URL with an origin */
export function originOfUrl(url: string): string | undefined {
  try {
    return new URL(url).origin;
  } catch {
    return undefined;
  }
}
