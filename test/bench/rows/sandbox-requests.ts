import { writeFileSync } from 'node:fs';
import type { Bench, Row } from '../bench.js';
import { type Load, requestsPerSecond } from '../load.js';
import { type SandboxServer, withSandbox } from '../sandbox-server.js';

const rounds = 20;

/** Requests a second that the sandbox answers, against Fastify answering stored bytes. */
export const sandboxRequests: Row = (bench) =>
  withSandbox(bench, 'huge', async (sandbox) => {
    const loads = await loadsOf(sandbox);
    const stored = await storedServer(bench, sandbox, loads);
    const measured = [];
    for (const { what, load, requests } of loads) {
      const ours: number[] = [];
      const theirs: number[] = [];
      for (let round = -1; round < bench.runs(rounds); round += 1) {
        const pair = [
          await requestsPerSecond(load, requests),
          await requestsPerSecond({ ...load, url: stored }, requests),
        ] as const;
        if (round < 0) continue; // That one warmed up.
        ours.push(pair[0]);
        theirs.push(pair[1]);
      }
      measured.push({
        ...{ what, against: 'Fastify answering stored bytes', goal: { least: 0.4 } },
        ...{ unit: 'requests/s' as const, ours, theirs },
      });
    }
    return measured;
  });

interface NamedLoad {
  what: string;
  load: Load;
  requests: number;
}

async function loadsOf({ url, token, org, space }: SandboxServer): Promise<NamedLoad[]> {
  const members = `/v1/orgs/${org}/members?limit=1000`;
  return [
    {
      what: 'sandbox: members list, page of 1,000',
      load: { url, token, method: 'GET', path: members },
      requests: 400,
    },
    {
      what: 'sandbox: `PATCH` of a space',
      load: {
        ...{ url, token, method: 'PATCH', path: `/v1/spaces/${space}` },
        body: (index) => JSON.stringify({ title: `Guide ${index}` }),
      },
      requests: 1000,
    },
  ];
}

/** The baseline, with the very bytes that the sandbox answers. */
async function storedServer(
  bench: Bench,
  { token }: SandboxServer,
  loads: readonly NamedLoad[],
): Promise<string> {
  const files = [];
  for (const { load } of loads) {
    const file = bench.path(`stored-${load.method}`);
    const answer = await fetch(load.url + load.path, {
      method: load.method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(load.body && { body: load.body(0) }),
    });
    writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
    files.push(file);
  }
  return (await bench.server('stored', files)).url;
}
