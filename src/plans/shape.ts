import type { PlanSchema } from './schema.js';

type Fits = (value: unknown) => boolean;

let compiled: Promise<Fits> | undefined;

/** Whether a value has the fields of a plan, of the right types. Loads the schema, which is large, only now. */
export async function fitsPlan(value: unknown): Promise<boolean> {
  compiled ??= compile();
  return (await compiled)(value);
}

async function compile(): Promise<Fits> {
  const [{ Ajv }, { PlanSchema: schema }] = await Promise.all([import('ajv'), import('./schema.js')]);
  const ajv = new Ajv({ strict: false, validateSchema: false, meta: false, logger: false });
  return ajv.compile<typeof PlanSchema>(schema);
}
