import { exitCodes } from '../exit-codes.js';
import { outputFormats, settingKeys } from '../settings/keys.js';
import { helpTopicNames } from './help.js';
import { rows, wrap } from './text-layout.js';

/** `docs help <topic>`: what belongs to no single command. Tables come from the declarations. */

interface Topic {
  summary: string;
  text(width: number): string[];
}

export const helpTopics: Readonly<Record<(typeof helpTopicNames)[number], Topic>> = {
  'exit-codes': {
    summary: 'What each exit code means; they never change',
    text: (width) => [
      ...wrap(
        'A script may branch on these for ever. With --json the same code stands in the error as exitCode.',
        width,
      ),
      '',
      ...rows(
        Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning]),
        width,
      ),
    ],
  },
  environment: {
    summary: 'Variables that docs reads',
    text: (width) => [
      ...wrap('A flag wins over a variable, a variable over the project file, that over the profile.', width),
      '',
      ...rows(environment(), width),
    ],
  },
  output: {
    summary: 'Formats, fields, jq; terminals and pipes',
    text: (width) => [
      ...wrap('stdout is data and only data; everything else goes to stderr.', width),
      '',
      ...rows(
        outputFormats.map((format) => [format, formats[format]]),
        width,
      ),
      '',
      ...wrap(
        '--fields a,b.c picks and orders columns or keys in any format. --jq runs over the whole result; texts come out ' +
          'raw, one a line. A list is complete unless --limit cuts it, and then stderr says so. --header gives tsv a header ' +
          'line. csv guards cells that a spreadsheet would take for a formula; --csv-raw does not.',
        width,
      ),
    ],
  },
  context: {
    summary: 'How organization, space and site are found',
    text: (width) => [
      ...wrap(
        "A resource's own id is an argument; what it stands in is context: --org, --space, --site, --change-request. " +
          'Each is looked for in this order:',
        width,
      ),
      '',
      '  1. the flag',
      '  2. DOCS_ORG, DOCS_SPACE, DOCS_SITE',
      '  3. the project file .docs.json, in this folder or above: {"org": "o1", "space": "s1"}',
      '  4. the profile: docs config set org <id>',
      '',
      ...wrap(
        'docs status shows what holds and where it comes from. With --sandbox the project file and the profile do not ' +
          "count, since their ids are of the real platform; the sandbox's own organization is the default.",
        width,
      ),
    ],
  },
  jobs: {
    summary: 'Many items at once: journal, resume, undo',
    text: (width) => [
      ...wrap(
        'Commands that show <id…> take many ids: as arguments, from @file, or from standard input with -. One result a ' +
          'line comes out, in input order. Each change is noted in a journal before it is sent and after.',
        width,
      ),
      '',
      ...rows(
        [
          ['docs jobs list', 'the jobs so far'],
          ['docs jobs resume <job>', 'go on where a job was cut off; nothing is sent twice blindly'],
          ['docs undo <job> --dry-run', 'what can be undone, and how well'],
          ['docs trash list', 'deleted spaces that can still be restored'],
        ],
        width,
      ),
      '',
      ...wrap('Exit code 3 means that some items are not done; the results say which.', width),
    ],
  },
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
    ['HTTP_PROXY, HTTPS_PROXY, NO_PROXY', 'Proxies, in either case; loopback never uses one'],
    ['NODE_EXTRA_CA_CERTS', 'Further certificate authorities, as --ca-file'],
    ['XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME, XDG_CACHE_HOME', 'Where files are kept'],
  ];
}

/** The text of a topic; undefined where there is none of that name. */
export function topicText(name: string, width: number): string | undefined {
  const known = helpTopicNames.find((topic) => topic === name);
  const topic = known === undefined ? undefined : helpTopics[known];
  return topic === undefined ? undefined : `${[`${topic.summary}.`, '', ...topic.text(width)].join('\n')}\n`;
}
