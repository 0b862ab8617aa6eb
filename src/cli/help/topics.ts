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
    'Exit codes never change. With --json the error contains the same code as exitCode.',
    Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning] as const),
  ],
  environment: () => [
    'A flag wins over a variable, a variable over the project file, that over the profile.',
    environment(),
  ],
  output: () => [
    'stdout is data and only data; everything else goes to stderr.',
    outputFormats.map((format) => [format, formats[format]] as const),
    '--fields a,b.c picks and orders columns or keys in any format. --jq runs over the whole result; texts come out ' +
      'raw, one a line. A list is complete unless --limit cuts it, and then stderr says so. --header gives tsv a header ' +
      'line. csv guards cells that a spreadsheet would take for a formula; --csv-raw does not.',
    'A terminal gets a table fitted to its window, with colours, ages instead of times, and links where it can show ' +
      'them. A pipe gets whole values and ISO times. NO_COLOR and --no-color end the colours; CI, --no-input and pipes ' +
      'end questions; --quiet ends remarks and progress.',
  ],
  context: () => [
    "A resource's own id is an argument; what contains it is context: --org, --space, --site, --change-request. " +
      'Each is looked for in this order:',
    [
      ['1.', 'the flag'],
      ['2.', 'DOCS_ORG, DOCS_SPACE, DOCS_SITE'],
      ['3.', 'the project file .docs.json, in this folder or above: {"org": "o1", "space": "s1"}'],
      ['4.', 'the profile: docs orgs use <org>, docs spaces use <space>, docs sites use <site>'],
      ['5.', 'on a terminal, a list to choose from'],
    ],
    'docs status shows what holds and where it comes from. With --sandbox the project file and the profile do not ' +
      "count, since their ids are of the real platform; the sandbox's own organization is the default.",
    'Where an id is wanted, the address of the resource will do, as a browser or an answer gives it; for a site ' +
      'also where it is published. On a terminal ' +
      'so will its title: what cannot be an id is looked up as a title; a word that can be one is tried as an id ' +
      'first, unless it is an id beyond doubt (16 characters or more with a digit, or a number). The one resource ' +
      'with that title is taken, and said; where several have it they are listed, and nothing is sent. Change requests ' +
      'are found while they are open or drafts.',
    'In scripts an id stays what was given. With --by-title titles do there, too, and of members also emails: ' +
      'docs members delete --by-title --yes @leavers.txt',
  ],
  jobs: () => [
    'Commands that show <id…> take many ids: as arguments, from @file, or from standard input with -. docs bulk runs ' +
      'any change for each row of a file. One result a line comes out, in input order. Each change is noted in a ' +
      'journal before it is sent and after.',
    [
      ['docs bulk <command…> --from <file>', 'one change a row of a CSV, JSON or ndjson file'],
      ['docs jobs list', 'the jobs so far'],
      ['docs jobs resume <job>', 'go on where a job was cut off; nothing is sent twice blindly'],
      ['docs undo <job> --dry-run', 'what can be undone, and how well'],
      ['docs trash list', 'deleted spaces that can still be restored'],
    ],
    'Exit code 3 means that some items are not done; the results say which.',
  ],
};

const formats: Record<(typeof outputFormats)[number], string> = {
  table: 'columns fitted to the terminal; the default there',
  json: 'one JSON value: an object, or an array that is streamed and complete',
  ndjson: 'one JSON object a line, in constant memory',
  yaml: 'a YAML document',
  csv: 'comma-separated, with a header line',
  tsv: 'tab-separated, one item a line, whole values; the default in pipes',
  id: 'ids alone, one a line, to be piped into another command',
};

function environment(): [string, string][] {
  const settings = settingKeys.flatMap(({ environment: name, description }): [string, string][] =>
    name === undefined ? [] : [[name, description]],
  );
  return [
    ['DOCS_TOKEN', 'Token; goes only to DOCS_BASE_URL or the address of the profile'],
    ...settings,
    ['DOCS_PROFILE', 'Profile to use'],
    ['DOCS_CREDENTIAL_STORE', 'keychain or file: where tokens are kept'],
    ['DOCS_DEBUG', 'Any text: show requests on stderr; body: their bodies too'],
    ['CI', 'Never a prompt, colour or progress'],
    ['NO_COLOR', 'No colour'],
    ['FORCE_COLOR', 'Colour without a terminal, too, and before NO_COLOR; 0 for none'],
    ['CLICOLOR_FORCE', 'Colour without a terminal, too, but after NO_COLOR'],
    ['HTTP_PROXY, HTTPS_PROXY, NO_PROXY', 'Proxies, in either case; loopback never uses one'],
    ['NODE_EXTRA_CA_CERTS', 'Further certificate authorities, as --ca-file'],
    ['NODE_DISABLE_COMPILE_CACHE', 'Any text: keep no compiled code in the cache folder'],
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
