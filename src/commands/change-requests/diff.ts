import { getChangeRequestContent, getChangeRequestPage } from '../../api/resources/change-request-content.js';
import { getChangeRequest } from '../../api/resources/change-requests.js';
import { getContent, getPage } from '../../api/resources/content.js';
import { getSpace } from '../../api/resources/spaces.js';
import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import { concurrencyOption, contextOption, option } from '../../cli/declare/standing-flags.js';
import { ContentChange } from '../../workflows/change-diff/change.js';

const forms = ['md', 'stat', 'html'];
const form = (name: string, description: string) =>
  option(`--${name}`, description, { conflicts: forms.filter((other) => other !== name) });

export const diffReads = [
  ...[getChangeRequest, getSpace, getContent, getChangeRequestContent, getPage, getChangeRequestPage],
] as const;

/** Columns of what a change request changes. */
export const changeColumns = [
  { path: 'change', keep: true },
  'kind',
  { path: 'title', keep: true },
  'path',
  { path: 'words.added', label: 'ADDED' },
  { path: 'words.removed', label: 'REMOVED' },
  { path: 'id', as: 'id' },
] as const;

export const diff = manual({
  name: 'diff',
  summary: 'Show what a change request changes, word by word',
  why:
    'Compares its pages and files with the content that the space has now. Texts are read only where the lists do ' +
    'not show that they are the same; a page that could not be read is named and exits 3.',
  args: { '<change-request>': 'Change request, by id or number' },
  options: [
    form('stat', 'Print one line for each page'),
    form('md', 'Print Markdown for a pull request'),
    form('html', 'Print one page of HTML'),
    option('--page-id <page>...', 'Only this page', { kind: 'page' }),
    concurrencyOption,
    contextOption('spaceId'),
  ],
  operations: diffReads,
  returns: Type.Array(ContentChange),
  columns: changeColumns,
  exits: ['partial'],
  examples: {
    'change-requests diff 3 --space s1': 'show the words that a change request adds and removes',
    'change-requests diff 3 --space s1 --stat': 'show how much of each page changes',
    'change-requests diff 3 --space s1 --md': 'print a comment for a pull request',
    'change-requests diff 3 --space s1 --html > changes.html': 'save a page to send to a reviewer',
    "change-requests diff 3 --space s1 --jq '.[] | select(.from) | .path'": 'list the pages that moved',
  },
  async run(session, input, { view }) {
    await (await import('./diff/run.js')).printDiff(session, input, view);
  },
});
