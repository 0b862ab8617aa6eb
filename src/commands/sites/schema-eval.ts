import { getAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import { listSectionGroups, listSections } from '../../api/resources/sections.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { getSite } from '../../api/resources/sites.js';
import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import { contextOption, option } from '../../cli/declare/flags.js';
import { closed, flag, maybe, oneOf, stateOf, text } from '../../output/printed-shapes.js';
import { seenResults } from './evaluate.js';

/** A group, section or site space, and whether the visitor sees it. */
const SeenRow = closed({
  result: stateOf(...seenResults),
  kind: oneOf('section-group', 'section', 'site-space'),
  title: text,
  path: maybe,
  condition: maybe,
  why: Type.Optional(Type.String({ description: 'Where the condition alone does not tell' })),
  default: Type.Optional(flag),
  id: text,
  depth: Type.Integer({ minimum: 0, description: '0 at the top' }),
});

/** `docs sites schema eval`. */
export const evaluate = manual({
  name: 'eval',
  summary: 'Show what a visitor with certain claims sees',
  why:
    'Evaluates the condition of every section and site space; a claim that --claims leaves out is undefined, not ' +
    'false. A result is unknown where the schema lacks a claim, or docs cannot evaluate the condition.',
  args: { '<site>': 'Site' },
  options: [
    option('--claims <claims>', 'Claims of the visitor: a file, - for standard input, or the JSON itself', {
      reads: 'unless-json',
      check: async () => {
        const { claimsOf } = await import('./schema-input.js');
        return (typed, session) => claimsOf(session, typed, '--claims');
      },
      required: true,
    }),
    option('--schema <schema>', 'Evaluate under this JSON Schema instead of that of the site', {
      reads: 'unless-json',
    }),
    contextOption('organizationId'),
  ],
  operations: [getSite, getAdaptiveSchema, listSections, listSiteSpaces, listSectionGroups],
  returns: Type.Array(SeenRow),
  columns: [
    { path: 'result', as: 'state' },
    'kind',
    { path: 'title', keep: true },
    'path',
    { path: 'condition', keep: true },
    'why',
    'default',
    'id',
  ],
  empty: 'The site has no sections and no spaces.',
  exits: ['partial'],
  examples: {
    'sites schema eval w1 --claims claims.json': 'show what a visitor with the claims of a file sees',
    'sites schema eval w1 --claims \'{"beta": true}\' --schema @new.json':
      'evaluate under a schema that is not set yet',
  },
  async run(session, input, { view }) {
    await (await import('./schema-eval-run.js')).evaluateSite(session, input, view);
  },
});
