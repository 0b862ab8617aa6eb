import type { PlanSchema } from './schema.js';

/** Whether a value has the fields of a plan, of the right types. Loads the schema, which is large, only now. */
export async function fitsPlan(value: unknown): Promise<boolean> {
  const [{ Ajv }, { PlanSchema: schema }] = await Promise.all([import('ajv'), import('./schema.js')]);
  const ajv = new Ajv({ strict: false, validateSchema: false, meta: false, logger: false });
  return ajv.compile<typeof PlanSchema>(schema)(value);
}
