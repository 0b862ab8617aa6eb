import { ClaimSet } from '../../access/adaptive/claims.js';
import { readSchema, readWholeSite, type WholeSite } from '../../access/adaptive/read.js';
import { DocsError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { columnsOf, paletteOf } from '../../cli/run/output.js';
import {
  partialEnding,
  type Report,
  type ReportEnding,
  type ReportRequest,
  type Session,
} from '../../cli/run/run-report.js';
import { hanging } from '../../document/lines.js';
import type { Palette } from '../../output/colors.js';
import { counted, safeLine } from '../../output/text.js';
import { notReadLines, type Reading } from '../../snapshot/unread.js';
import { hiddenDefaults, type Seen, seenBy, visitorOf } from './evaluate.js';
import { least, type Mark } from './schema-diff.js';
import { claimsOf, schemaOf, sourceOf } from './schema-input.js';

/** What a visitor with certain claims sees of a site. */
interface Evaluated {
  rows: readonly Seen[];
  site: WholeSite;
  /** Claims that do not fit the schema, as sentences. */
  faults: readonly string[];
}

/** `docs sites schema eval`: usage; not-found; partial `not_all_known` (exit 3) where something is unknown. */
export const schemaEvalReport: Report<Evaluated> = {
  read: evaluateSite,
  async text({ rows }, { session }) {
    return rows.length === 0 ? undefined : seenText(rows, columnsOf(session), await paletteOf(session));
  },
  rows: ({ rows }) => rows,
  end: endingOf,
};

async function evaluateSite({ session, input, rawReading, progress }: ReportRequest): Promise<Evaluated> {
  const { claims, schema } = input.options;
  if (typeof claims !== 'string') throw usageError('missing_flag', '--claims is required: a JSON file, or -');
  const asked = typeof schema === 'string' ? schema : undefined;
  if (asked !== undefined && [claims, asked].every((typed) => sourceOf(typed) === '-'))
    throw usageError('contradiction', 'only one of --claims and --schema can be standard input');
  const own = await claimsOf(session, claims, '--claims');
  const given = asked === undefined ? undefined : await schemaOf(session, asked, '--schema');
  const siteId = String(input.args.site);
  const reading = await rawReading();
  const [site, live] = await progress('Reading the site', () =>
    Promise.all([readWholeSite(reading, siteId), given ?? requireSchema(session, reading, siteId)]),
  );
  const claimSet = new ClaimSet(live);
  const { visitor, faults } = await visitorOf(own, claimSet);
  return { rows: seenBy({ schema: claimSet, visitor, site }), site, faults };
}

/** @throws DocsError not-found `no_schema` for a site without one */
async function requireSchema({ io }: Session, reading: Reading, siteId: string): Promise<unknown> {
  const schema = await readSchema(reading, siteId);
  if (schema !== undefined) return schema;
  const id = shellWord(siteId, io.platform);
  throw new DocsError('not-found', 'no_schema', `site ${siteId} has no adaptive schema; pass --schema`, {
    hint: `docs sites schema set ${id} @schema.json`,
  });
}

/** Sentences about claims that do not fit the schema; of more, only the number. */
const mostFaults = 20;

function endingOf({ rows, site, faults }: Evaluated): ReportEnding {
  const { unread } = site;
  const of = (result: Seen['result']) => rows.filter((row) => row.result === result).length;
  const isOff = site.site.adaptiveContent?.enabled === false;
  const more = faults.length - mostFaults;
  const warnings = [
    ...faults.slice(0, mostFaults),
    ...(more > 0 ? [`${counted(more, 'more claim does', 'more claims do')} not fit the schema.`] : []),
    ...hiddenDefaults(rows),
    ...(isOff ? ['Adaptive content is off for this site, so today every visitor sees everything.'] : []),
    ...notReadLines(unread),
  ];
  const unknown = of('unknown');
  const words = [
    `${of('shown')} shown, ${of('hidden')} hidden, ${unknown} unknown`,
    ...(unread.length > 0
      ? [`${counted(unread.length, 'list or item', 'lists or items')} could not be read`]
      : []),
  ];
  const sum = `${words.join('; ')}.`;
  if (unknown + unread.length === 0) return { warnings, note: sum };
  const details = { unknown, faults: faults.slice(0, mostFaults) };
  return partialEnding(unread, sum, { code: 'not_all_known', warnings, details });
}

const results: Readonly<Record<Seen['result'], Mark>> = {
  shown: ['✓', 'good'],
  hidden: ['✗', 'bad'],
  unknown: ['?', 'warn'],
};

/** The site as a visitor sees it: a line for each part, its condition beside or below it. */
function seenText(rows: readonly Seen[], columns: number, palette: Palette): string {
  const lines = rows.flatMap(({ result, kind, title, path, condition, why, default: isDefault, depth }) => {
    const indent = '  '.repeat(depth);
    const [mark, tone] = results[result];
    const what = [
      kind === 'section-group' ? `${title} (group)` : title,
      ...(path === undefined ? [] : [`/${path.replace(/^\/+/, '')}`]),
      ...(isDefault === true ? ['(default)'] : []),
    ].join('  ');
    const quiet = { least, mark: palette.quiet, paint: palette.quiet };
    const below = (word: string, text: string) =>
      hanging(`${indent}    ${word}`, safeLine(text), columns, quiet);
    return [
      ...hanging(`${indent}${mark} `, safeLine(what), columns, { least, mark: palette[tone] }),
      ...(condition === undefined ? [] : below('if ', condition)),
      ...(why === undefined ? [] : below('', `${sentence(why)}.`)),
    ];
  });
  return `${lines.join('\n')}\n`;
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
