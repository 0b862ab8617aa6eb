import { type Client, createClient, requestsAtOnce } from '../api/client.js';
import type { TransportRequest, TransportResponse } from '../api/transport/contract.js';
import { nextTurn } from '../base/turn.js';

/** How much of the time that the fastest answer took is for other work, before an answer is due. */
const shareOfOthers = 0.8;

/** Waits while an answer of the gate that was made last is due. */
let giveWay: (() => Promise<void>) | undefined;

/**
 * A turn between two pieces of other work, such as loading and reading files. A piece that begins just before an answer
 * comes would keep it waiting, and with it the requests that are sent for it.
 */
export async function nextPiece(): Promise<void> {
  await nextTurn();
  await giveWay?.();
}

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
  const answering = new Answering();
  giveWay = async () => {
    if (waiting.length > 0) await answering.pause();
  };
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
    const answered = answering.sent();
    try {
      return await client.send(request);
    } finally {
      answered();
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

/** When the answers of requests under way are due, by the one that came fastest. */
class Answering {
  readonly #sentMs: number[] = [];
  #fastestMs = Number.POSITIVE_INFINITY;
  readonly #paused: (() => void)[] = [];

  /** @returns to be called with the answer */
  sent(): () => void {
    const sentMs = performance.now();
    this.#sentMs.push(sentMs);
    for (const goOn of this.#paused.splice(0)) setImmediate(goOn);
    return () => {
      this.#sentMs.splice(this.#sentMs.indexOf(sentMs), 1);
      this.#fastestMs = Math.min(this.#fastestMs, performance.now() - sentMs);
    };
  }

  /** Until the next request is sent, if an answer is due; some answers take long, so not for longer than a fast one takes. */
  async pause(): Promise<void> {
    const [oldestMs = Number.POSITIVE_INFINITY] = this.#sentMs;
    if (performance.now() - oldestMs < this.#fastestMs * shareOfOthers) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((goOn) => {
      this.#paused.push(goOn);
      timer = setTimeout(goOn, this.#fastestMs);
    });
    clearTimeout(timer);
  }
}
