import { type Explained, explainAccess, type Resource, siteOperations } from '../../access/explain.js';
import { type Audience, type Explanation, Tally } from '../../access/person.js';
import { usageError } from '../../base/errors.js';
import { refuseTitles } from '../../cli/resolve/id-places.js';
import { originOf } from '../../cli/run/origin.js';
import { outputFormat } from '../../cli/run/output.js';
import { platformFact } from '../../cli/run/report-page.js';
import type { Document, Report, Session } from '../../cli/run/run-report.js';
import { type LadderPart, type TablePart, tablePart } from '../../document/document.js';
import { endingOf } from './lists.js';

/** `docs access explain`: one explanation. Partial `not_all_read` (exit 3) where something could not be read. */
export const explainReport: Report<Explained> = {
  async read({ session, input, reading, progress }) {
    const resource = resourceOf(session, String(input.args.resource));
    const source = await reading();
    return progress('Reading', () => explainAccess(source, String(input.args.person), resource));
  },
  formOf(session) {
    const { settings, globals } = session;
    const isPlain = settings.fields === undefined && globals.jq === undefined;
    return isPlain && outputFormat(session) === 'table' ? 'text' : 'value';
  },
  drawn: ({ explanation }) => explanationDocument(explanation),
  page: ({ explanation }, { session }) => ({
    ...explanationDocument(explanation),
    facts: platformFact(originOf(session)),
  }),
  value: ({ explanation }) => explanation,
  end({ explanation, unread }) {
    const tally = new Tally();
    tally.rows = 1;
    tally.unknown = explanation.reason === 'unknown' ? 1 : 0;
    tally.fail(...unread);
    return tally.unknown + tally.failures > 0 ? endingOf(tally, { words: 'Explained in part' }) : undefined;
  },
};

/** Reads `kind:id`, as the name was resolved. @throws DocsError usage `invalid_input` */
function resourceOf(session: Session, text: string): Resource {
  const [, object, id] = /^(space|collection|site):([\w-]+)$/.exec(text) ?? [];
  if (id !== undefined && (object === 'space' || object === 'collection' || object === 'site'))
    return { object, id };
  refuseTitles(session, '<resource>', [text]);
  const message = `<resource>: ${JSON.stringify(text.slice(0, 100))} is not the id of a space, a collection or a site`;
  throw usageError('invalid_input', message, { hint: 'docs spaces list' });
}

const names: Record<Explanation['layers'][number]['layer'], string> = {
  'organization-role': 'organization role',
  grant: 'grants',
  space: 'space',
  collection: 'collection',
  organization: 'top level',
};

/** The answer, the layers as a ladder that ends in the role, and who can read it on sites. */
function explanationDocument(explanation: Explanation): Document<LadderPart | TablePart> {
  const { person, resource, role, atLeast, why, layers } = explanation;
  const name = person.email === null ? person.displayName : `${person.displayName} (${person.email})`;
  const has = `${atLeast ? 'at least ' : ''}${role === null ? 'no role' : role === 'unknown' ? 'an unknown role' : role}`;
  const at = `${resource.object === 'site' ? 'on' : 'in'} ${resource.object}`;
  const steps = layers.map(({ layer, title, id, role: own, decides, why: says }) => {
    const of = title ?? id;
    return {
      ...{ name: of === undefined ? names[layer] : `${names[layer]} ${of}`, value: own ?? 'none' },
      ...{ why: says, decides },
    };
  });
  const deciding = steps.filter(({ decides }) => decides).map((step) => step.name);
  const verdict = deciding.length === 0 ? has : `${has}, by ${deciding.join(' and ')}`;
  return {
    title: 'Role and its source',
    headline: `${name}: ${has} ${at} ${resource.title} (${resource.id})`,
    about: [why],
    parts: [{ kind: 'ladder', title: 'Layers', steps, verdict }, ...siteParts(explanation)],
  };
}

function siteParts({ publications, notRead, audience, permits }: Explanation): TablePart[] {
  const sentences = (title: string, ...lines: (string | readonly string[])[]) =>
    tablePart(title, { Detail: 'text' }, { rows: lines.map((line) => [line]), empty: '' });
  const none = notRead.length === 0 ? 'On no site.' : 'On no site that could be read.';
  return [
    ...(publications?.length === 0
      ? [tablePart('Sites', { Detail: 'text' }, { rows: [], empty: none })]
      : []),
    ...(publications ?? []).map((one) =>
      sentences(`On site ${one.site.title} (${one.site.id})`, audienceLines(one)),
    ),
    ...(permits === undefined
      ? []
      : [
          sentences(
            'Permissions',
            `${permits.length} of ${siteOperations} operations on a site, by the organization role.`,
          ),
        ]),
    ...(audience === undefined ? [] : [sentences('Visitors', audienceLines(audience))]),
  ];
}

function audienceLines({ url, visibility, readers, conditions }: Audience): string[] {
  return [
    ...(url === null ? [] : [url]),
    `${visibility}: read by ${readers}`,
    ...conditions.map((condition) => `only where ${condition}`),
  ];
}
