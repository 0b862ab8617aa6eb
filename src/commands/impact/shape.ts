import { impactActions, impactAspects } from '../../access/impact/change.js';
import { Type } from '../../api/type.js';
import {
  closed,
  Failure,
  maybe,
  oneOf,
  orNull,
  roleText,
  stateOf,
  text,
} from '../../output/printed-shapes.js';

/** What `docs impact … --json` prints. */

const within = Type.Optional(Type.Record(Type.String(), Type.String()));
const affected = { object: text, id: text, within };
const named = closed({ id: text, title: text });

const question = closed({
  action: oneOf(...impactActions),
  things: Type.Array(closed(affected)),
  to: Type.Optional(
    closed({
      parent: Type.Optional(orNull(text)),
      organization: maybe,
      title: maybe,
      label: maybe,
      path: maybe,
      basename: maybe,
      hostname: maybe,
      proxy: Type.Optional(orNull(text)),
    }),
  ),
});

const link = closed({
  from: closed({
    space: named,
    page: Type.Optional(closed({ id: text, title: maybe, path: maybe, url: maybe })),
  }),
  to: closed({
    ...{ kind: text, space: maybe, page: maybe, file: maybe, site: maybe },
    ...{ path: maybe, anchor: maybe, url: maybe, title: maybe, spaceTitle: maybe },
  }),
  via: oneOf('reference', 'app-address', 'published-address'),
  status: stateOf('ok', 'broken', 'in-app'),
  outgoing: Type.Optional(
    Type.Literal(true, { description: 'Leads from what is transferred to what stays' }),
  ),
});

const url = closed({
  url: text,
  site: Type.Optional(Type.String({ description: 'None of a public address of the space itself' })),
  kind: oneOf('site', 'section', 'site-space', 'space', 'page'),
  title: text,
  becomes: Type.Optional(Type.String({ description: 'Where the same content is afterwards' })),
});

const redirect = closed({
  from: text,
  to: orNull(text),
  why: oneOf('moved', 'elsewhere', 'parent', 'nothing-left', 'not-told'),
});

const dependent = closed({
  ...{ kind: text, id: text, title: maybe, what: text },
  refused: Type.Optional(
    Type.Literal(true, { description: 'The platform refuses the change because of it' }),
  ),
});

const roleChange = closed({
  person: closed({ id: text, email: maybe }),
  space: named,
  from: orNull(roleText),
  to: orNull(roleText),
  most: Type.Optional(roleText),
  certain: Type.Boolean({ description: 'Whether the role changes for sure' }),
});

const unread = closed({ kind: text, id: text, title: maybe, space: maybe, error: Failure });

export const ImpactShape = closed({
  question,
  things: Type.Array(closed({ ...affected, title: text })),
  target: Type.Optional(named),
  links: Type.Array(link),
  urls: Type.Array(url),
  redirects: Type.Array(redirect),
  dependents: Type.Array(dependent),
  people: Type.Array(roleChange),
  looked: Type.Array(oneOf(...impactAspects), { description: 'What was looked for' }),
  unknown: Type.Array(unread, { description: 'What could not be read' }),
  irreversible: Type.Array(text),
});
