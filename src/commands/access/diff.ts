import { AccessDifference } from '../../access/diff/row.js';
import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import { option } from '../../cli/declare/standing-flags.js';
import { limitOption } from './limit.js';

/** `docs access diff`. */
export const diff = manual({
  name: 'diff',
  summary: 'List what changed between two saved access matrices',
  why:
    'Reads what docs access matrix printed as JSON, NDJSON or CSV, made with the same flags both times. A role ' +
    'that is unknown in either matrix, or that it does not list, is shown and not counted as a change.',
  args: {
    '<a>': { description: 'The earlier matrix; - for stdin', path: { use: 'reads' } },
    '<b>': { description: 'The later one; - for stdin', path: { use: 'reads' } },
  },
  options: [option('--exit-code', 'Exit 17 if there are changes'), limitOption],
  returns: Type.Array(AccessDifference),
  columns: [
    { path: 'change', as: 'state' },
    { path: 'person.displayName', label: 'PERSON', keep: true },
    { path: 'space.title', label: 'SPACE', keep: true },
    'from',
    'to',
    { path: 'person.email', label: 'EMAIL' },
    { path: 'person.id', as: 'id' },
    { path: 'space.id', as: 'id' },
  ],
  id: 'person.id',
  empty: 'No differences.',
  exits: ['findings'],
  examples: {
    'access diff monday.json tuesday.json': 'list who gained and lost what in a day',
    'access diff approved.json - --exit-code < today.json': 'fail a pipeline on changes of access',
    'access diff monday.json tuesday.json --jq \'.[] | select(.change == "lost")\'': 'list what was lost',
  },
  async run(session, input, { view }) {
    await (await import('./diff-run.js')).diffMatrices(session, input, view);
  },
});
