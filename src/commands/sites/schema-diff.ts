import { getAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import { listSections } from '../../api/resources/sections.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { getSite } from '../../api/resources/sites.js';
import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import { contextOption } from '../../cli/declare/standing-flags.js';
import { SchemaRow } from './schema-row.js';

/** `docs sites schema diff`. */
export const diff = manual({
  name: 'diff',
  summary: 'List what a new adaptive schema would break',
  why:
    'Lists the claims that are added, removed, moved, narrowed or widened, and every condition of a section or site ' +
    'space that the new schema would break. Exits 17 if there is such a condition.',
  args: {
    '<site>': 'Site',
    '<schema>': {
      description: 'New JSON Schema (draft-07): a file, - for standard input, or the JSON itself',
      reads: 'unless-json',
    },
  },
  options: [contextOption('organizationId')],
  operations: [getAdaptiveSchema, listSections, listSiteSpaces, getSite],
  returns: Type.Array(SchemaRow),
  columns: [
    { path: 'status', as: 'state' },
    'kind',
    { path: 'claims', keep: true },
    'title',
    'path',
    { path: 'condition', keep: true },
    'why',
    'id',
  ],
  empty: 'The schemas allow the same claims.',
  exits: ['findings', 'partial'],
  examples: {
    'sites schema diff w1 new.json': 'list what a new schema changes, and the conditions it breaks',
    'sites schema diff w1 @new.json --jq \'.[] | select(.status == "breaks") | .title\'':
      'name the sections that it breaks',
  },
  async run(session, input, { view }) {
    await (await import('./schema-diff-run.js')).diffSchema(session, input, view);
  },
});
