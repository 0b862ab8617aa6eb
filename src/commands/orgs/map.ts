import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import { concurrencyOption, contextOption, htmlOption, option } from '../../cli/declare/standing-flags.js';
import { MapRow, mapParts } from '../../workflows/org-map/nodes.js';
import { mapOperations } from '../../workflows/org-map/read.js';

/** `docs orgs map`. */
export const map = manual({
  name: 'map',
  summary: 'Show an organization as a tree',
  why:
    'Shows collections with their spaces, sites with their sections, teams, people by role, OpenAPI specs and SAML ' +
    'providers; what could not be read is named and exits 3. Drawings with -o mermaid and -o dot leave out ages and ' +
    'counts of daily work, so that a diff of two shows what was rearranged.',
  options: [
    option('--only <part>...', 'Only these parts', { choices: mapParts }),
    option('--depth <n>', 'Levels below the organization; default: all', { number: 'count' }),
    option('--pages', 'Count the pages of each space, which takes a request per space'),
    htmlOption,
    concurrencyOption,
    contextOption('organizationId'),
  ],
  operations: mapOperations,
  returns: Type.Array(MapRow),
  columns: [
    'kind',
    'depth',
    { path: 'title', indent: 'depth', keep: true },
    ...(['path', 'visibility', 'total', 'spaces', 'members', 'pages'] as const),
    { path: 'openChangeRequests', label: 'OPEN' },
    ...(['updatedAt', 'parent', 'id'] as const),
  ],
  formats: ['mermaid', 'dot'],
  exits: ['partial'],
  examples: {
    'orgs map': 'look at the whole organization',
    'orgs map --only spaces,sites --depth 2': 'list collections and sites without what is in them',
    'orgs map --only sites -o mermaid > sites.mmd': 'draw the sites for a pull request',
    'orgs map --html map.html': 'write a page with the tree and tables to sort',
    'orgs map -o dot | dot -Tsvg > map.svg': 'draw everything with Graphviz',
    "orgs map --jq '.[] | select(.openChangeRequests > 5) | .title'":
      'list spaces with many open change requests',
  },
  async run(session, input, { view }) {
    await (await import('./map-run.js')).printMap(session, input, view);
  },
});
