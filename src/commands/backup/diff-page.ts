import { isObject } from '../../base/values.js';
import type { Cell, ChangedItem, Document } from '../../document/document.js';
import { plainText } from '../../output/cells.js';
import { isRawNumber } from '../../output/json.js';
import { counted, utcText } from '../../output/text.js';
import { hasAccess } from '../../workflows/backup/ages.js';
import { foldedForReading } from '../../workflows/backup/diff/folded.js';
import type { Manifest } from '../../workflows/backup/folder/manifest.js';
import type { Difference } from '../../workflows/backup/report.js';

/** A backup as it is named in the report of a comparison. */
export interface ComparedBackup {
  /** Its folder, as typed. */
  name: string;
  manifest: Pick<Manifest, 'organization' | 'platform' | 'state' | 'startedAt' | 'finishedAt' | 'files'>;
}

/** What changed between two backups, as a page: each thing with its fields before and after. */
export function diffReport(
  differences: readonly Difference[],
  [a, b]: readonly [ComparedBackup, ComparedBackup],
): Document {
  const { organization, platform } = b.manifest;
  const folded = foldedForReading(differences);
  const missing = [a, b].flatMap(({ name, manifest: { state } }) =>
    state === 'whole' ? [] : [`${name} is ${state}: what it lacks is listed as removed, or not at all.`],
  );
  const without = [a, b].filter(({ manifest }) => !hasAccess(manifest)).map(({ name }) => name);
  if (without.length > 0)
    missing.push(`Permissions in spaces are not compared: ${without.join(' and ')} does not have them.`);
  return {
    title: `Changes in ${organization.title}`,
    about: [differences.length === 0 ? 'No differences.' : `${counted(differences.length, 'difference')}.`],
    missing,
    facts: [
      ['Organization', `${organization.title} (${organization.id})`],
      ['Platform', platform],
      ['Earlier backup', backupWords(a)],
      ['Later backup', backupWords(b)],
    ],
    parts: [
      {
        ...{ kind: 'changes', title: 'Differences', empty: 'No differences.' },
        items: folded.differences.map((one) => itemOf(one, folded.also)),
      },
    ],
  };
}

function backupWords({ name, manifest: { startedAt, finishedAt = startedAt } }: ComparedBackup): string {
  return `${name}, ${utcText(finishedAt)}`;
}

/** Pages of reports name what is done; a list names what was. */
const actions: Readonly<Record<Difference['change'], string>> = {
  added: 'add',
  removed: 'remove',
  changed: 'change',
  moved: 'move',
};

function itemOf(
  { change, kind, id, title, space, path, from, fields = [] }: Difference,
  also: ReadonlyMap<string, string>,
): ChangedItem {
  const where = kind === 'member' ? also.get(id) : undefined;
  const place = path === undefined ? [] : [`File: ${path}`];
  return {
    action: actions[change],
    as: kind,
    title: title ?? id,
    id,
    notes: [
      ...(space === undefined ? [] : [`Space: ${space}`]),
      ...(from === undefined ? place : []),
      ...(where === undefined ? [] : [`Its permission: ${where}`]),
    ],
    fields: [
      ...(from === undefined ? [] : [{ name: 'path', before: from, after: path ?? null }]),
      ...fields.map(({ field, before, after }) => ({
        name: field,
        before: cellOf(before),
        after: cellOf(after),
      })),
    ],
  };
}

/** A value: texts line by line, elements of lists one a line; what is nested is JSON. */
function cellOf(value: unknown): Cell {
  if (value === undefined) return null;
  if (value === null) return 'null';
  if (typeof value === 'string') return value.includes('\n') ? value.split('\n') : value;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(elementText);
  return plainText(value);
}

function elementText(value: unknown): string {
  return isObject(value) && !isRawNumber(value) ? plainText(value) : String(value);
}
