import { exitCodes } from '../../exit-codes.js';
import { outputFormats, settingKeys } from '../../settings/keys.js';
import { type HelpTopic, helpTopicSummaries } from './help.js';
import type { HelpLook } from './look.js';
import { paragraph, rows } from './text-layout.js';

/** `docs help <topic>`: what belongs to no single command. Tables come from the declarations. */

/** A paragraph, or the rows of a table. */
type Block = string | readonly (readonly [string, string])[];

const blocks: Readonly<Record<HelpTopic, () => readonly Block[]>> = {
  'exit-codes': () => [
    'These codes never change, so scripts can rely on them. With --json, the error includes the code as exitCode.',
    Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning] as const),
  ],
  environment: () => [
    'Order of precedence: flag, environment variable, project file, profile.',
    environment(),
  ],
  output: () => [
    'Data goes to stdout; notes, prompts, progress and errors go to stderr.',
    outputFormats.map((format) => [format, formats[format]] as const),
    '--fields a,b.c selects and orders columns or keys in every format. --jq filters the whole result and prints ' +
      'strings raw, one per line. A list is complete unless --limit cuts it short, which stderr reports. --header ' +
      'adds a header line to tsv. csv escapes cells that a spreadsheet would run as formulas; --csv-raw does not.',
    'A terminal gets a table that fits its width, with colours, relative times and clickable links. A pipe gets ' +
      'untruncated values and ISO times. NO_COLOR and --no-color turn off colour; CI, --no-input and pipes turn off ' +
      'prompts; --quiet turns off notes and progress.',
  ],
  context: () => [
    'Pass the id of a resource as an argument. Its parents are context: --org, --space, --site, --change-request. ' +
      'docs looks for each of them in this order:',
    [
      ['1.', 'the flag'],
      ['2.', 'DOCS_ORG, DOCS_SPACE, DOCS_SITE'],
      ['3.', 'the project file .docs.json in this directory or above it: {"org": "o1", "space": "s1"}'],
      ['4.', 'the profile: docs orgs use <org>, docs spaces use <space>, docs sites use <site>'],
      ['5.', 'on a terminal, a list to choose from'],
    ],
    'docs status shows the current context and where each part comes from. With --sandbox, docs ignores the project ' +
      'file and the profile, since their ids belong to the real platform; the default is the organization of the sandbox.',
    'Instead of an id you can pass the URL of a resource, from the browser or from a response; for a site also the ' +
      'URL where it is published. On a terminal you can pass a title. Words that cannot be ids are looked up as titles; ' +
      'words that can be are tried as ids first, unless they are clearly ids (numbers, or at least 16 characters with ' +
      'a digit). If one resource has the title, docs uses it and says so; if several have it, docs lists them and ' +
      'sends nothing. Only open and draft change requests are found by title.',
    'In scripts, arguments are taken as ids; a member may also be named by email. With --by-title they may be ' +
      'titles: docs teams delete --by-title --yes @teams.txt',
  ],
  jobs: () => [
    'Commands with <id…> take many ids: as arguments, from a file with @file, or from stdin with -. docs bulk runs ' +
      'a command once per row of a file. Results are printed one per line, in input order. docs records every change ' +
      'in a journal before and after sending it.',
    [
      ['docs bulk <command…> --from <file>', 'run one change per row of a CSV, JSON or ndjson file'],
      ['docs jobs list', 'list recent jobs'],
      ['docs jobs resume <job>', 'continue an interrupted job; nothing is blindly sent twice'],
      ['docs jobs settle <job> <item>', 'say by hand whether a request without an answer was done'],
      ['docs undo <job> --dry-run', 'show what can be undone, and how well'],
      ['docs trash list', 'list deleted spaces that can be restored'],
    ],
    'Exit code 3 means that some items failed or were not attempted; the results show which.',
  ],
};

const formats: Record<(typeof outputFormats)[number], string> = {
  table: 'columns that fit the terminal; the default there',
  json: 'one JSON value: an object, or a complete array',
  ndjson: 'one JSON object per line, in constant memory',
  yaml: 'one YAML document',
  csv: 'comma-separated values with a header line',
  tsv: 'tab-separated values, one item per line; the default in pipes',
  id: 'only ids, one per line, to pipe into another command',
};

function environment(): [string, string][] {
  const settings = settingKeys.flatMap(({ environment: name, description }): [string, string][] =>
    name === undefined ? [] : [[name, description]],
  );
  return [
    ['DOCS_TOKEN', 'Token; sent only to DOCS_BASE_URL or the address of the profile'],
    ...settings,
    ['DOCS_PROFILE', 'Profile to use'],
    ['DOCS_CREDENTIAL_STORE', 'Where to keep tokens: keychain or file'],
    ['DOCS_DEBUG', 'Show requests on stderr if set; body: show their bodies too'],
    ['CI', 'Turn off prompts, colour and progress'],
    ['NO_COLOR', 'Turn off colour'],
    ['FORCE_COLOR', 'Force colour, even without a terminal or with NO_COLOR; 0 turns it off'],
    ['CLICOLOR_FORCE', 'Force colour without a terminal, unless NO_COLOR is set'],
    [
      'HTTP_PROXY, HTTPS_PROXY, NO_PROXY',
      'Proxies, in upper or lower case; never used for loopback addresses',
    ],
    ['NODE_EXTRA_CA_CERTS', 'Additional certificate authorities, like --ca-file'],
    ['NODE_DISABLE_COMPILE_CACHE', 'Keep no compiled code in the cache directory if set'],
    ['XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME, XDG_CACHE_HOME', 'Where files are kept'],
  ];
}

/** The text of a topic. */
export function topicText(topic: HelpTopic, look: HelpLook): string {
  const texts = blocks[topic]().map((block) =>
    typeof block === 'string' ? paragraph(block, look.width) : rows(block, look.width, { left: look.name }),
  );
  return `${[[`${helpTopicSummaries[topic]}.`], ...texts].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
