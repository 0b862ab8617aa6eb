/**
 * What the declarations are built with. TypeBox's own `Type` is one object of every kind of schema there
 * is, which a bundler cannot part: each start that needs one declaration would load four times as much.
 */
export type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox';
export * as Type from './schema-kinds.js';
