import { expect, it } from 'vitest';
import type { Transport } from '../../../src/api/transport.js';
import { DocsError } from '../../../src/base/errors.js';
import { toCopy } from '../../../src/cli/run/rehearsal.js';

/** Downloads in a rehearsal: of the copy, then of elsewhere, and never of the platform past the copy. */

const url = 'http://127.0.0.1:41234';
const origin = 'https://docs.example';
const rehearsal = { url, origin } as Parameters<typeof toCopy>[1];

/** What is asked for a download where the copy answers with an error. */
async function asked(address: string, error: Error): Promise<{ asked: string[]; code?: unknown }> {
  const asked: string[] = [];
  const transport = {
    download: async (from: string) => {
      asked.push(from);
      if (from.startsWith(url)) throw error;
      return 'downloaded';
    },
  } as unknown as Transport;
  try {
    await toCopy(transport, rehearsal).download(address, {} as Parameters<Transport['download']>[1]);
    return { asked };
  } catch (cause) {
    return { asked, code: cause instanceof DocsError ? cause.code : cause };
  }
}

const elsewhere = 'https://files.example/a.png';
const ofCopy = (address: string) => `${url}/platform-bytes?of=${encodeURIComponent(address)}`;
const failed = (status: number) => new DocsError('server-error', 'failed', 'Failed.', { status });

it('an address that the platform did not name is asked directly, unless it is one of the platform', async () => {
  const file = `${origin}/a.png`;
  expect(await asked(elsewhere, failed(421))).toEqual({ asked: [ofCopy(elsewhere), elsewhere] });
  expect(await asked(file, failed(421))).toEqual({ asked: [ofCopy(file)], code: 'outside_rehearsal' });
});

it.each([
  ['an answer of the platform', failed(404), 'failed'],
  ['a failure without an answer', new DocsError('network', 'connection_reset', 'Reset.'), 'connection_reset'],
  ['a copy that is gone', new DocsError('network', 'connection_refused', 'Refused.'), 'rehearsal_gone'],
])('%s is the answer: nothing else is asked', async (_, error, code) => {
  expect(await asked(elsewhere, error)).toEqual({ asked: [ofCopy(elsewhere)], code });
});

it('what is not a failure of docs is thrown as it is', async () => {
  const bug = new TypeError('x is not a function');
  expect(await asked(elsewhere, bug)).toEqual({ asked: [ofCopy(elsewhere)], code: bug });
});
