import { type Client, createClient, requestsAtOnce } from '../api/client.js';
import type { TransportRequest, TransportResponse } from '../api/transport/contract.js';

/** A client that sends a few requests at once, and what it sent before anybody asked for the answers. */
export interface Gate {
  client: Client;
  /** Sends a request of which the answer is asked for later, by the same request, once. */
  ahead(request: TransportRequest): Promise<TransportResponse>;
  /** Gives up what waits, and all that comes. */
  end(cause: unknown): void;
}

/**
 * The client with at most so many requests under way; the others wait in their order. The first failure that `end` gets
 * ends those that wait.
 */
export function gated(client: Client, atOnce = requestsAtOnce): Gate {
  const waiting: { go(): void; giveUp(cause: unknown): void }[] = [];
  const answers = new Map<string, Promise<TransportResponse>>();
  let underWay = 0;
  let ended: { cause: unknown } | undefined;
  const turn = async (): Promise<void> => {
    if (ended !== undefined) throw ended.cause;
    if (underWay < atOnce) underWay += 1;
    else await new Promise<void>((go, giveUp) => waiting.push({ go, giveUp }));
  };
  const inTurn: Client['send'] = async (request) => {
    await turn();
    try {
      return await client.send(request);
    } finally {
      const next = waiting.shift();
      if (next === undefined) underWay -= 1;
      else next.go();
    }
  };
  const transport = {
    send(request: TransportRequest) {
      const known = request.method === 'GET' ? answers.get(request.path) : undefined;
      answers.delete(request.path);
      return known ?? inTurn(request);
    },
    download: client.download.bind(client),
    close: client.close.bind(client),
    get platformNowMs() {
      return client.platformNowMs;
    },
  };
  return {
    client: createClient(transport),
    ahead(request) {
      const answer = inTurn(request);
      answer.catch(() => {}); // Thrown again where it is awaited, which may be later or never.
      answers.set(request.path, answer);
      return answer;
    },
    end(cause) {
      ended ??= { cause };
      for (const { giveUp } of waiting.splice(0)) giveUp(cause);
    },
  };
}
