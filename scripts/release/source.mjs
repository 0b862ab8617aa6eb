// What a release is made from: the package, and the commit.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** `package.json`, as far as releases read it. */
export const own = JSON.parse(readFileSync('package.json', 'utf8'));

/** The name that npm gives the tarball. */
export const tarballName = `${own.name.replace('@', '').replace('/', '-')}-${own.version}.tgz`;

/** Programs without Node, as `npm run build:binary` names them. */
export const binaryName = /^docs-(?<system>linux|darwin|windows)-(?<machine>x64|arm64)(?:\.exe)?$/;

/** @returns the second that everything in a release is dated: of the commit, unless SOURCE_DATE_EPOCH says another */
export function sourceEpoch() {
  const given = process.env.SOURCE_DATE_EPOCH;
  const text = given ?? execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' });
  const epoch = Number(text);
  if (!Number.isInteger(epoch) || epoch <= 0) throw new Error(`SOURCE_DATE_EPOCH is not a time: ${text}`);
  return epoch;
}

/** @returns the files with changes that no commit has */
export function uncommitted() {
  return execFileSync('git', ['status', '--porcelain'], { encoding: 'utf8' }).trim();
}
