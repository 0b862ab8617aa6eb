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
    'Lists the claims that change, and the conditions of sections and site spaces that would break, or that use ' +
    'claims of neither schema and are broken already. Exits 17 if a condition would break.',
  args: {
    '<site>': 'Site',
    '<schema>': {
      description: 'New JSON Schema (draft-07): a file, - for standard input, or the JSON itself',
      reads: 'unless-json',
      check: async () => {
        const { schemaOf } = await import('./schema-source.js');
        return (typed, session) => schemaOf(session, typed, '<schema>');
      },
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
