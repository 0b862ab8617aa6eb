import { type Client, createClient, requestsAtOnce } from '../api/client.js';
import type { TransportRequest, TransportResponse } from '../api/transport/contract.js';
import { nowMs } from '../api/transport/limit.js';
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
  const turns = new Turns(atOnce);
  giveWay = () => turns.giveWay();
  const answers = new Map<string, Promise<TransportResponse>>();
  const inTurn: Client['send'] = async (request) => {
    const answered = await turns.take();
    try {
      return await client.send(request);
    } finally {
      answered();
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
    end: (cause) => turns.end(cause),
  };
}

/** Turns for requests, and when answers are due, by the one that came fastest. */
class Turns {
  readonly #atOnce: number;
  readonly #waiting: { go(): void; giveUp(cause: unknown): void }[] = [];
  #underWay = 0;
  #ended: { cause: unknown } | undefined;
  readonly #sentMs: number[] = [];
  #fastestMs = Number.POSITIVE_INFINITY;
  /** Other work that gives way. */
  readonly #paused: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Waits for a turn. @returns to be called with the answer @throws what ended the gate */
  async take(): Promise<() => void> {
    if (this.#ended !== undefined) throw this.#ended.cause;
    if (this.#underWay < this.#atOnce) this.#underWay += 1;
    else await new Promise<void>((go, giveUp) => this.#waiting.push({ go, giveUp }));
    const sentMs = nowMs();
    this.#sentMs.push(sentMs);
    for (const goOn of this.#paused.splice(0)) setImmediate(goOn);
    return () => this.#answered(sentMs);
  }

  #answered(sentMs: number): void {
    this.#sentMs.splice(this.#sentMs.indexOf(sentMs), 1);
    this.#fastestMs = Math.min(this.#fastestMs, nowMs() - sentMs);
    const next = this.#waiting.shift();
    if (next === undefined) this.#underWay -= 1;
    else next.go();
  }

  /**
   * Until the next request is sent, where an answer is due and requests wait. Some answers take long, so not for longer than
   * the fastest took.
   */
  async giveWay(): Promise<void> {
    const [oldestMs] = this.#sentMs;
    if (this.#waiting.length === 0 || oldestMs === undefined) return;
    if (nowMs() - oldestMs < this.#fastestMs * shareOfOthers) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((goOn) => {
      this.#paused.push(goOn);
      timer = setTimeout(goOn, this.#fastestMs);
    });
    clearTimeout(timer);
  }

  end(cause: unknown): void {
    this.#ended ??= { cause };
    for (const { giveUp } of this.#waiting.splice(0)) giveUp(cause);
  }
}
