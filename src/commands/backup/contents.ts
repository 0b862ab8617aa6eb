import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import { option } from '../../cli/declare/standing-flags.js';
import { PackResult } from '../../workflows/backup/pack/report.js';
import { SearchHit, searchAreas } from '../../workflows/backup/search/report.js';
import { atOption, backupFolder } from './which-backup.js';

/** Commands on what a backup holds. */

export const search = manual({
  name: 'search',
  summary: 'Search a backup',
  why:
    'Lists pages, files, comments, change requests, people, spaces and the rest that have all words, whatever ' +
    'their case and accents, without the platform. A phrase is one argument in quotes.',
  args: {
    '<folder>': backupFolder,
    '<words...>': 'Words that must all occur; a phrase in quotes',
  },
  options: [
    option('--space <space>...', 'Only in this space of the backup, by id or title', { asTyped: true }),
    option('--in <area>...', 'Only here; titles: only in titles and names', {
      choices: searchAreas,
      closed: true,
    }),
    option('--limit <n>', 'Maximum number of results; default: all', { number: 'count' }),
    atOption,
  ],
  returns: Type.Array(SearchHit),
  columns: ['kind', { path: 'title', keep: true }, { path: 'snippet', keep: true }, 'space', 'path', 'id'],
  empty: 'Nothing found.',
  exits: ['partial'],
  examples: {
    'backup search backup quickstart': 'find a word',
    'backup search backup "single sign-on" --in pages --in comments': 'find a phrase in pages and comments',
    'backup search backup ada --in people --json': 'find people, as JSON',
  },
  async run(session, input, { view }) {
    await (await import('./search.js')).search(session, input, view);
  },
});

export const pack = manual({
  name: 'pack',
  effect: 'local',
  summary: 'Write a space of a backup as an archive to import',
  why:
    'Writes pages as Markdown and files into a ZIP archive per space; "content import --source zip" takes it from ' +
    'a URL where you host it. Links within the space lead to its pages and files in the archive.',
  args: { '<folder>': backupFolder },
  options: [
    option('--out <path>', 'Archive (.zip), or folder for one archive per space', {
      required: true,
      path: { use: 'writes' },
      check: async () => (await import('./pack.js')).checkOut,
    }),
    option('--space <space>...', 'Only this space of the backup, by id or title', { asTyped: true }),
    option('--change-request <number>', 'Content of this change request of the space', { number: 'count' }),
    option('--numbered', 'Number the names, which keeps the order of pages and changes their paths'),
    atOption,
  ],
  returns: Type.Array(PackResult),
  columns: ['title', 'status', 'pages', 'files', { path: 'bytes', as: 'bytes' }, 'path'],
  empty: 'No spaces.',
  exits: ['partial'],
  examples: {
    'backup pack backup --space Welcome --out welcome.zip': 'pack a space',
    'backup pack backup --out packs': 'pack every space',
    'backup pack backup --space Welcome --change-request 3 --out packs --json':
      'pack a change request, list what is left out',
  },
  async run(session, input, { view }) {
    await (await import('./pack.js')).pack(session, input, view);
  },
});
