import type { JsonSchema } from '../cli/help/plain-schema.js';

/** A field of a printed object. */
interface Field {
  /** Dotted path; `[]` means each item of a list, `?` a field that may be absent. */
  path: string;
  type: string;
  description: string;
}

/** One of the shapes that a command may print. */
interface Shape {
  /** Such as `A list. Each item:`, `An object:`, `A string.` */
  lead: string;
  fields: Field[];
}

/** The shapes of a result: more than one if the shape depends on the input. */
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
  if (schema.type === 'string') return { lead: `A string${about}.`, fields: [] };
  const told = typeof schema.description === 'string' ? schema.description : 'Any JSON value';
  return { lead: `${told}.`, fields: [] };
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** The fields of an object, nested ones after the field that contains them. */
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

/** The object schema of a field, without null; for a list, that of its items. */
function inside(schema: JsonSchema): { core: JsonSchema; list: boolean } {
  const branches = (schema.anyOf as JsonSchema[] | undefined)?.filter(({ type }) => type !== 'null');
  const core = branches?.length === 1 ? (branches[0] ?? schema) : schema;
  if (core.type !== 'array') return { core, list: false };
  return { core: inside((core.items ?? {}) as JsonSchema).core, list: true };
}

/** A type in words: `string`, `number or null`, `list of string`, `one of a, b`. */
function typeText(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.map(String).join(', ')}`;
  if (schema.$ref !== undefined) return 'the same type, nested';
  if (Array.isArray(schema.anyOf)) {
    return [...new Set((schema.anyOf as JsonSchema[]).map(typeText))].join(' or ');
  }
  if (schema.type === 'array') return `list of ${typeText((schema.items ?? {}) as JsonSchema)}`;
  if (Array.isArray(schema.examples)) return `string, such as ${schema.examples.map(String).join(', ')}`;
  if (schema.format === 'date-time') return 'time';
  return typeof schema.type === 'string' ? schema.type : 'any value';
}
