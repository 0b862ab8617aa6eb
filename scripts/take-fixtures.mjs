/**
 * Takes files that this version of docs saves, into test/saved: plans, journals, backups and others, each with the
 * platform as it was then. The tests there hold later versions to read them.
 *
 *   node scripts/take-fixtures.mjs <kind or kind/name> …     such as `plans` or `journals/bulk`
 *
 * What is there stays as an earlier version made it: take a new one beside it, not in its place.
 */
import { spawnSync } from 'node:child_process';

const names = process.argv.slice(2);
if (names.length === 0) {
  console.error('usage: node scripts/take-fixtures.mjs <kind or kind/name> …');
  process.exit(2);
}
const env = { ...process.env, DOCS_TAKE: names.join(' '), TZ: 'UTC' };
process.exitCode =
  spawnSync('npx', ['vitest', 'run', '--project', 'take'], { stdio: 'inherit', env }).status ?? 1;
