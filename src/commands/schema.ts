import { Type } from '../api/type.js';
import { type DocsError, usageError } from '../base/errors.js';
import { didYouMean, nearest } from '../base/nearest.js';
import { manual } from '../cli/declare/define.js';
import { option } from '../cli/declare/option.js';

import { commandAt, type TreeEntry } from '../cli/declare/outline.js';
import { describe, errorSchema, wholeInputSchema } from '../cli/help/describe.js';
import { dialect, type JsonSchema } from '../cli/help/plain-schema.js';
import { namedCommand } from '../cli/parse/suggest.js';
import { maybe } from '../output/printed-shapes.js';

/** `docs commands schema`: the JSON Schemas of one command's input and output, of plans, and of the files of a folder. */

/** The schemas that a command has, by the name of the part. */
const parts = ['input', 'body', 'result', 'preview', 'error'] as const;
type SchemaPart = (typeof parts)[number];

const anyObject = Type.Object({});

export const schema = manual({
  name: 'schema',
  summary: 'Print the JSON Schemas of a command or a file',
  why:
    'Parts: input (arguments and flags), body (for --input), result (of --json), preview (of --dry-run ' +
    '--json) and error (on stderr). "plan" is the file of docs plan --save-plan, "rehearsal" the report of docs ' +
    'rehearse, and file:teams is teams.yaml of the organization as code, for editors.',
  args: { '<command...>': 'Command, such as members update; or plan, rehearsal, or file:<name>' },
  options: [
    option('--part <part>', 'Print only this schema', {
      choices: parts,
      closed: true,
      choiceError: 'unknown_part',
    }),
  ],
  returns: Type.Object({
    command: maybe,
    input: Type.Optional(anyObject),
    body: Type.Optional(anyObject),
    result: Type.Optional(anyObject),
    preview: Type.Optional(anyObject),
    error: Type.Optional(anyObject),
  }),
  examples: {
    'commands schema members update': 'print all schemas of a command',
    'commands schema spaces update --part body': 'print the schema of --input',
    'commands schema file:teams': 'print the schema of teams.yaml',
  },
  local: true,
  async run(session, { args, options }, { groups }) {
    const words = [args.command ?? []].flat();
    const file = options.part === undefined ? await schemaOfFile(words) : undefined;
    if (file !== undefined) return session.printer.value(file);
    const path = await namedCommand(words, groups, session.io.platform);
    const entry = { path, ...(await commandAt(groups, path)) };
    const schemas = schemasOf(entry);
    const part = parts.find((name) => name === options.part);
    if (part === undefined) return session.printer.value(schemas);
    const chosen = schemas[part];
    if (chosen === undefined) throw noSuchPart(entry, part);
    return session.printer.value(chosen);
  },
});

/** The schema of a plan or of a file of the organization as code. @throws DocsError usage `no_such_schema` */
async function schemaOfFile([word = '', ...more]: readonly string[]): Promise<object | undefined> {
  if (more.length > 0) return undefined;
  if (word === 'plan') {
    const { PlanSchema } = await import('../plans/schema.js');
    return { $schema: dialect, ...PlanSchema };
  }
  if (word === 'rehearsal') {
    const { RehearsalShape } = await import('../rehearsal/report.js');
    return { $schema: dialect, ...RehearsalShape };
  }
  if (!word.startsWith('file:')) return undefined;
  const { fileNames, fileSchema } = await import('../organization/files/schemas.js');
  const name = word.slice('file:'.length).replace(/\.ya?ml$/, '');
  if (fileNames.includes(name)) return fileSchema(name);
  const meant = nearest(name, fileNames);
  const suggestion = didYouMean(meant && `file:${meant}`) || '.';
  const message = `unknown file ${JSON.stringify(name)}${suggestion} Known: ${fileNames.join(', ')}.`;
  throw usageError('no_such_schema', message, { hint: `docs commands schema file:${meant ?? fileNames[0]}` });
}

/** All schemas of a command, each a document of its own. */
function schemasOf(entry: TreeEntry): { command: string } & Partial<Record<SchemaPart, JsonSchema>> {
  const { body, result, preview } = describe(entry);
  const document = (what: string, given: JsonSchema): JsonSchema => ({
    $schema: dialect,
    title: `docs ${entry.path}: ${what}`,
    ...given,
  });
  return {
    command: entry.path,
    input: document('input', wholeInputSchema(entry.command)),
    ...(body !== undefined && { body: document('body', body) }),
    result: document('result', result),
    ...(preview !== undefined && { preview: document('preview', preview) }),
    error: document('error', errorSchema),
  };
}

function noSuchPart({ path, command }: TreeEntry, part: SchemaPart): DocsError {
  const changes = `changes nothing${command.danger === 'read' ? '' : ' on the platform'}`;
  const why = part === 'body' ? 'sends no body' : changes;
  return usageError('no_such_schema', `docs ${path} ${why}, so it has no ${part} schema`, {
    hint: `docs commands schema ${path}`,
  });
}
