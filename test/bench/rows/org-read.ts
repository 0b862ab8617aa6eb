import { writeFileSync } from 'node:fs';
import { type Client, createClient } from '../../../src/api/client.js';
import { createTransport } from '../../../src/api/transport.js';
import { DocsError } from '../../../src/base/errors.js';
import { readLive } from '../../../src/organization/live/read.js';
import { fakeIo } from '../../fake-io.js';
import type { Bench, Row } from '../bench.js';
import { type SandboxServer, withSandbox } from '../sandbox-server.js';

const atOnce = 8;
const answerMs = 20;
const runs = 20;
const mostRequests = 160;

/** What `docs pull` and `docs plan` read of a company of 400, against what the server's own time comes to. */
export const orgRead: Row = (bench) =>
  withSandbox(bench, 'acme', async (sandbox) => {
    const file = bench.path('answers.json');
    const requests = await record(sandbox, file);
    if (requests > mostRequests) throw new Error(`The organization took ${requests} requests.`);
    const { url } = await bench.server('replayed', [file, String(answerMs)]);
    const ours = await timesOf(bench, url, sandbox);
    const ideal = Math.ceil(requests / atOnce) * answerMs;
    return [
      {
        what: `an organization of 400 read for \`docs pull\`, answered after ${answerMs} ms`,
        against: `the ideal, ${requests} requests / ${atOnce} × ${answerMs} ms`,
        goal: { most: 1.25 },
        unit: 'ms',
        ...{ ours, theirs: ours.map(() => ideal) },
      },
    ];
  });

async function timesOf(bench: Bench, url: string, { token, org }: SandboxServer): Promise<number[]> {
  const times: number[] = [];
  for (let round = -1; round < bench.runs(runs); round += 1) {
    const client = clientOf(url, token);
    const startMs = performance.now();
    await readAll(client, org);
    if (round >= 0) times.push(performance.now() - startMs); // The other one warmed up.
    await client.close();
  }
  return times;
}

/** Writes down what the sandbox answers to each request. @returns how many there were */
async function record({ url, token, org }: SandboxServer, file: string): Promise<number> {
  const answers: Record<string, string | null> = {};
  const client = clientOf(url, token);
  const send: Client['send'] = async (request) => {
    try {
      const response = await client.send(request);
      answers[request.path] = JSON.stringify(response.body);
      return response;
    } catch (cause) {
      if (!(cause instanceof DocsError && cause.kind === 'not-found')) throw cause;
      answers[request.path] = null;
      throw cause;
    }
  };
  const { platformNowMs } = client;
  const download: Client['download'] = (address, options) => client.download(address, options);
  await readAll(createClient({ send, platformNowMs, download, close: () => client.close() }), org);
  await client.close();
  writeFileSync(file, JSON.stringify(answers));
  return Object.keys(answers).length;
}

async function readAll(client: Client, org: string): Promise<void> {
  const { missed } = await readLive(
    client,
    org,
    () => true,
    () => {},
  );
  if (missed.length > 0) throw new Error(missed.join('\n'));
}

function clientOf(baseUrl: string, token: string): Client {
  const credential = { token, origin: baseUrl };
  return createClient(createTransport({ baseUrl, credential, io: fakeIo(), userAgent: 'bench' }));
}
