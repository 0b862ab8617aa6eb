import { type Explained, explainAccess, type Resource, siteOperations } from '../../access/explain.js';
import { type Audience, type Explanation, Tally } from '../../access/person.js';
import { usageError } from '../../base/errors.js';
import { refuseTitles } from '../../cli/resolve/id-places.js';
import { outputFormat } from '../../cli/run/output.js';
import type { Report, Session } from '../../cli/run/run-report.js';
import { hanging } from '../../document/terminal.js';
import { safeLine } from '../../output/text.js';
import { cut, widthOf } from '../../output/text-width.js';
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
  text: ({ explanation }, { session: { io } }) =>
    explanationText(explanation, io.stdout.columns || Number(io.env.COLUMNS) || 80),
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

/** An explanation as people read it on a terminal, in lines of at most so many columns; ends with a newline. */
function explanationText(explanation: Explanation, columns: number): string {
  const lines = [
    { first: '', text: headline(explanation) },
    { first: '', text: explanation.why },
    { first: '', text: '' },
    ...layerLines(explanation),
    ...placeLines(explanation),
    ...siteLines(explanation),
  ];
  return `${lines.flatMap((line) => wrapped(line, columns)).join('\n')}\n`;
}

/** A text that is wrapped beside what stands before its first line. */
interface Line {
  first: string;
  text: string;
}

/** Columns that a wrapped text needs at least; with fewer it goes below what stands before it, by so many in. */
const leastText = 24;
const inset = '    ';

function wrapped({ first, text }: Line, columns: number): string[] {
  const width = widthOf(first);
  if (width > inset.length && columns - width < leastText)
    return [first.trimEnd(), ...wrapped({ first: inset, text }, columns)];
  const [line = '', ...more] = hanging(first, safeLine(text), columns, { least: leastText });
  return [line.trimEnd(), ...more];
}

function headline({ person, resource, role, atLeast }: Explanation): string {
  const name = person.email === null ? person.displayName : `${person.displayName} (${person.email})`;
  const least = atLeast ? 'at least ' : '';
  const has = role === null ? 'no role' : role === 'unknown' ? 'an unknown role' : role;
  const at = `${resource.object === 'site' ? 'on' : 'in'} ${resource.object}`;
  return `${name}: ${least}${has} ${at} ${resource.title} (${resource.id})`;
}

const names: Record<Explanation['layers'][number]['layer'], string> = {
  'organization-role': 'organization role',
  grant: 'grants',
  space: 'space',
  collection: 'collection',
  organization: 'top level',
};

/** A line for each layer: which decides, its role, and what it does. */
function layerLines({ layers }: Explanation): Line[] {
  const rows = layers.map(({ layer, title, id, role, decides, why }) => {
    const name = title ?? id;
    return {
      mark: decides ? '→' : ' ',
      name: cut(safeLine(name === undefined ? names[layer] : `${names[layer]} ${name}`), 32),
      role: role ?? 'none',
      text: why,
    };
  });
  const nameWidth = Math.max(...rows.map(({ name }) => widthOf(name)));
  return rows.map(({ mark, name, role, text }) => ({
    first: `${mark} ${name}${' '.repeat(nameWidth - widthOf(name))}  ${role.padEnd(7)}  `,
    text,
  }));
}

function placeLines({ publications, notRead }: Explanation): Line[] {
  if (publications === undefined) return [];
  if (publications.length === 0)
    return plain(['', notRead.length === 0 ? 'On no site.' : 'On no site that could be read.']);
  return publications.flatMap((one) => [
    ...plain(['', `On site ${one.site.title} (${one.site.id}):`]),
    ...audienceLines(one),
  ]);
}

function siteLines({ audience, permits }: Explanation): Line[] {
  const permitted =
    permits && `The organization role permits ${permits.length} of ${siteOperations} operations on a site.`;
  return [
    ...plain(permitted === undefined ? [] : ['', permitted]),
    ...(audience === undefined ? [] : [...plain(['', 'Visitors:']), ...audienceLines(audience)]),
  ];
}

function audienceLines({ url, visibility, readers, conditions }: Audience): Line[] {
  const lines = [
    ...(url === null ? [] : [url]),
    `${visibility}: read by ${readers}`,
    ...conditions.map((condition) => `only where ${condition}`),
  ];
  return lines.map((text) => ({ first: '  ', text }));
}

function plain(texts: readonly string[]): Line[] {
  return texts.map((text) => ({ first: '', text }));
}
