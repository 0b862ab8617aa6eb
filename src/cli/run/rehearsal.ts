import type { Transport } from '../../api/transport.js';
import { DocsError, usageError } from '../../base/errors.js';
import { rehearsalVariable } from '../../settings/paths.js';
import type { Rehearsal } from '../../settings/rehearsal.js';
import type { Settings } from '../../settings/settings.js';
import { type Command, camel, type ManualInput } from '../declare/command.js';
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
  { effect, changesWith }: Pick<Command, 'effect' | 'changesWith'>,
  { options }: Pick<ManualInput, 'options'>,
): void {
  const onlyReads = changesWith?.every((name) => options[camel(name)] === undefined) === true;
  // A rehearsal in a rehearsal is refused as such.
  if (effect !== 'local' || onlyReads || path === 'rehearse') return;
  const message = `docs ${path} writes on this machine, which a rehearsal does not change; nothing was changed`;
  throw usageError('not_in_rehearsal', message, { hint: `docs ${path} --help` });
}

/** A token of another platform in a rehearsal: it must not reach the copy, and the copy would not take it. */
export function other(where: string): DocsError {
  const message = `${where} is another platform's, and this runs in a rehearsal (${rehearsalVariable}); nothing was sent`;
  return new DocsError('configuration', 'outside_rehearsal', message, {
    outcome: 'not-sent',
    hint: `unset ${where}`,
  });
}

/** @returns undefined for what is not a URL with an origin */
function originOfUrl(url: string): string | undefined {
  try {
    return new URL(url).origin;
  } catch {
    return undefined;
  }
}

/** The transport to the copy: says so where the copy is gone. What the platform named the copy downloads. */
export function toCopy(transport: Transport, { url, origin }: Rehearsal): Transport {
  const told = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (cause) {
      throw cause instanceof DocsError && cause.code === 'connection_refused' ? copyGone(cause) : cause;
    }
  };
  return {
    send: (request) => told(transport.send(request)),
    async download(address, options) {
      const from = originOfUrl(address);
      if (from === url) return told(transport.download(address, options));
      const { notNamed, platformBytesPath } = await import('../../sandbox/server/front.js');
      const asked = `${url}${platformBytesPath}?of=${encodeURIComponent(address)}`;
      try {
        return await told(transport.download(asked, options));
      } catch (error) {
        if (!(error instanceof DocsError) || error.failure.status !== notNamed) throw error;
      }
      if (from === originOfUrl(origin)) throw other(address);
      return told(transport.download(address, options));
    },
    get platformNowMs() {
      return transport.platformNowMs;
    },
    close: () => transport.close(),
  };
}

function copyGone({ failure }: DocsError): DocsError {
  const message = 'the rehearsal has ended and its copy is gone. The platform was sent nothing.';
  const { hint: _, ...facts } = failure;
  return new DocsError('network', 'rehearsal_gone', message, { ...facts, hint: 'docs rehearse --help' });
}
