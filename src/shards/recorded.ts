import type { Transport, TransportRequest } from '../api/transport.js';
import { DocsError } from '../base/errors.js';
import type { Answer } from './answer-lines.js';
import type { PartWriter } from './answer-part.js';
import type { AnswerPart } from './read-part.js';
import { shardWords } from './shard.js';

/** Failures that end a run: they are no answer. */
const fatal: readonly string[] = ['interrupted', 'terminated', 'local-io', 'unauthenticated', 'bug'];

/** The same transport, which keeps what is answered to reads in a part. */
export function recorded(transport: Transport, writer: PartWriter): Transport {
  return {
    async send(request: TransportRequest) {
      if (request.method !== 'GET' || request.read !== 'json') return transport.send(request);
      const path = request.path;
      try {
        const response = await transport.send(request);
        await writer.add(path, { ok: true, response });
        return response;
      } catch (cause) {
        if (cause instanceof DocsError && !fatal.includes(cause.kind))
          await writer.add(path, { ok: false, error: cause });
        throw cause;
      }
    },
    download: (url, options) => transport.download(url, options),
    get platformNowMs() {
      return transport.platformNowMs;
    },
    get rateLimit() {
      return transport.rateLimit;
    },
    close: () => transport.close(),
  };
}

/**
 * Answers reads from parts, and sends nothing. What several parts read is as the one that started last read it, and a
 * failure only where none has an answer. What no part read is a failure: it is new since its part was read.
 */
export function replayed(parts: readonly AnswerPart[]): Transport {
  const newest = [...parts].sort(({ head: a }, { head: b }) =>
    a.startedAt > b.startedAt ? -1 : a.startedAt < b.startedAt ? 1 : a.shard.index - b.shard.index,
  );
  const times = parts.flatMap(({ end: { platformNowMs } }) => platformNowMs ?? []);
  const platformNowMs = times.length === 0 ? undefined : Math.min(...times);
  return {
    async send({ method, path }) {
      if (method !== 'GET') throw sent(method, path);
      const part = newest.find((one) => one.has(path) === 'answer') ?? newest.find((one) => one.has(path));
      if (part === undefined) throw unread();
      const answer: Answer | undefined = await part.answer(path);
      if (answer === undefined) throw changed(part);
      if (!answer.ok) throw answer.error;
      return answer.response;
    },
    async download(url) {
      throw sent('GET', url);
    },
    platformNowMs,
    close: async () => {},
  };
}

function sent(method: string, path: string): DocsError {
  const message = `This is a bug in docs: ${method} ${path} was not sent, because parts are joined without the platform.`;
  return new DocsError('bug', 'read_only', message, { outcome: 'not-sent', hint: 'docs doctor' });
}

function unread(): DocsError {
  const message = 'No part has read it; it is new since its part was read.';
  return new DocsError('partial', 'not_in_parts', message, { outcome: 'not-sent', retryable: true });
}

function changed({ shard }: AnswerPart): DocsError {
  const message = `${shardWords(shard)} was changed while it was joined.`;
  return new DocsError('partial', 'part_changed', message, { outcome: 'not-sent', retryable: true });
}
