import type { Bench } from './bench.js';
import type { Measured } from './result.js';

/** A sandbox that runs in the background. */
export interface SandboxServer {
  url: string;
  /** That of the admin. */
  token: string;
  org: string;
  space: string;
  /** How docs reaches it. */
  env: Record<string, string>;
  /** Its database. */
  file: string;
}

interface Status {
  url: string;
  org: string;
  space: string;
  tokens: { admin: string };
}

/** Measures with a sandbox of its own, started and stopped by docs itself. */
export async function withSandbox(
  bench: Bench,
  seed: string,
  measure: (sandbox: SandboxServer) => Promise<Measured[]>,
): Promise<Measured[]> {
  const file = bench.path(`sandbox-${seed}.db`);
  bench.run(['sandbox', 'start', '--file', file, '--seed', seed]);
  try {
    const status = JSON.parse(bench.run(['sandbox', 'status', '--file', file, '--json'])) as Status;
    const { url, org, space, tokens } = status;
    const env = { DOCS_BASE_URL: url, DOCS_TOKEN: tokens.admin, DOCS_ORG: org };
    return await measure({ url, org, space, token: tokens.admin, env, file });
  } finally {
    bench.run(['sandbox', 'stop', '--file', file]);
  }
}
