import { Explanation } from '../../access/explain/explanation.js';
import { getCollection } from '../../api/resources/collections.js';
import { getMember, listMemberSpaces, listMembers, listMemberTeams } from '../../api/resources/members.js';
import { listSectionGroups } from '../../api/resources/section-groups.js';
import { listSections } from '../../api/resources/sections.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { getSite, listSites } from '../../api/resources/sites.js';
import { getSpace } from '../../api/resources/spaces.js';
import { manual } from '../../cli/declare/define.js';
import { contextOption } from '../../cli/declare/standing-flags.js';

/** `docs access explain`. */
export const explain = manual({
  name: 'explain',
  summary: 'Explain the role of a person in a space or on a site',
  why:
    'Prints each layer in order of precedence, which one decides and which are shadowed. A grant is named with ' +
    'the teams it may have come through, since the platform does not tell which.',
  args: {
    '<person>': { description: 'Member, by id or email', kind: 'member' },
    '<resource>': {
      description: 'Space, collection or site; space:<id>, collection:<id> and site:<id> save requests',
      kind: 'space',
      otherKinds: ['collection', 'site'],
    },
  },
  options: [contextOption('organizationId')],
  operations: [
    getMember,
    listMembers,
    listMemberSpaces,
    listMemberTeams,
    getSpace,
    getCollection,
    getSite,
    listSites,
    listSiteSpaces,
    listSections,
    listSectionGroups,
  ],
  returns: Explanation,
  columns: [
    { path: 'person.email', label: 'PERSON' },
    { path: 'resource.object', label: 'KIND' },
    { path: 'resource.title', label: 'RESOURCE' },
    'role',
    'reason',
    'why',
    { path: 'person.id', as: 'id' },
    { path: 'resource.id', as: 'id' },
  ],
  id: 'resource.id',
  exits: ['partial'],
  examples: {
    'access explain ada@acme.example s1': 'explain the role of a member in a space',
    'access explain u1 collection:c1 --json': 'print the layers as JSON',
    'access explain u1 site:w1': 'show what a member can do on a site, and who can read it',
  },
  async run(session, input, { view }) {
    await (await import('./explain-run.js')).explainAccess(session, input, view);
  },
});
