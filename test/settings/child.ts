import { execFile, type SpawnOptions } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

/** How a process ended. */
export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Builds the child program, for processes that read and write settings beside the test. */
export async function buildChild(): Promise<{ run: typeof run; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'docs-child-'));
  // Another user may have to run it.
  chmodSync(folder, 0o755);
  const program = join(folder, 'child.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'child-program.ts')],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    banner: { js: "import{createRequire as __r}from'node:module';const require=__r(import.meta.url);" },
  });
  chmodSync(program, 0o644);

  /**
   * Runs the child program to its end.
   * @param shell a line of shell to run first, in the same process
   */
  function run(
    args: readonly string[],
    env: Record<string, string>,
    { shell = '', ...options }: Pick<SpawnOptions, 'uid' | 'gid'> & { shell?: string } = {},
  ): Promise<Ended> {
    const line = `${shell}\nexec "$0" "$@"`;
    return new Promise((resolve) => {
      const given = { ...options, cwd: folder, env: { PATH: process.env.PATH, ...env } };
      const done = (error: Error | null, stdout: string, stderr: string): void => {
        const code = error === null ? 0 : 'code' in error && typeof error.code === 'number' ? error.code : -1;
        resolve({ code, stdout, stderr });
      };
      execFile('sh', ['-c', line, process.execPath, program, ...args], given, done);
    });
  }

  return { run, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
