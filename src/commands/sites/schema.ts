import { getAdaptiveSchema, setAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import { listSections } from '../../api/resources/sections.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { getSite } from '../../api/resources/sites.js';
import type { Group } from '../../cli/declare/command.js';
import { command } from '../../cli/declare/define.js';
import { option } from '../../cli/declare/standing-flags.js';
import { diff } from './schema-diff.js';
import { evaluate } from './schema-eval.js';
import { visitorSchema } from './visitor-schema.js';

export const schema: Group = {
  name: 'schema',
  noun: 'adaptive schema',
  summary: 'Manage the adaptive schema of a site',
  why: 'The adaptive schema is a JSON Schema (draft-07) of the boolean visitor claims that conditions can use.',
  commands: [
    command({
      name: 'get',
      operation: getAdaptiveSchema,
      why:
        'Prints the visitor claims that the site accepts as JSON Schema. sites schema set takes the same ' +
        'format.',
      args: { siteId: '<site>' },
      columns: ['updatedAt', 'jsonSchema'],
      examples: {
        'sites schema get w1': 'show the schema of a site',
        'sites schema get w1 --jq .jsonSchema': 'print the JSON Schema alone, as set takes it',
      },
    }),
    command({
      name: 'set',
      operation: setAdaptiveSchema,
      why:
        'Validates the file before sending: draft-07, boolean claims, additionalProperties false. Nothing is sent if ' +
        'a condition of the site uses a claim that the new schema removes or narrows.',
      args: { siteId: '<site>', jsonSchema: '<schema>' },
      flags: {
        jsonSchema: {
          description: 'JSON Schema (draft-07): @file, - for standard input, or the JSON itself',
          parse: visitorSchema,
          reads: 'at',
        },
      },
      guard: async () => (await import('./schema-guard.js')).guardSchema,
      guardReads: [getAdaptiveSchema, getSite, listSections, listSiteSpaces],
      guardFlags: [option('--allow-broken', 'Set it even if conditions break, or could not be read')],
      columns: ['updatedAt', 'jsonSchema'],
      says: ({ what }) => `Set the adaptive schema of ${what}`,
      examples: {
        'sites schema set w1 @schema.json': 'validate a file and replace the schema',
        'sites schema set w1 @schema.json --dry-run': 'check whether a condition would break',
      },
    }),
    diff,
    evaluate,
  ],
};
