import { type Client, createClient } from '../../api/client.js';

/**
 * The client with at most so many requests under way; the others wait in their order. After the first failure that
 * `end` is told of, those that wait are given up.
 */
export function gated(client: Client, atOnce: number): { client: Client; end(cause: unknown): void } {
  const waiting: { go(): void; giveUp(cause: unknown): void }[] = [];
  let underWay = 0;
  let ended: { cause: unknown } | undefined;
  const turn = async (): Promise<void> => {
    if (ended !== undefined) throw ended.cause;
    if (underWay < atOnce) underWay += 1;
    else await new Promise<void>((go, giveUp) => waiting.push({ go, giveUp }));
  };
  const send: Client['send'] = async (request) => {
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
    send,
    download: client.download.bind(client),
    close: client.close.bind(client),
    get platformNowMs() {
      return client.platformNowMs;
    },
  };
  return {
    client: createClient(transport),
    end(cause) {
      ended ??= { cause };
      for (const { giveUp } of waiting.splice(0)) giveUp(cause);
    },
  };
}
