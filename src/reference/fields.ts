import type { JsonSchema } from '../cli/help/plain-schema.js';

/** What is printed, as lines for a table: a JSON Schema told to people. */

/** A field of a printed object. */
export interface Field {
  /** Dotted path; `[]` stands for each item of a list, `?` for what may be absent. */
  path: string;
  type: string;
  description: string;
}

/** One of the shapes that a command may print. */
export interface Shape {
  /** `A list; each item has`, `An object with`, `A text`. */
  lead: string;
  fields: Field[];
}

/** The shapes of a result: one, or several where the input decides. */
export function shapesOf(result: JsonSchema): Shape[] {
  const definitions = (result.$defs ?? {}) as Record<string, JsonSchema>;
  const branches = (result.anyOf as JsonSchema[] | undefined) ?? [result];
  return branches.map((branch) => shapeOf(branch, definitions));
}

function shapeOf(schema: JsonSchema, definitions: Record<string, JsonSchema>): Shape {
  const about = typeof schema.description === 'string' ? ` (${lowered(schema.description)})` : '';
  const item = schema.items as JsonSchema | undefined;
  if (schema.type === 'array' && item !== undefined) {
    if (item.properties === undefined) return { lead: `A list of ${typeText(item)}${about}.`, fields: [] };
    return { lead: `A list${about}. Each item:`, fields: fieldsOf(item, '', definitions) };
  }
  if (schema.properties !== undefined)
    return { lead: `An object${about}:`, fields: fieldsOf(schema, '', definitions) };
  if (schema.type === 'string') return { lead: `A text${about}.`, fields: [] };
  const told = typeof schema.description === 'string' ? schema.description : 'Any JSON value';
  return { lead: `${told}.`, fields: [] };
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** The fields of an object, parts below the field that holds them. */
function fieldsOf(schema: JsonSchema, prefix: string, definitions: Record<string, JsonSchema>): Field[] {
  const required = (schema.required ?? []) as string[];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  return properties.flatMap(([name, part]) => {
    const path = `${prefix}${name}`;
    const own: Field = {
      path: required.includes(name) ? path : `${path}?`,
      type: typeText(part),
      description: typeof part.description === 'string' ? part.description : '',
    };
    const { core, list } = inside(part);
    return core.properties === undefined
      ? [own]
      : [own, ...fieldsOf(core, `${path}${list ? '[]' : ''}.`, definitions)];
  });
}

/** The object of a field: without null, and of a list that of its items. */
function inside(schema: JsonSchema): { core: JsonSchema; list: boolean } {
  const branches = (schema.anyOf as JsonSchema[] | undefined)?.filter(({ type }) => type !== 'null');
  const core = branches?.length === 1 ? (branches[0] ?? schema) : schema;
  if (core.type !== 'array') return { core, list: false };
  return { core: inside((core.items ?? {}) as JsonSchema).core, list: true };
}

/** A type in words: `text`, `number or null`, `list of text`, `one of a, b`. */
export function typeText(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.map(String).join(', ')}`;
  if (schema.$ref !== undefined) return 'the same again';
  if (Array.isArray(schema.anyOf)) {
    return [...new Set((schema.anyOf as JsonSchema[]).map(typeText))].join(' or ');
  }
  if (schema.type === 'array') return `list of ${typeText((schema.items ?? {}) as JsonSchema)}`;
  if (Array.isArray(schema.examples)) return `text, such as ${schema.examples.map(String).join(', ')}`;
  if (schema.format === 'date-time') return 'time';
  if (schema.type === 'string') return 'text';
  if (schema.type === 'integer') return 'whole number';
  if (schema.type === 'null') return 'null';
  return typeof schema.type === 'string' ? schema.type : 'any value';
}
