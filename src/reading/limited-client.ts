import { type Client, createClient } from '../api/client.js';
import { DocsError } from '../base/errors.js';

/** How long reads with a client may take. */
export interface Limit {
  /** Aborted once the time is up, with `lateError` as its reason. */
  until: AbortSignal;
  /** Called before each request, with how many there were. */
  onRequest?: (requests: number) => void;
  /** Items per page; default: as many as the platform gives. */
  pageSize?: number | undefined;
}

/** The code of the error of a read that was ended, or not begun, because the time was up. */
export const outOfTime = 'out_of_time';

export function lateError(): DocsError {
  return new DocsError('deadline', outOfTime, 'The time for looking it up was over.');
}

/** The same client, whose requests end once the time is up, also those under way. */
export function limitedClient(client: Client, { until, onRequest, pageSize }: Limit): Client {
  let requests = 0;
  const transport: Parameters<typeof createClient>[0] = {
    async send(request) {
      until.throwIfAborted();
      onRequest?.(requests);
      requests += 1;
      const signals = request.signal === undefined ? [until] : [until, request.signal];
      return client.send({ ...request, signal: AbortSignal.any(signals) });
    },
    download: (url, options) => client.download(url, options),
    get platformNowMs() {
      return client.platformNowMs;
    },
    // Whoever opened it closes it.
    close: async () => {},
  };
  return createClient(transport, pageSize === undefined ? {} : { pageSize });
}
