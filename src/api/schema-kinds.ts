/** The kinds of schema that the declarations are built of; see type.ts. */
export {
  Array,
  Boolean,
  Integer,
  Literal,
  Null,
  Number,
  Object,
  Optional,
  Partial,
  Record,
  Recursive,
  String,
  Union,
  Unknown,
  Unsafe,
} from '@sinclair/typebox';
