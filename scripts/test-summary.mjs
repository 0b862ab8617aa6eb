// What `.ci/run` says of its tests: `node scripts/test-summary.mjs <report> [<report of the second run>]`, from the JSON
// of vitest. With `--again` it prints the files to run once more instead.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Where more files fail, it is the change and not the machine. */
const mostAgain = 3;

const isBroken = ({ status, assertionResults }) =>
  status === 'failed' && !assertionResults.some((test) => test.status === 'failed');

/**
 * The files that failed, to be run again alone: they ran beside others.
 * @returns none where too many failed
 */
export function filesAgain({ testResults }, cwd) {
  const failed = testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => relative(cwd, name));
  return failed.length > mostAgain ? [] : failed;
}

/**
 * The counts of a run, and of the files that ran again those of their second run.
 * @returns lines; the last is `N passed, N failed`
 */
export function summary(first, second, cwd) {
  const again = new Map((second?.testResults ?? []).map((file) => [file.name, file]));
  const files = first.testResults.map((file) => again.get(file.name) ?? file);
  const count = (status) =>
    files.flatMap(({ assertionResults }) => assertionResults).filter((test) => test.status === status).length;
  const failed = count('failed') + files.filter(isBroken).length;
  const calmed = [...again.values()].filter(({ status }) => status === 'passed');
  return [
    ...calmed.map(({ name }) => `failed beside other files and passed alone: ${relative(cwd, name)}`),
    `${count('passed')} passed, ${failed} failed`,
  ];
}

function main() {
  const [isAgain, paths] = [
    process.argv.includes('--again'),
    process.argv.slice(2).filter((word) => word !== '--again'),
  ];
  const [first, second] = paths.map((path) => JSON.parse(readFileSync(path, 'utf8')));
  const lines = isAgain ? filesAgain(first, process.cwd()) : summary(first, second, process.cwd());
  for (const line of lines) console.log(line);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) main();
