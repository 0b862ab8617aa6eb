import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach } from 'vitest';
import { type Forwarder, startForwarder } from './forwarder.js';
import { type JobHome, jobHome } from './job-home.js';
import { type Started, startSandbox } from './sandbox-server.js';

/** A sandbox behind a forwarder, and a home that uses it. */
export interface ForwardedHome {
  home: JobHome;
  sandbox: Started;
  forwarder: Forwarder;
}

interface Options {
  /** The seed; default: that of `docs sandbox start`. */
  seed?: string;
  /** What every test finds beside it. */
  prepare?: (started: ForwardedHome) => unknown;
  /** Changes what `docs sandbox export` gives. */
  edit?: (exported: string) => string;
  /** Whether each test finds the platform and the jobs as after the start. */
  isReset?: boolean;
}

/** Serves all of it to the tests of a file. */
export async function forwardedHome({
  seed,
  prepare,
  edit = (exported) => exported,
  isReset = true,
}: Options = {}): Promise<ForwardedHome> {
  const home = jobHome({});
  const sandbox = await startSandbox(home, seed);
  const forwarder = await startForwarder(sandbox.url);
  home.env.DOCS_BASE_URL = forwarder.url;
  const started = { home, sandbox, forwarder };
  await prepare?.(started);
  const file = join(home.path, 'seed.json');
  writeFileSync(file, edit(sandbox.control.export()));
  // The first test finds what was edited.
  let isAsSeeded = false;
  beforeEach(async () => {
    forwarder.reset();
    if (!isReset) return;
    sandbox.control.faults.clear();
    rmSync(home.journals, { recursive: true, force: true });
    if (!isAsSeeded || forwarder.everDone > 0) await sandbox.control.seed(file, { isExport: true });
    isAsSeeded = true;
    forwarder.everDone = 0;
  });
  afterAll(async () => {
    await forwarder.close();
    await sandbox.close();
    home.remove();
  });
  return started;
}
