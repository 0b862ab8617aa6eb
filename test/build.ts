import { execFileSync } from 'node:child_process';

/** Builds the program before any test, so that no test sees an old one. */
export default function setup(): void {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
}
