import { Pool } from 'undici';

export interface Load {
  url: string;
  method: 'GET' | 'PATCH';
  /** Path and query. */
  path: string;
  token: string;
  body?(index: number): string;
}

const connections = 8;

/**
 * How many requests a second a server answers, 8 at a time on connections that stay open.
 * @param requests how many to send
 * @throws Error for an answer that is no success
 */
export async function requestsPerSecond(load: Load, requests: number): Promise<number> {
  const pool = new Pool(load.url, { connections, pipelining: 1 });
  try {
    const startMs = performance.now();
    let begun = 0;
    const work = async () => {
      for (let index = begun++; index < requests; index = begun++) await send(pool, load, index);
    };
    await Promise.all(Array.from({ length: connections }, work));
    return (requests * 1000) / (performance.now() - startMs);
  } finally {
    await pool.close();
  }
}

async function send(pool: Pool, { method, path, token, body }: Load, index: number): Promise<void> {
  const { statusCode, body: answer } = await pool.request({
    ...{ method, path },
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body?.(index) ?? null,
  });
  for await (const _ of answer) {
    // Read to its end, and dropped.
  }
  if (statusCode !== 200) throw new Error(`${method} ${path} answered ${statusCode}.`);
}
