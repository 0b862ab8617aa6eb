/**
 * What the declarations are built with. TypeBox's own `Type` is one object with every kind of schema, which
 * a bundler cannot split: loading one declaration would load four times as much.
 */
export type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox';
export * as Type from './schema-kinds.js';
