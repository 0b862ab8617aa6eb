/** Where what is typed is not what is sent: written out by hand, from the specification. */

interface Given {
  /** The words after the flag, one a repetition; or the words of the positional. */
  typed: string[];
  sent: unknown;
}

const visitorSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    unsigned: { type: 'object', properties: { beta: { type: 'boolean' } }, additionalProperties: false },
    isAdmin: { type: 'boolean' },
  },
  additionalProperties: false,
};

const given: Record<string, Given> = {
  'orgs update --default-site': { typed: ['site1'], sent: { type: 'site', site: 'site1' } },
  'teams members update --membership': {
    typed: ['u1=owner', 'ada@acme.com=member'],
    sent: { u1: { role: 'owner' }, 'ada@acme.com': { role: 'member' } },
  },
  'spaces fields set <name=value>': {
    typed: ['owner=ada', 'level=3', 'draft=true', 'tags:=["a","b"]', 'code:="7"'],
    sent: {
      owner: { value: 'ada' },
      level: { value: 3 },
      draft: { value: true },
      tags: { value: ['a', 'b'] },
      code: { value: '7' },
    },
  },
  'openapi create --url': {
    typed: ['https://acme.example/api.yaml'],
    sent: { url: 'https://acme.example/api.yaml' },
  },
  'openapi set --url': {
    typed: ['https://acme.example/api.yaml'],
    sent: { url: 'https://acme.example/api.yaml' },
  },
  'sites schema set <schema>': { typed: [JSON.stringify(visitorSchema)], sent: visitorSchema },
  'spaces move --before': { typed: ['space:s2'], sent: { type: 'space', space: 's2' } },
  'spaces move --after': { typed: ['collection:c2'], sent: { type: 'collection', collection: 'c2' } },
  'collections move --before': { typed: ['collection:c2'], sent: { type: 'collection', collection: 'c2' } },
  'collections move --after': { typed: ['space:s2'], sent: { type: 'space', space: 's2' } },
  'sections move --before': { typed: ['x2'], sent: { type: 'site-section', siteSection: 'x2' } },
  'sections move --after': { typed: ['x3'], sent: { type: 'site-section', siteSection: 'x3' } },
  'section-groups move --before': { typed: ['group:g2'], sent: { type: 'site-section-group', id: 'g2' } },
  'section-groups move --after': { typed: ['section:x2'], sent: { type: 'site-section', id: 'x2' } },
  'site-spaces move --before': { typed: ['y2'], sent: { type: 'site-space', siteSpace: 'y2' } },
  'site-spaces move --after': { typed: ['y3'], sent: { type: 'site-space', siteSpace: 'y3' } },
};

const body: Given = { typed: ['Is **this** true?'], sent: { markdown: 'Is **this** true?' } };

/** @param name `--flag` or `<positional>` */
export function special(path: string, name: string): Given | undefined {
  if (name === '--body' && path.startsWith('comments')) return body;
  return given[`${path} ${name}`];
}
