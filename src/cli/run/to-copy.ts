import type { Transport } from '../../api/transport.js';
import { DocsError } from '../../base/errors.js';
import { notNamed, platformBytesPath } from '../../sandbox/server/front.js';
import type { Rehearsal } from '../../settings/rehearsal.js';
import { originOfUrl, other } from './in-rehearsal.js';

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
  const message = 'The rehearsal has ended and its copy is gone. The platform was sent nothing.';
  const { hint: _, ...facts } = failure;
  return new DocsError('network', 'rehearsal_gone', message, { ...facts, hint: 'docs rehearse --help' });
}
