import type { Option } from './command.js';
import { option } from './option.js';

/** The build writes in what these come to (scripts/build.mjs): every start needs them. */

/** Flags that every command takes: for the parser, help, completion and the reference. */
export const globalOptions: readonly Option[] = [
  option('-o, --output <format>', 'Output format: table on a terminal, tsv elsewhere', {
    choices: ['table', 'json', 'ndjson', 'yaml', 'csv', 'tsv', 'id'],
    closed: true,
    choiceError: 'unknown_format',
  }),
  option('--json', 'Print one JSON value, like -o json'),
  option('--fields <a,b.c>', 'Columns or keys to show, in order; +a,-b adds and drops'),
  option('--jq <expr>', 'Run a jq expression over the whole result'),
  option('--header', 'Print a header line with tsv'),
  option('--csv-raw', 'Print CSV cells unchanged, including formulas'),
  option('--profile <name>', 'Profile to use', { sets: 'owner' }),
  option('--base-url <url>', 'Address of the platform', { sets: 'owner' }),
  option('--policy <file>', 'Additional policy that must allow the command', {
    path: { use: 'reads' },
    sets: 'owner',
  }),
  option('--sandbox', 'Use the sandbox: no account, no network', { sets: 'owner' }),
  option('--timeout <time>', 'Deadline, such as 30s or 5m', { duration: true, sets: 'anyone' }),
  option('--retry', 'Retry requests that are safe to retry', {
    boolean: 'no',
    default: true,
    sets: 'anyone',
  }),
  option('--max-attempts <n>', 'Attempts per request', { number: 'count', default: 4, sets: 'anyone' }),
  option('--ca-file <file>', 'Additional certificate authorities (PEM)', {
    path: { use: 'reads' },
    sets: 'owner',
  }),
  option('--by-title', 'Accept titles in place of ids', { sets: 'anyone' }),
  option('--dry-run', 'Show the requests of a change; send nothing'),
  option('-y, --yes', 'Do not ask for confirmation'),
  option('-q, --quiet', 'Print no notes to stderr'),
  option('--no-input', 'Never prompt'),
  option('--no-color', 'Do not use colour'),
  option('--no-pager', 'Print long output without a pager'),
  option('--debug', 'Log requests to stderr, never the token', { sets: 'owner' }),
];

/** Flags that every line takes and no command sees. */
export const lineFlags: readonly Option[] = [
  option('-h, --help', 'Show help'),
  option('-V, --version', 'Print the version'),
];
