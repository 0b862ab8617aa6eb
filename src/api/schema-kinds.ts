/** The kinds of schema in the declarations; see type.ts. */
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
