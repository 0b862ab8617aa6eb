import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/cli/declare/command.js';
import { commandTree } from '../../src/cli/declare/outline.js';
import { viewOf } from '../../src/cli/declare/shown.js';
import { groups } from '../../src/commands/index.js';
import { type Column, resolveColumns } from '../../src/output/columns.js';
import type { View } from '../../src/output/printer.js';
import { widthOf } from '../../src/output/text-width.js';
import { printed, terminal } from '../output/printed.js';

/** What people list for is there at 80 columns, however wide the rows are. */

const tree = await commandTree(groups);

/** How a command shows what it prints. */
function viewOfCommand(command: Command): View | undefined {
  const [operation] = command.operations;
  if (command.view !== undefined || operation === undefined) return command.view;
  return viewOf(command, operation);
}

/** The lists that people read for a column, and the columns. */
const listedFor: Readonly<Record<string, readonly string[]>> = {
  'access diff': ['CHANGE', 'PERSON', 'SPACE', 'FROM', 'TO'],
  'access matrix': ['PERSON', 'SPACE', 'ROLE'],
  'access who': ['PERSON', 'ROLE', 'VIA', 'SPACE'],
  'auth list': ['NAME', 'BASE URL', 'CURRENT'],
  'audit list': ['SEQ', 'EVENT', 'ACTOR', 'COMMAND'],
  'backup log': ['RUN', 'STATE'],
  'backup search': ['TITLE', 'SNIPPET'],
  'change-requests inbox': ['REASONS', 'SPACE', 'NO', 'SUBJECT', 'AUTHOR'],
  'change-requests list': ['NUMBER', 'SUBJECT', 'STATUS', 'AUTHOR', 'ID'],
  'change-requests stale': ['SPACE', 'NUMBER', 'SUBJECT', 'AUTHOR', 'AGE', 'ACTION'],
  'collections list': ['TITLE', 'DEFAULT LEVEL', 'ID'],
  'comments list': ['AUTHOR', 'COMMENT', 'STATUS', 'ID'],
  'comments replies list': ['AUTHOR', 'REPLY', 'ID'],
  'config list': ['NAME', 'VALUE'],
  'content files list': ['NAME', 'SIZE', 'ID'],
  'content pages list': ['TITLE', 'PATH', 'ID'],
  'custom-fields list': ['NAME', 'TYPE'],
  doctor: ['STATE', 'CHECK', 'DETAIL', 'HINT'],
  'impact access': ['PERSON', 'SPACE', 'FROM', 'TO', 'CERTAIN'],
  'jobs list': ['ID', 'COMMAND', 'STATE'],
  'links check': ['STATUS', 'SPACE', 'PAGE', 'LINK'],
  'links fix': ['STATUS', 'LINK', 'NEW TARGET'],
  'members list': ['DISPLAY NAME', 'EMAIL', 'ROLE', 'ID'],
  'members review': ['NAME', 'EMAIL', 'ROLE', 'FLAGS'],
  'members spaces': ['TITLE', 'PERMISSION', 'ID'],
  'members teams': ['TITLE', 'ROLE', 'ID'],
  'openapi list': ['SLUG', 'STATE', 'ERROR'],
  'orgs list': ['TITLE', 'PLAN', 'ID'],
  'saml list': ['LABEL', 'DEFAULT ROLE', 'ID'],
  'sandbox requests': ['METHOD', 'PATH', 'STATUS'],
  'section-groups list': ['TITLE', 'SECTIONS', 'ID'],
  'sections list': ['TITLE', 'PATH', 'ID'],
  'site-spaces list': ['TITLE', 'PATH', 'ID'],
  'sites list': ['TITLE', 'VISIBILITY', 'PUBLISHED URL', 'ID'],
  'spaces fields list': ['NAME', 'VALUE'],
  'spaces links': ['STATUS', 'URL', 'PAGE'],
  'spaces list': ['TITLE', 'VISIBILITY', 'ID'],
  'teams list': ['TITLE', 'MEMBERS', 'ID'],
  'teams members list': ['DISPLAY NAME', 'EMAIL', 'TEAM ROLE', 'ROLE', 'ID'],
  'translations list': ['TITLE', 'LANGUAGES', 'ID'],
};

const id = 'dhCU5DrvTUtiSEGsaqfh';
const texts = [
  '案内書の編集部の皆さんへ：これはとても長い題名であり、窓よりも広いものです',
  'A title of sixty characters, which says more than it needs to.',
];

/** A value of a column that is as wide as values of its kind become. */
function wide({ path, as }: Column, isId: boolean, text: string): unknown {
  if (isId || /(^|\.)id$/.test(path)) return id;
  if (as === 'age' || /At$/.test(path)) return '2025-11-05T09:00:00.000Z';
  if (as === 'role' || /(^|\.)role$|permission|^(from|to|most)$|level/i.test(path)) return 'comment';
  if (as === 'visibility' || /visibility$/.test(path)) return 'in-collection';
  if (as === 'state' || /state|status|^event$/.test(path)) return 'unanswered';
  if (as === 'count' || as === 'bytes' || /number|seq|^age$|members|total|^run$/.test(path)) return 1234;
  if (as === 'yesno' || /certain|sso$|current/.test(path)) return false;
  if (path === 'time') return '2026-01-05T09:00:14.568Z';
  if (/^(method|type)$/.test(path)) return 'multiselect';
  if (/job|plan/.test(path)) return '20260105-090000-c0ffee';
  return text;
}

/** Puts a value at a dotted path. */
function withValue(item: Record<string, unknown>, path: string, value: unknown): Record<string, unknown> {
  const [key = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...item, [key]: value };
  return { ...item, [key]: withValue((item[key] ?? {}) as Record<string, unknown>, rest.join('.'), value) };
}

async function lines(view: View): Promise<string[]> {
  const columns = resolveColumns(view, undefined);
  const rows = texts.map((text) =>
    columns.reduce<Record<string, unknown>>(
      (item, column) => withValue(item, column.path, wide(column, column.isId, text)),
      {},
    ),
  );
  const { stdout } = await printed({ ...terminal, columns: 80 }, (printer) => printer.list(rows, view));
  return stdout.trimEnd().split('\n');
}

describe('at 80 columns', () => {
  it.each(Object.entries(listedFor))('docs %s shows what it is read for', async (path, wanted) => {
    const command = tree.find((one) => one.path === path)?.command as Command | undefined;
    const view = command === undefined ? undefined : viewOfCommand(command);
    if (view === undefined) throw new Error(`docs ${path} prints no list`);
    const shown = await lines(view);
    const header = shown[0]?.split(/ {2,}/) ?? [];
    expect({ header, missing: wanted.filter((label) => !header.includes(label)) }).toEqual({
      header,
      missing: [],
    });
    for (const line of shown) expect(widthOf(line)).toBeLessThanOrEqual(80);
  });

  it('every column that a command declares as one to list for is in this table', () => {
    const leads = tree.flatMap(({ path, command }) => {
      const view = viewOfCommand(command as Command);
      return view?.columns.some(({ lead }) => lead) && path.endsWith(' list') ? [path] : [];
    });
    expect(leads.filter((path) => listedFor[path] === undefined)).toEqual([]);
  });
});
