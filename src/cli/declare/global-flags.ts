import type { Option } from './command.js';

const plain = { variadic: false, required: false, nullable: false };

/** An option with nothing set, to start from. */
export const blankOption: Option = { ...plain, name: '', description: '' };

/** Flags that every command takes: for the parser, help, completion and the reference. */
export const globalOptions: readonly Option[] = [
  {
    ...plain,
    name: 'output',
    short: 'o',
    value: '<format>',
    description: 'How to print: table on a terminal, tsv elsewhere',
    choices: ['table', 'json', 'ndjson', 'yaml', 'csv', 'tsv', 'id'],
    closed: true,
    choiceError: 'unknown_format',
  },
  { ...plain, name: 'json', boolean: true, description: 'Print one JSON value; the same as -o json' },
  { ...plain, name: 'fields', value: '<a,b.c>', description: 'Pick and order columns or keys' },
  { ...plain, name: 'jq', value: '<expr>', description: 'Run a jq expression over the whole result' },
  { ...plain, name: 'header', boolean: true, description: 'Print a header line with tsv' },
  { ...plain, name: 'csv-raw', boolean: true, description: 'Do not guard csv cells against formulas' },
  { ...plain, name: 'profile', value: '<name>', description: 'Profile to use' },
  { ...plain, name: 'base-url', value: '<url>', description: 'Address of the platform' },
  {
    ...plain,
    name: 'sandbox',
    boolean: true,
    description: 'Run against the embedded platform; no account, no network',
  },
  { ...plain, name: 'timeout', value: '<time>', duration: true, description: 'Deadline, such as 30s or 5m' },
  { ...plain, name: 'retry', boolean: 'no', description: 'Retry what can be retried', default: true },
  { ...plain, name: 'max-attempts', value: '<n>', number: 'count', description: 'Tries in all', default: 4 },
  { ...plain, name: 'ca-file', value: '<file>', description: 'Further certificate authorities, as PEM' },
  {
    ...plain,
    name: 'by-title',
    boolean: true,
    description: 'Take titles (of members also emails) where ids are wanted, as a terminal does',
  },
  { ...plain, name: 'dry-run', boolean: true, description: 'Show the requests of a change; send none' },
  { ...plain, name: 'yes', short: 'y', boolean: true, description: 'Do not ask before a change' },
  { ...plain, name: 'quiet', short: 'q', boolean: true, description: 'No notes on stderr' },
  { ...plain, name: 'input', boolean: 'only-no', description: 'Never prompt' },
  { ...plain, name: 'color', boolean: 'only-no', description: 'No colour' },
  { ...plain, name: 'debug', boolean: true, description: 'Show requests on stderr; never the token' },
];
