/** What the declarations are built with. */
export type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox';
export { Type } from './schema-kinds.js';
