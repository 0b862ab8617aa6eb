import { impactReads } from '../../access/impact/reads.js';
import { type ImpactAction, ImpactReport, impactAspects } from '../../access/impact/shapes.js';
import {
  type Command,
  concurrencyOption,
  contextOption,
  type Examples,
  type Group,
  type Option,
  option,
  report,
  savePlanOption,
  unsetOption,
} from '../../cli/run/report.js';
import { kindsOf, wordsFor } from './kinds.js';

/** `docs impact`: what a change would break, before it is made. */

const aspects = { choices: impactAspects };

const common: readonly Option[] = [
  option('--only <aspect>...', 'Look only for this kind of effect', aspects),
  option('--no-people', 'Do not read access, which takes a request per member'),
  option('--fail-on <aspect>...', 'Exit 17 if any of these is found', aspects),
  concurrencyOption,
  contextOption('organizationId'),
];

interface Declared {
  name: ImpactAction;
  summary: string;
  why: string;
  options: readonly Option[];
  examples: Examples;
}

function impactCommand({ name, summary, why, options, examples }: Declared): Command {
  const words = wordsFor(name);
  return report({
    name,
    summary,
    why,
    args: {
      '<kind>': { description: `Kind of item: ${words.join(', ')}`, choices: words, closed: true },
      '<id...>': {
        description: 'Ids; several count as one change',
        kindIn: 'kind',
        kindsOf,
        reads: 'at',
      },
    },
    options: [...options, ...common],
    operations: impactReads(name),
    returns: ImpactReport,
    media: ['markdown', 'html'],
    exits: ['findings'],
    examples,
    async load() {
      const { impactReport, transferReport } = await import('./run.js');
      return name === 'transfer' ? transferReport : impactReport(name);
    },
  });
}

const remove = impactCommand({
  name: 'delete',
  summary: 'Show what a deletion would break',
  why:
    'Lists inbound links, published URLs that stop working with a redirect for each, items that name or ' +
    'use it, and people who lose access; sends only reads. What cannot be read is listed as unknown, and ' +
    'the exit code is 3.',
  options: (['siteId', 'spaceId', 'changeRequestId'] as const).map(contextOption),
  examples: {
    'impact delete space s1': 'show what deleting a space would break',
    'impact delete space s1 s2 --no-people': 'show what deleting two spaces breaks, without reading access',
    'impact delete site w1 -o markdown': 'print it for a ticket or a pull request',
    'impact delete space s1 --html page.html': 'also write it as a page with tables to sort and filter',
    'impact delete space s1 --fail-on links,urls': 'stop a script if links or URLs would break',
    'impact delete openapi public-api --json --jq .dependents': 'list the pages made from a spec',
  },
});

const move = impactCommand({
  name: 'move',
  summary: 'Show what a move would break',
  why:
    'Spaces and collections inherit access from the collection around them, so a move can change roles; ' +
    'sections and spaces of a site only change their order. Addresses stay.',
  options: [
    option('--parent <collection>', 'Collection to move into', { kind: 'collection', nullable: true }),
    unsetOption(['parent']),
    contextOption('siteId'),
  ],
  examples: {
    'impact move space s1 --parent c1': 'show whose role changes',
    'impact move collection c1 --unset parent': 'move a collection to the top level',
  },
});

const transfer = impactCommand({
  name: 'transfer',
  summary: 'Show what a transfer to another organization loses',
  why:
    'Reads both organizations and lists permanent losses, links and published URLs that break, and changes ' +
    'of access. --save-plan saves one transfer per id; docs apply sends them one at a time, and docs jobs ' +
    'resume continues.',
  options: [
    option('--to-org <org>', 'Organization to transfer to', { required: true }),
    option('--per-space', 'Transfer the spaces of collections one by one; the collections stay behind'),
    savePlanOption,
  ],
  examples: {
    'impact transfer space s1 --to-org o2': 'show the losses of transferring a space',
    'impact transfer space @spaces.txt --to-org o2 --save-plan plan.json':
      'plan the transfer of every space in a file',
    'impact transfer collection c1 --to-org o2 --fail-on links,urls':
      'stop a script if links or URLs would break',
  },
});

const rename = impactCommand({
  name: 'rename',
  summary: 'Show what a rename would break',
  why:
    'Lists every published URL that a new path, basename, proxy or hostname changes, with the redirect to ' +
    'add. For a new title, lists other items with that title and the sites that show it; scripts that use ' +
    'the old title are not checked.',
  options: [
    option('--title <title>', 'New title, for all kinds but site-space and saml'),
    option('--label <label>', 'New label of a SAML provider'),
    option('--path <path>', 'New path of a section or of a space on a site'),
    option('--basename <name>', 'New basename of a site'),
    option('--proxy <address>', 'New domain and subdirectory of a site', { nullable: true }),
    option('--hostname <hostname>', 'New hostname of the organization'),
    unsetOption(['proxy']),
    contextOption('siteId'),
  ],
  examples: {
    'impact rename space s1 --title "User guide"':
      'list other items with that title, and the sites that show it',
    'impact rename section x1 --site w1 --path manual': 'list the redirects that a new path needs',
    'impact rename site w1 --basename handbook -o csv': 'export old and new URLs',
    'impact rename org o1 --hostname acme-docs': 'show what a new hostname changes on all sites',
  },
});

export const impact: Group = {
  name: 'impact',
  summary: 'Show what a change would break before you make it',
  guide: 'impact',
  why: 'Use it before deleting, moving, transferring or renaming: it reads links, published URLs, settings and access.',
  commands: [remove, move, transfer, rename],
};
