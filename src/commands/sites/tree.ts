import { listSectionGroups } from '../../api/resources/section-groups.js';
import { listSections } from '../../api/resources/sections.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { getSite } from '../../api/resources/sites.js';
import { Type } from '../../api/type.js';
import { manual } from '../../cli/declare/define.js';
import { contextOption, option } from '../../cli/declare/standing-flags.js';

const text = (description: string) => Type.String({ description });
const maybe = (description: string) => Type.Optional(text(description));

/** A group, section or space of a site: one row, after the row of what it stands in. */
const TreeRow = Type.Object({
  kind: Type.String({ enum: ['group', 'section', 'space'], description: 'What it is' }),
  depth: Type.Integer({ description: '0 at the top' }),
  title: Type.String(),
  path: maybe('Path on the site; groups have none'),
  default: Type.Boolean({ description: 'Whether the site, or its section, opens with it' }),
  url: maybe('Published address; absent while the site is not published'),
  id: text('Of a space the id of the site space'),
  space: maybe('Id of the space'),
  parent: maybe('Id of the section or group in which it stands'),
});

/** `docs sites tree`. */
export const tree = manual({
  name: 'tree',
  summary: 'Print the groups, sections and spaces of a site',
  why:
    'One line each, with its path, id and address; * marks what opens first. Edit the text, and sites arrange ' +
    'makes the site like it.',
  args: { '<site>': 'Site' },
  options: [
    option('--no-urls', 'Leave out the addresses at the ends of the lines'),
    contextOption('organizationId'),
  ],
  operations: [getSite, listSectionGroups, listSections, listSiteSpaces],
  returns: Type.Array(TreeRow),
  columns: ['kind', 'depth', 'title', 'path', 'default', 'url', 'space', 'parent', 'id'],
  empty: 'The site has no spaces.',
  examples: {
    'sites tree w1': 'print the tree of a site',
    'sites tree w1 > tree.txt': 'write it to a file, to edit it and hand it to sites arrange',
    'sites tree w1 --json': 'print a list of all groups, sections and spaces',
  },
  async run(session, input, { view }) {
    await (await import('./tree-run.js')).printTree(session, input, view);
  },
});
