import { beginHere } from './begin-here.js';
import { runHere } from './here.js';
import type { JobHome } from './job-home.js';

/**
 * From now on a home runs the sources within this process, in the program layer, too: what a test sets up and reads again
 * needs no program. `start` still starts one, whose jobs no run within this process resumes, as it has another version. With
 * `DOCS_BIN` all runs are of that program.
 */
export function runsHere(home: Pick<JobHome, 'run' | 'begin' | 'env' | 'path'>): void {
  if (process.env.DOCS_BIN !== undefined) return;
  home.run = (args, { env, cwd = home.path, stdin } = {}) =>
    runHere(args, { ...home.env, ...env }, cwd, stdin);
  home.begin = (args) => beginHere(args, home.env, home.path);
}
