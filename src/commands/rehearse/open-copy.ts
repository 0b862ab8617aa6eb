import type { CopyOptions, RunningCopy } from '../../copy/copy.js';
import { openControl } from '../../sandbox/control.js';
import { startSandbox } from '../../sandbox/start.js';

/** Stands in for the copy of an organization: a sandbox of the usual seed. */
export async function openCopy({ file, io }: CopyOptions): Promise<RunningCopy> {
  const running = await startSandbox({ file, io });
  const control = await openControl(file, io);
  let kept: RunningCopy['requests'] extends () => infer R ? R : never = [];
  const requests = () => {
    kept = control.requests().map(({ method, path, status }) => ({ method, path, status }));
    return kept;
  };
  return {
    url: running.url,
    token: running.token,
    organization: { id: running.defaults.org, title: running.defaults.org },
    requests,
    reads: () => [],
    gaps: () => [],
    async close() {
      control.close();
      await running.close();
    },
  };
}
